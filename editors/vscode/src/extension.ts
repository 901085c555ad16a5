// The extension: starts the language server, offers commands, and runs scenarios in the Test Explorer.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { gameFolder, line, results, scenarios } from "./commands";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (): string => vscode.workspace.getConfiguration("houserule").get("command", "houserule");
  const register = (name: string, work: (...words: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  };
  const inTerminal = (...words: string[]): void => {
    const terminal = vscode.window.terminals.find((one) => one.name === "Houserule") ?? vscode.window.createTerminal("Houserule");
    terminal.show();
    terminal.sendText(line(command(), ...words));
  };
  const withGame = (work: (folder: string) => void): void => {
    const file = vscode.window.activeTextEditor?.document.uri.fsPath;
    const folder = file === undefined ? undefined : gameFolder(file, existsSync);
    if (folder === undefined) {
      void vscode.window.showWarningMessage("Open a file of a game first: there is no game.yaml in a folder above this one.");
    } else {
      work(folder);
    }
  };

  register("houserule.play", () => withGame((folder) => inTerminal("play", folder)));
  register("houserule.serve", () => withGame((folder) => inTerminal("serve", folder, "--open")));
  register("houserule.rulebook", () =>
    withGame((folder) => inTerminal("rulebook", folder, "-o", path.join(folder, "rulebook.html"))),
  );
  register("houserule.newVariant", () =>
    withGame(async (folder) => {
      const name = await vscode.window.showInputBox({ prompt: "The id of the house rule, such as long_walk" });
      if (name !== undefined && name !== "") {
        inTerminal("new", "variant", folder, name);
      }
    }),
  );
  register("houserule.explainCode", async () => {
    const code = await vscode.window.showInputBox({ prompt: "The code of a message, such as HR501" });
    if (code !== undefined && code !== "") {
      inTerminal("explain", code);
    }
  });
  register("houserule.restart", async () => {
    await client?.restart();
  });
  context.subscriptions.push(scenarioTests(command));

  client = new LanguageClient(
    "houserule",
    "Houserule",
    { command: command(), args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml}") },
    },
  );
  try {
    await client.start();
  } catch {
    void vscode.window.showErrorMessage(
      `The language server '${command()} lsp' did not start. pip install 'houserule[lsp]', or set houserule.command.`,
    );
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The scenarios of open and changed files as tests. */
function scenarioTests(command: () => string): vscode.Disposable {
  const tests = vscode.tests.createTestController("houserule", "Houserule scenarios");
  const look = (document: vscode.TextDocument): void => {
    if (document.languageId !== "yaml" || gameFolder(document.uri.fsPath, existsSync) === undefined) {
      return;
    }
    const found = scenarios(document.getText());
    if (found.length === 0) {
      tests.items.delete(document.uri.toString());
      return;
    }
    const file = tests.createTestItem(document.uri.toString(), path.basename(document.uri.fsPath), document.uri);
    for (const one of found) {
      const item = tests.createTestItem(`${file.id}#${one.line}`, one.name, document.uri);
      item.range = new vscode.Range(one.line, 0, one.line, 0);
      file.children.add(item);
    }
    tests.items.add(file);
  };
  vscode.workspace.textDocuments.forEach(look);
  const opened = vscode.workspace.onDidOpenTextDocument(look);
  const changed = vscode.workspace.onDidChangeTextDocument((event) => look(event.document));
  tests.createRunProfile(
    "Run",
    vscode.TestRunProfileKind.Run,
    async (request, token) => {
      const run = tests.createTestRun(request);
      const wanted = [...(request.include ?? [...tests.items].map(([, item]) => item))];
      const files = new Map<string, vscode.TestItem[]>();
      for (const item of wanted) {
        const inside = item.children.size > 0 ? [...item.children].map(([, child]) => child) : [item];
        const file = item.uri?.fsPath ?? "";
        files.set(file, [...(files.get(file) ?? []), ...inside]);
      }
      for (const [file, items] of files) {
        if (token.isCancellationRequested) {
          break;
        }
        items.forEach((item) => run.started(item));
        const output = await printed(command(), ["test", file, "--format", "json"]);
        const told = results(output);
        for (const item of items) {
          const one = told?.find((result) => result.line - 1 === item.range?.start.line);
          if (one === undefined) {
            run.errored(item, new vscode.TestMessage(told === undefined ? output || "houserule could not be run" : "it was not run"));
          } else if (one.passed) {
            run.passed(item, one.seconds * 1000);
          } else {
            run.failed(item, new vscode.TestMessage(one.message), one.seconds * 1000);
          }
        }
      }
      run.end();
    },
    true,
  );
  return vscode.Disposable.from(tests, opened, changed);
}

/** What a command prints; what it says of errors where it prints nothing. */
function printed(command: string, words: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, words, { maxBuffer: 32 * 1024 * 1024 }, (_error, output, errors) => resolve(output || errors));
  });
}

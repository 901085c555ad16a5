// The extension: starts the language server, offers commands, and shows scenarios in the Test Explorer.

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { gameFolder, run } from "./commands";
import { scenarioTests } from "./testing";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (): string => vscode.workspace.getConfiguration("houserule").get("command", "houserule");
  const register = (name: string, work: (...words: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  };
  // Each has a terminal of its own: what is typed into one that is busy would be an answer in somebody's match. No shell reads
  // the words: what is a harmless name of a folder to one is a command to another.
  const inTerminal = (title: string, ...words: string[]): void => {
    const execution = new vscode.ProcessExecution(command(), words);
    const task = new vscode.Task({ type: "houserule" }, vscode.TaskScope.Workspace, title, "Houserule", execution);
    task.presentationOptions = { panel: vscode.TaskPanelKind.New, reveal: vscode.TaskRevealKind.Always, focus: true };
    void vscode.tasks.executeTask(task);
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

  register("houserule.play", () => withGame((folder) => inTerminal("play", "play", folder)));
  register("houserule.serve", () =>
    withGame(async (folder) => {
      const lacks = await asked("houserule.lacks", "serve");
      if (typeof lacks === "string") {
        void vscode.window.showErrorMessage(`A table in the browser cannot be opened: ${lacks}`);
      } else {
        inTerminal("table", "serve", folder, "--open");
      }
    }),
  );
  register("houserule.rulebook", () =>
    withGame(async (folder) => {
      const file = path.join(folder, "rulebook.html");
      if (await made(command(), "rulebook", folder, "-o", file)) {
        void vscode.env.openExternal(vscode.Uri.file(file));
      }
    }),
  );
  register("houserule.newVariant", () =>
    withGame(async (folder) => {
      const name = await vscode.window.showInputBox({ prompt: "The id of the house rule, such as long_walk" });
      if (name !== undefined && name !== "" && (await made(command(), "new", "variant", folder, name))) {
        void vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, "variants", `${name}.yaml`)));
      }
    }),
  );
  register("houserule.explainCode", async () => {
    const code = await vscode.window.showInputBox({ prompt: "The code of a message, such as HR501" });
    if (code !== undefined && code !== "" && typeof (await asked("houserule.explain", code.trim().toUpperCase())) !== "string") {
      void vscode.window.showWarningMessage(`There is no message with the code ${code}.`);
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

/** What the server answers to one of its commands; undefined where it does not run. */
async function asked(name: string, ...words: string[]): Promise<unknown> {
  try {
    return await client?.sendRequest("workspace/executeCommand", { command: name, arguments: words });
  } catch {
    return undefined;
  }
}

/** Whether a command made what it was to make; else what it says is shown. */
async function made(command: string, ...words: string[]): Promise<boolean> {
  const { succeeded, said } = await run(command, words);
  if (!succeeded) {
    void vscode.window.showErrorMessage(said);
  }
  return succeeded;
}

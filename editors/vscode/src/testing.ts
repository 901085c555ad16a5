// Scenarios in the Test Explorer: all that lie in folders of scenarios, and those of open files as they are shown.

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { gameFolder, results, run, scenarios } from "./commands";

const FILES = "**/scenarios/**/*.{yaml,yml}";

/** Keeps the scenarios of the workspace in the Test Explorer, and runs them by the command. */
export function scenarioTests(command: () => string): vscode.Disposable {
  const tests = vscode.tests.createTestController("houserule", "Houserule scenarios");
  const show = (uri: vscode.Uri, text: string): void => {
    const found = gameFolder(uri.fsPath, existsSync) === undefined ? [] : scenarios(text);
    if (found.length === 0) {
      tests.items.delete(uri.toString());
      return;
    }
    const file = tests.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    for (const one of found) {
      const item = tests.createTestItem(`${file.id}#${one.line}`, one.name, uri);
      item.range = new vscode.Range(one.line, 0, one.line, 0);
      file.children.add(item);
    }
    tests.items.add(file);
  };
  const look = (document: vscode.TextDocument): void => {
    if (document.languageId === "yaml" && document.uri.scheme === "file") {
      show(document.uri, document.getText());
    }
  };
  const read = async (uri: vscode.Uri): Promise<void> => {
    if (!vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())) {
      show(uri, new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    }
  };
  const readAll = async (): Promise<void> => {
    const files = await vscode.workspace.findFiles(FILES, "**/node_modules/**");
    await Promise.all(files.map(read));
  };
  tests.refreshHandler = readAll;
  vscode.workspace.textDocuments.forEach(look);
  void readAll();
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  const kept = [
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument((event) => look(event.document)),
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    watcher.onDidDelete((uri) => tests.items.delete(uri.toString())),
  ];
  tests.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => runTests(tests, command(), request, token), true);
  return vscode.Disposable.from(tests, watcher, ...kept);
}

/** Run what was asked for, file by file, and show how it went. */
async function runTests(
  tests: vscode.TestController,
  command: string,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
): Promise<void> {
  const testRun = tests.createTestRun(request);
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
    items.forEach((item) => testRun.started(item));
    const { said } = await run(command, ["test", file, "--format", "json"]);
    const told = results(said);
    for (const item of items) {
      const one = told?.find((result) => result.line - 1 === item.range?.start.line);
      if (one === undefined) {
        testRun.errored(item, new vscode.TestMessage(told === undefined ? said || "houserule could not be run" : "it was not run"));
      } else if (one.passed) {
        testRun.passed(item, one.seconds * 1000);
      } else {
        testRun.failed(item, new vscode.TestMessage(one.message), one.seconds * 1000);
      }
    }
  }
  testRun.end();
}

// What the commands run; without the editor, so that it can be tested by itself.

import { execFile } from "node:child_process";
import * as path from "node:path";

/** Whether a command succeeded, and what it printed: of errors where it printed nothing else. */
export function run(command: string, words: string[]): Promise<{ succeeded: boolean; said: string }> {
  return new Promise((resolve) => {
    execFile(command, words, { maxBuffer: 32 * 1024 * 1024 }, (error, output, errors) =>
      resolve({ succeeded: error === null, said: output || errors || (error?.message ?? "") }),
    );
  });
}

/** The folder of the game that a file belongs to: the nearest one above it with a game.yaml. */
export function gameFolder(file: string, exists: (name: string) => boolean): string | undefined {
  let folder = path.dirname(file);
  for (;;) {
    if (exists(path.join(folder, "game.yaml"))) {
      return folder;
    }
    const above = path.dirname(folder);
    if (above === folder) {
      return undefined;
    }
    folder = above;
  }
}

/** The names and lines of the scenarios of a file, in order. */
export function scenarios(text: string): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  text.split(/\r?\n/).forEach((row, number) => {
    const match = /^scenario:\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(row);
    if (match) {
      found.push({ name: match[1] ?? match[2] ?? match[3] ?? "", line: number });
    }
  });
  return found;
}

/** What `houserule test --format json` says of a scenario. */
export interface Result {
  name: string;
  line: number;
  passed: boolean;
  message: string;
  seconds: number;
}

/** The results that `houserule test --format json` printed; undefined where it printed something else. */
export function results(output: string): Result[] | undefined {
  try {
    const report = JSON.parse(output) as { scenarios?: Result[] };
    return Array.isArray(report.scenarios) ? report.scenarios : undefined;
  } catch {
    return undefined;
  }
}

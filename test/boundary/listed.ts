// Compares the code with a list under `test/fixtures/boundary`. The lists are edited by hand: each line is a decision.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../fixtures/boundary');

export function expectListed(file: string, lines: readonly string[], whatAChangeMeans: string): void {
  const now = new Set(lines);
  const listed = new Set(readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n'));
  const gone = [...listed].filter((line) => !now.has(line)).map((line) => `- ${line}`);
  const come = [...now].filter((line) => !listed.has(line)).map((line) => `+ ${line}`);
  if (gone.length + come.length === 0) return;
  throw new Error([`${file} is not what src has.`, whatAChangeMeans, ...gone.sort(), ...come.sort()].join('\n'));
}

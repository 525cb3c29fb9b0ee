// A JSON file that the operator names. A problem with it is one sentence.
import { readFileSync } from 'node:fs';
import { Mistake } from './command';

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Mistake(`${file} ${reasonOf(error as NodeJS.ErrnoException)}.`, { cause: error });
  }
}

function reasonOf({ code, name }: NodeJS.ErrnoException): string {
  if (name === 'SyntaxError') return 'is not valid JSON';
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}

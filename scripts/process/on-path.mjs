// Finds a program on PATH. It never runs it.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function onPath(name, path = process.env.PATH ?? '') {
  const candidates = path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return candidates.find(isProgram) ?? null;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

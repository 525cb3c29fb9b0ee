// A whole run loads the same modules once for several test files instead of once for each: imports take half of the
// time of a short file. Jest has no such feature, so a group is a generated file that requires its members, each in its
// own `describe`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, PROJECTS } from './projects.mjs';

/** Writes `<project>-<n>.test.js` into the folder and removes earlier ones. */
export function writeGroups(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const project of PROJECTS.filter(({ groupOf }) => groupOf > 1)) {
    chunks(filesOf(root, project), project.groupOf).forEach((files, n) => {
      writeFileSync(join(folder, `${project.name}-${n + 1}.test.js`), groupOf(root, files));
    });
  }
}

/** Groups of nearly equal size, so that the last is never a single file. */
export function chunks(files, most) {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, n) =>
    files.slice(Math.round((n * files.length) / count), Math.round(((n + 1) * files.length) / count)),
  );
}

const groupOf = (root, files) =>
  `require(${JSON.stringify(join(root, 'test/support/group'))}).group(${JSON.stringify(files, null, 2)});\n`;

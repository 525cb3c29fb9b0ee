// The Temporal SDK can download its own test servers. This file runs as a program (`kind folder version`), because the
// SDK starts the server that it downloaded; the server is stopped immediately, and the file that stays in the folder is
// what we need.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process/run.mjs';

const self = 'scripts/install/sdk-download.mjs';
const attemptMs = 300_000;

const unfinished = '.downloading';

// The path of the program, or null: without internet the SDK fails within milliseconds, and the next source is tried. A
// complete download is renamed into place, even if the server starts too slowly: the SDK waits five seconds for it.
export async function downloadedBySdk(root, kind, folder, version, { signal, log }) {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
  const args = [join(root, self), kind, folder, version];
  await run(process.execPath, args, { cwd: root, signal: limited, log }).catch(() => signal.throwIfAborted());
  const whole = readdirSync(folder).find((name) => !name.endsWith(unfinished));
  return whole ? join(folder, whole) : null;
}

async function download(kind, folder, version) {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = { type: /** @type {const} */ ('cached-download'), downloadDir: folder, version };
  const create = kind === 'dev-server' ? 'createLocal' : 'createTimeSkipping';
  const environment = await TestWorkflowEnvironment[create]({ server: { executable } });
  await environment.teardown();
}

if (process.argv[1]?.endsWith(self)) await download(...process.argv.slice(2));

// The `temporal` program (its development server and UI are inside it): on PATH, else the SDK's own download, else Go.
import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';
import { downloadedBySdk } from './sdk-download.mjs';

// The last version that `go install` can build: later ones carry a `replace` directive.
const version = '1.5.1';
const module = `github.com/temporalio/cli/cmd/temporal@v${version}`;

export async function ensureTemporalCli(root, { progress, signal, logs }) {
  const found = onPath('temporal');
  if (found && (await outputOf(found, ['--version'])) !== null) return found;
  const folder = join(cacheRoot(), `temporal-cli-${version}`);
  const onWait = () => progress.note('… another process is installing the Temporal server; waiting for it');
  const build = (target) => obtain(root, target, { progress, signal, logs });
  return join(await installed(folder, build, { signal, onWait }), 'temporal');
}

async function obtain(root, target, { progress, signal, logs }) {
  const context = { signal, log: join(logs, 'temporal-download.log') };
  const fetched = await downloadedBySdk(root, 'dev-server', target, `v${version}`, context);
  if (!fetched) return buildWithGo(target, { progress, signal, logs });
  renameSync(fetched, join(target, 'temporal'));
  chmodSync(join(target, 'temporal'), 0o755);
}

async function buildWithGo(target, { progress, signal, logs }) {
  if (!onPath('go')) throw new Problem(missing('the download did not work and Go is missing'));
  requireSpace(cacheRoot(), 4_000, 'building the Temporal server');
  const options = {
    signal,
    env: { ...process.env, GOBIN: target },
    log: join(logs, 'go-install.log'),
    what: 'go install',
  };
  await progress.step('Building the Temporal server (go install, 3 to 4 minutes the first time)', () =>
    run('go', ['install', module], options),
  );
}

const missing = (why) =>
  `The Temporal server cannot be had here (${why}): put temporal or Go 1.25 on PATH, set TEMPORAL_ADDRESS to a running server, or start a Docker engine.`;

// The API to fuzz: on its own seeded database, as a process that prints its address and the identifiers to use.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from '../process/launch.mjs';
import { tailOf } from '../process/log-reason.mjs';
import { waitUntil } from '../process/wait-until.mjs';

const program = 'test/support/api/serve-seeded.ts';

/**
 * `preload`: a module that is loaded into the process first, can force a collection there and gets a channel for
 * messages.
 * @param {any} ctx
 * @param {{ databaseUrl: string, redisUrl: string }} servers
 * @param {{ name?: string, preload?: string | null, abandoned?: string | null }} [options]
 */
export async function startWorld(ctx, servers, { name = 'fuzzed-api', preload = null, abandoned = null } = {}) {
  const { root, signal } = ctx;
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    DATABASE_URL: servers.databaseUrl,
    DATABASE_DIRECT_URL: '',
    REDIS_URL: servers.redisUrl,
  };
  if (abandoned) env.ABANDONED_DATABASE = abandoned;
  const watch = preload ? ['--expose-gc', '--import', pathToFileURL(join(root, preload)).href] : [];
  const args = [...watch, '--import', 'tsx', join(root, program)];
  return ctx.progress.step('The API is up on a seeded database', async () => {
    const running = launch(ctx, { name, command: process.execPath, args, env, cwd: root, ipc: preload !== null });
    const world = () => worldIn(tailOf(running.log));
    await waitUntil(() => world() !== null, { process: running, signal });
    return { ...world(), log: running.log, child: running.child, reason: running.reason };
  });
}

export function worldIn(text) {
  const line = text.split('\n').find((one) => one.startsWith('{"url"'));
  try {
    return line ? JSON.parse(line) : null;
  } catch {
    return null;
  }
}

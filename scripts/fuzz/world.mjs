// The API to fuzz: on a seeded database of its own, as a process that prints its address and the identifiers to use.
import { join } from 'node:path';
import { launch } from '../process/launch.mjs';
import { tailOf } from '../process/log-reason.mjs';
import { waitUntil } from '../process/wait-until.mjs';

const program = 'test/support/api/serve-seeded.ts';

export async function startWorld(ctx, servers) {
  const { root, signal } = ctx;
  const env = { ...process.env, DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl };
  const args = ['--import', 'tsx', join(root, program)];
  return ctx.progress.step('The API is up on a seeded database', async () => {
    const running = launch(ctx, { name: 'fuzzed-api', command: process.execPath, args, env, cwd: root });
    let world = null;
    const hasSpoken = () => {
      world = worldIn(tailOf(running.log));
      return world !== null;
    };
    await waitUntil(hasSpoken, { process: running, signal });
    return { ...world, log: running.log };
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

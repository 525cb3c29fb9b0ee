// An instance for one run of a command that needs servers: with its own ports and data, removed at the end. Two
// parallel runs never share one.

import { createProgress } from '../command/progress.mjs';
import { requireSpace } from '../install/disk-space.mjs';
import { freePorts } from '../process/ports.mjs';
import { composeWipe } from '../servers/compose.mjs';
import { wipeData } from '../servers/data-folder.mjs';
import { wipeTemporal } from '../servers/temporal.mjs';
import { openInstance, prepareFolders } from './instance.mjs';
import { stopInstance } from './stop.mjs';

/**
 * `ports`: four that the caller has reserved, and a fifth if Temporal is to serve its metrics; by default four free
 * ones.
 * @param {string} root
 * @param {{
 *   name: string, what: string, signal: AbortSignal, onEnd: (step: () => unknown) => unknown, ports?: number[],
 * }} claim
 */
export async function claimThrowaway(root, { name, what, signal, onEnd, ports }) {
  const instance = claimOne(root, name, what);
  onEnd(() => instance.release());
  const [postgres, redis, temporal, ui, temporalMetrics] = ports ?? (await freePorts(4));
  const common = { root, instance, logs: instance.logs, signal, progress: createProgress() };
  const ctx = {
    ...common,
    ports: { postgres, redis, temporal, ui, temporalMetrics },
    durable: false,
    database: 'postgres',
  };
  await clean(ctx);
  onEnd(() => clean(ctx));
  return ctx;
}

function claimOne(root, name, what) {
  for (let number = 1; ; number += 1) {
    const instance = openInstance(root, number === 1 ? name : `${name}-${number}`);
    requireSpace(instance.folder, 500, what);
    if (instance.claim()) return prepareFolders(instance);
  }
}

// Also removes what a killed run left behind: its processes and its data.
async function clean(ctx) {
  const { compose } = ctx.instance.read();
  await stopInstance(ctx);
  if (compose) await composeWipe({ ...ctx, signal: new AbortController().signal });
  wipeData(ctx.instance);
  wipeTemporal(ctx.instance);
}

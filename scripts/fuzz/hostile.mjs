// The hostile part of the fuzz: runs the battery of `hostile/` against API processes that its watcher measures from
// inside.
import { runBattery } from './hostile/battery.mjs';
import { startWorld } from './world.mjs';

const WATCHER = 'scripts/fuzz/hostile/watcher.mjs';
/** By default the requests are the same every time. */
const USUAL_SEED = 1;

export async function runHostile(ctx, servers, { seed, kind }) {
  const own = seed ?? USUAL_SEED;
  ctx.progress.note(`Hostile requests, seed ${own}. To repeat them: npm run fuzz -- --hostile --seed ${own}`);
  let started = 0;
  const start = (abandoned) => {
    started += 1;
    return startWorld(ctx, servers, { name: `hostile-api-${started}`, preload: WATCHER, abandoned });
  };
  return runBattery({ start, seed: own, only: kind, progress: ctx.progress, signal: ctx.signal });
}

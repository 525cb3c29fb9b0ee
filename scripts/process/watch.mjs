// Watches the programs of a stack, not only whether they live but whether they respond: a program that hangs or
// responds with nonsense is restarted, with a line on the screen. It counts probes, never wall time: a machine that
// stood still does not mean that a program hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { stopProcess } from './stop.mjs';
import { waitUntil } from './wait-until.mjs';

const usual = { everyMs: 10_000, most: 5, mostBusy: 30, politeMs: 5_000 };

/**
 * Each of `watched` has `start`, which launches it, `running`, the result of `start`, and `answers`, which resolves to
 * whether it is healthy. A program that ends is restarted too, unless it `endsAll`: such a program computes in one
 * thread and may be busy for a minute, so it gets more time. Rejects with the reason if a program ends all or does not
 * come back, and when the session ends.
 */
export async function watchAll(ctx, watched, times = usual) {
  await Promise.all(watched.map((one) => watch(ctx, { ...one }, times)));
}

async function watch(ctx, one, times) {
  for (let unanswered = 0; ; ) {
    const how = await Promise.race([one.running.ended, sleep(times.everyMs, null, { signal: ctx.signal })]);
    ctx.signal.throwIfAborted();
    if (how !== null && one.endsAll) throw endOf(one.running, how);
    unanswered = how === null && (await one.answers()) ? 0 : unanswered + 1;
    const what = how === null ? `has not answered ${unanswered} times in a row` : `ended (${how})`;
    if (one.endsAll && unanswered === times.most)
      ctx.progress.note(`✗ ${one.running.name} ${what} (log: ${one.running.log})`);
    if (how === null && unanswered < (one.endsAll ? times.mostBusy : times.most)) continue;
    await startAgain(ctx, one, what, times);
    unanswered = 0;
  }
}

const endOf = ({ name, reason, log }, how) => new Problem(`The ${name} ended (${how}): ${reason()} (log: ${log})`);

async function startAgain(ctx, one, what, { politeMs }) {
  const { name, log } = one.running;
  ctx.progress.note(`✗ ${name} ${what}: it is started again (log: ${log})`);
  await stopProcess(one.running, politeMs);
  one.running = one.start();
  await waitUntil(one.answers, { process: one.running, signal: ctx.signal });
  ctx.progress.note(`✓ ${name} answers again`);
}

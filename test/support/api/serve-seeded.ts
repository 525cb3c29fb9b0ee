// The API over a database of its own that holds a little of everything, as a process: says in one line of JSON where it is, which keys it
// knows and what there is to ask about, and drops the database when it is told to stop. What fails inside is written out.
import { once } from 'node:events';
import { addDays, aetDay } from '../../../src/domain/time/aet';
import { NOW } from './api';
import { seedEverything, serve } from './served';

const MINUTE_MS = 60_000;
/** The next race jumps ten minutes on. */
const SLOWLY = 10;

async function main(): Promise<void> {
  // Held as in production: what is given twice is part of what is tried.
  const served = await serve({
    responsesCachedMs: 1000,
    log: { error: (fields, message) => console.error(message, fields) },
  });
  const seeded = await seedEverything(served.db);
  const keys = {
    free: await served.addKey({ plan: 'free' }),
    plus: await served.addKey({ plan: 'plus' }),
    internal: await served.addKey({ plan: 'enterprise', role: 'internal' }),
  };
  const nowMs = Date.parse(NOW);
  const today = aetDay(nowMs);
  const about = {
    days: [today, addDays(today, 1)],
    // On the database's clock, as the marks of what was just written are (A 2.8).
    instants: [1, 15, 25].map((minutes) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()),
    races: Object.values(seeded),
  };
  const startedAt = Date.now();
  // Its day goes on, from the instant for which it was written; slowly, so that no race has jumped before a slow machine has asked all.
  const ticking = setInterval(() => {
    served.api.now = nowMs + Math.floor((Date.now() - startedAt) / SLOWLY);
  }, 100);
  process.stdout.write(`${JSON.stringify({ url: served.api.url, keys, about })}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  clearInterval(ticking);
  await served.stop();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

// Prices of 600 races and results to 5,000 endpoints, on two workers: what is offered, sent and superseded a second,
// and how old the oldest first attempt gets.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readOutboxAge } from '../../../src/store/webhooks/outbox-age';
import type { TestDatabase } from '../../../test/support/servers/database';
import { emptied, makeEvents, makeRaces, makeWebhooks } from './made';
import type { Receivers } from './receiver';
import { startWebhookWorker } from './worker';

const ENDPOINTS = 5000;
const ALL = 20;
const VENUE = 80;
const RESULT = 1000;
const RACES = 600;
const VENUES = 60;
/** An event of each race at most every five seconds. */
const MOVES_PER_SECOND = RACES / 5;
const RESULT_EVERY_MS = 10_000;
const TARGET_SECONDS = 2;

/** `answerMs`: what a receiver takes; 0: it answers at once. */
export async function runLoad(
  db: TestDatabase,
  receivers: Receivers,
  seconds: number,
  answerMs: number,
): Promise<void> {
  await emptied(db.pool);
  await makeWebhooks(
    db.pool,
    ENDPOINTS,
    (n) => `${receivers.url}/${answerMs > 0 ? `after/${answerMs}/` : ''}${n}`,
    (n) => {
      if (n < ALL) return { events: ['odds.change'] };
      if (n < ALL + VENUE) return { events: ['odds.change'], venue: venueOf(n).toUpperCase() };
      return { events: [n < ALL + VENUE + RESULT ? 'race.result' : 'backfill.completed'] };
    },
  );
  const workers = [await startWebhookWorker(db.url), await startWebhookWorker(db.url)];
  try {
    const races = Array.from({ length: RACES }, () => randomUUID());
    await makeRaces(
      db.pool,
      races,
      races.map((_, n) => venueOf(n)),
    );
    const ages: number[] = [];
    let made = 0;
    let results = 0;
    const began = Date.now();
    const elapsed = () => Date.now() - began;
    while (elapsed() < seconds * 1000) {
      const due = Math.floor((elapsed() * MOVES_PER_SECOND) / 1000) - made;
      const moves = Array.from({ length: due }, (_, i) => (made + i) % RACES).map((n) => ({
        kind: 'odds.change',
        raceId: races[n]!,
        venue: venueOf(n),
      }));
      if (due > 0) await makeEvents(db.pool, moves);
      made += due;
      if (elapsed() >= (results + 1) * RESULT_EVERY_MS) {
        await makeEvents(db.pool, [{ kind: 'race.result', raceId: races[results]! }]);
        results += 1;
      }
      ages.push(await readOutboxAge(db.pool, new Date().toISOString()));
      await delay(200);
    }
    const took = elapsed() / 1000;
    await delay(5000);
    const { rows } = await db.pool.query(
      `SELECT count(*)::int AS offered, count(*) FILTER (WHERE status = 'delivered')::int AS sent,
              count(*) FILTER (WHERE status = 'cancelled')::int AS superseded FROM webhook_deliveries`,
    );
    const [{ offered, sent, superseded }] = rows as [{ offered: number; sent: number; superseded: number }];
    const ms = (await receivers.taken()).map(({ atMs, madeMs }) => atMs - madeMs!).sort((a, b) => a - b);
    const rate = (n: number): string => (n / took).toFixed(0);
    console.log(`${made} price moves and ${results} results in ${took.toFixed(0)} s`);
    console.log(`a second: ${rate(offered)} posts offered, ${rate(sent)} sent, ${rate(superseded)} superseded`);
    console.log(`from writing to arrival: p50 ${at(ms, 0.5)} ms, p99 ${at(ms, 0.99)} ms`);
    const oldest = Math.max(...ages);
    console.log(`oldest first attempt: at most ${oldest.toFixed(2)} s (target below ${TARGET_SECONDS})`);
    if (oldest >= TARGET_SECONDS) process.exitCode = 1;
  } finally {
    for (const worker of workers) worker.kill();
  }
}

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
const venueOf = (n: number): string => `Venue ${n % VENUES}`;

// The writes of workers during `npm run backup-drill`, through the real stores with a worker's login, as a process:
// `write` lists and polls races under the first epoch of their workflows, `more N` continues under epoch N, which the
// database need not know, because it may be restored. Prints what it did as JSON.
import { createPool } from '../../../src/store/pg/pool';
import { createControlStore } from '../../../src/store/polls/control';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { feedField, raceSnapshot } from './builders';
import { storeRace } from './stored-race';

const BOOKS = ['ladbrokes_au', 'neds', 'tab', 'sportsbet'];
const RACES = 24;
const RUNNERS = 10;
const POLLS = 40;
const STARTS_IN_MS = 30 * 60_000;
const APART_MS = 45_000;

const pool = createPool(process.env.DATABASE_URL!, 10);
const db = { pool, url: process.env.DATABASE_URL!, drop: () => pool.end() };
const quotes = createQuoteStore(pool);
const control = createControlStore(pool);

/** Every poll moves every price, so each poll is a tick for each runner. */
const prices = (n: number): number[] => Array.from({ length: RUNNERS }, (_, i) => 1.5 + ((i * 7 + n * 3) % 50) / 10);

function poll(raceId: string, book: string, epoch: number, n: number, atMs: number) {
  return quotes.savePoll({
    raceId,
    bookmakerKey: book,
    fence: { epoch, attempt: 1 },
    observedAt: new Date(atMs).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: feedField(...prices(n)) }),
    marketStateSource: false,
    startSource: false,
  });
}

async function write() {
  const nowMs = Date.now();
  const startTime = new Date(nowMs + STARTS_IN_MS).toISOString();
  const listed = (i: number) => ({ venue: `Drill ${i}`, startTime, meetingDate: startTime.slice(0, 10) });
  let ticks = 0;
  await Promise.all(
    Array.from({ length: RACES }, async (_, i) => {
      const { raceId } = await storeRace(db, listed(i), BOOKS);
      for (let n = 0; n < POLLS; n++)
        for (const book of BOOKS) {
          const verdict = await poll(raceId, book, 1, n, nowMs - (POLLS - n) * APART_MS);
          ticks += verdict.ticks;
        }
    }),
  );
  return { races: RACES, ticks };
}

const raceIds = async (): Promise<string[]> =>
  (await pool.query<{ id: string }>('SELECT race_id AS id FROM races ORDER BY race_id')).rows.map(({ id }) => id);

/** Each race's poller holds `epoch`. Writes of the previous holder are refused. */
async function more(epoch: number) {
  const nowMs = Date.now();
  const done = { claimed: 0, written: 0, refused: 0, ticks: 0 };
  for (const raceId of await raceIds()) {
    if (await control.claim(raceId, epoch, 1, new Date(nowMs).toISOString())) done.claimed += 1;
    const verdict = await poll(raceId, BOOKS[0]!, epoch, POLLS + epoch, nowMs);
    done.written += Number(!verdict.fenced && verdict.ticks > 0);
    done.ticks += verdict.ticks;
    const late = await poll(raceId, BOOKS[0]!, epoch - 1, POLLS, nowMs + 1);
    done.refused += Number(late.fenced);
  }
  return done;
}

async function main(): Promise<void> {
  const [mode, epoch] = process.argv.slice(2);
  const done = mode === 'write' ? await write() : await more(Number(epoch));
  await pool.end();
  console.log(JSON.stringify(done));
}

void main();

// A whole day's board in a database, written by the real stores: races every two minutes from now on, each of eleven
// runners at fifteen books, captured prices inside the hour, and behind them results, the registry's sheets, polls and
// uptime. For any bench.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../../src/api/kernel/endpoint/visibility';
import type { FeedRunner } from '../../src/domain/race/feed-race';
import { NO_FACTS } from '../../src/domain/race/not-reported';
import { aetDay } from '../../src/domain/time/aet';
import type { PlacedRace } from '../../src/store/card/card';
import { createStores } from '../../src/store/create-stores';
import { feedResult, feedRunner, placedRace, raceSnapshot } from '../../test/support/races/builders';
import {
  registryCard,
  registryCondition,
  registryListing,
  registryRace,
  registryRunner,
} from '../../test/support/races/registry';
import { seeded } from './figures';

const FULL_CARD_BOOKS = CUSTOMERS.compared.slice(0, 15);
const FULL_CARD_RUNNERS = 11;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERY_MS = 2 * MINUTE_MS;
const RACES_A_VENUE = 10;
/** Minutes ago: every race ahead was polled at the last of these, those inside the hour at each. */
const POLLED_AGO = [40, 20, 6, 2, 1 / 6];
const AT_ONCE = 64;

export interface FullCard {
  /** Next to jump first. */
  readonly raceIds: readonly string[];
  /** In the middle of the hour before the jump. */
  readonly live: string;
  /** One that has a final result. */
  readonly final: string;
}

/** `races` ahead of `nowMs`, and as many that have run, at most `results`. */
export async function seedFullCard(pool: Pool, races: number, nowMs: number, results = 100): Promise<FullCard> {
  const ahead = Array.from({ length: races }, (_, i) =>
    placed(`Track ${i % venues(races)}`, i, races, nowMs + (i + 1) * EVERY_MS),
  );
  const past = Array.from({ length: results }, (_, i) =>
    placed(`Past ${i % venues(results)}`, i, results, nowMs - HOUR_MS - i * EVERY_MS),
  );
  await list(pool, ahead, nowMs);
  await list(pool, past, nowMs);
  await poll(pool, ahead, nowMs);
  await settle(pool, past, nowMs);
  await register(pool, nowMs);
  await pool.query('ANALYZE');
  return {
    raceIds: ahead.map((race) => race.raceId),
    live: ahead[Math.min(14, races - 1)]!.raceId,
    final: past[0]!.raceId,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const venues = (races: number): number => Math.ceil(races / RACES_A_VENUE);

function placed(venue: string, i: number, races: number, startMs: number): PlacedRace {
  const raceNumber = 1 + Math.floor(i / venues(races));
  const named = { venue, raceNumber, meetingDate: aetDay(startMs), startTime: iso(startMs), raceName: `Race ${i}` };
  return placedRace(named);
}

async function list(pool: Pool, placed: readonly PlacedRace[], nowMs: number): Promise<void> {
  const { races } = createStores(pool);
  for (const book of FULL_CARD_BOOKS) {
    const own = placed.map((race) => ({ ...race, listed: { ...race.listed, sourceRaceId: randomUUID() } }));
    await races.saveCard(book, own, iso(nowMs - 6 * HOUR_MS));
  }
}

async function poll(pool: Pool, ahead: readonly PlacedRace[], nowMs: number): Promise<void> {
  const { quotes } = createStores(pool);
  const random = seeded(20261121);
  for (const minutes of POLLED_AGO) {
    const atMs = nowMs - minutes * MINUTE_MS;
    const polled = minutes < 1 ? ahead : ahead.filter((race) => Date.parse(race.listed.startTime) - nowMs < HOUR_MS);
    const all = polled.flatMap((race, i) =>
      FULL_CARD_BOOKS.map((book, b) => ({ race, book, runners: field(i, b, random()) })),
    );
    for (let from = 0; from < all.length; from += AT_ONCE) {
      await Promise.all(
        all.slice(from, from + AT_ONCE).map(({ race, book, runners }) =>
          quotes.savePoll({
            raceId: race.raceId,
            bookmakerKey: book,
            fence: { epoch: 1, attempt: 1 },
            observedAt: iso(atMs),
            bookAt: null,
            snapshot: raceSnapshot({
              runners,
              facts: FACTS,
              sourceUrl: `https://${book}.example/racing/${race.raceId}`,
            }),
            marketStateSource: book === 'pointsbetau',
            startSource: book === 'ladbrokes_au',
          }),
        ),
      );
    }
  }
}

const FACTS = {
  ...NO_FACTS,
  distanceM: 1600,
  trackCondition: 'Good (4)',
  weather: 'Fine',
  raceClass: 'Benchmark 84',
  placesPaid: 3,
};

/**
 * From favourites to outsiders, moved a little by `drift` (0 to 1); one in fifteen books has every leg, one reports the
 * tote.
 */
function field(race: number, book: number, drift: number): FeedRunner[] {
  return Array.from({ length: FULL_CARD_RUNNERS }, (_, i) => {
    const win = cents(2 + i * 1.7 + ((race + book * 3 + i) % 7) / 10 + drift);
    const card = { name: `Runner ${race} ${i}`, barrier: i + 1, jockey: `J. Rider ${i}`, trainer: `T. Trainer ${i}` };
    const legs =
      book === 3 ? { top2: cents(1 + win / 3), top3: cents(1 + win / 4), toteWin: { PROV: cents(win * 0.9) } } : {};
    return feedRunner(i + 1, { ...card, weightKg: 54 + i / 2, form: '12x34', win, place: cents(1 + win / 5), ...legs });
  });
}

const cents = (price: number): number => Math.round(price * 100) / 100;

/** Half an hour after they ran. */
async function settle(pool: Pool, past: readonly PlacedRace[], nowMs: number): Promise<void> {
  const { races, results } = createStores(pool);
  const straight = [{ market: 'WIN', product: 'FIXED', number: 1, amount: 5.5 } as const];
  const exotics = [{ code: 'QN' as const, product: 'VIC', selection: '1,2', amount: 8.4 }];
  for (const { raceId, listed } of past) {
    const at = iso(Math.min(nowMs, Date.parse(listed.startTime) + HOUR_MS / 2));
    await results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult({ straight, exotics }), at });
    await results.finalise(raceId, at);
    await races.savePhase(raceId, 'final', { jumpedAt: listed.startTime, leftBoardAt: at }, at);
  }
}

/** Three meetings of eight races, and what the collectors did. */
async function register(pool: Pool, nowMs: number): Promise<void> {
  const { registry, health } = createStores(pool);
  const at = iso(nowMs - MINUTE_MS);
  const day = aetDay(nowMs);
  const runners = Array.from({ length: FULL_CARD_RUNNERS }, (_, i) => registryRunner(i + 1));
  const card = Array.from({ length: 8 }, (_, i) =>
    registryRace(i + 1, { runners, startTime: iso(nowMs + i * HOUR_MS) }),
  );
  const keys = ['Flemington', 'Caulfield', 'Sandown'].map((venue) =>
    registryListing({ key: `${day},VIC,${venue}`, venue, day }),
  );
  await registry.saveCalendar(keys, at);
  for (const { key } of keys) await registry.saveAcceptances(registryCard({ key, races: card }), at);
  await registry.saveTracks(
    'VIC',
    keys.map(({ venue }) => registryCondition({ day, venue })),
    at,
  );
  const poll = { at, ok: true, status: 'ok', message: null, recordsWritten: 3, counts: [] };
  await health.recordPolls(FULL_CARD_BOOKS.map((connector) => ({ ...poll, connector })));
  await health.recordUptime([{ at, ok: true, latencyMs: 4, target: 'https://api.example.com/healthz' }]);
}

// `sports`: a push of a book that moves one market in seven, against a plain insert of the same number of rows into a
// hypertable of the same shape; and the odds and the movements of a sport and the arbitrage scan of all sports, without
// a cache of answers, against `JSON.stringify` of the same bodies; odds and movements also with a push of a book before
// each read. Beside each ratio stands its target. Rounds alternate; it makes and drops a database of its own. Run:
// DATABASE_URL=… node --import tsx bench/sports.ts [--rounds 9] [--matches 600]
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { sportsArb } from '../src/api/operations/arbitrage/sports-arb';
import { getSportOdds } from '../src/api/operations/sports/get-sport-odds';
import { createSportsBoard } from '../src/api/operations/sports/sports-board';
import { getOddsMovements } from '../src/api/operations/sports-history/get-odds-movements';
import { BOOKMAKERS, isCompared } from '../src/domain/bookmakers';
import { sportOf } from '../src/domain/sports/sports';
import { createReads } from '../src/store/reads/reads';
import type { SharedAnswers } from '../src/store/redis/shared-answers';
import { createSportIngestStore } from '../src/store/sports/push';
import type { PushedEvent } from '../src/store/sports/pushed-event';
import { createTestDatabase } from '../test/support/servers/database';
import { priced } from '../test/support/sports/matches';
import { median, seeded } from './support/figures';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, matches: { type: 'string', default: '600' } },
});
const rounds = Number(values.rounds);
const matches = Number(values.matches);
const SPORTS = ['afl', 'nrl', 'nba', 'soccer_epl', 'tennis_atp'].map((key) => sportOf(key)!);
const BOOKS = BOOKMAKERS.filter(
  ({ key, kind, status }) => kind === 'bookmaker' && status === 'active' && isCompared(key),
)
  .map(({ key }) => key)
  .slice(0, 15);
/** Reads that are not counted: a process that serves them has compiled what they run. */
const WARM_UP = 15;
/** Of the markets of a push. */
const MOVED = 1 / 7;
const START_MS = Date.parse('2026-11-21T01:00:00.000Z');
const EVERY_MS = 15 * 60_000;

const random = seeded(20261123);
const at = (push: number): string => new Date(START_MS + push * EVERY_MS).toISOString();

/** What a book offers: each match with its three markets. */
function offer(): PushedEvent[] {
  return Array.from({ length: matches }, (_, i) => {
    const sport = SPORTS[i % SPORTS.length]!;
    const draw = sport.draw ? 3.4 : null;
    return {
      sport,
      sourceId: `m${i}`,
      homeTeam: `Home ${i}`,
      awayTeam: `Away ${i}`,
      competition: null,
      commenceTime: new Date(START_MS + 86_400_000 + i * 60_000).toISOString(),
      markets: [
        { market: 'h2h', prices: priced('h2h', { home: price(), draw, away: price() }) },
        {
          market: 'spreads',
          prices: priced('spreads', { home: price(), away: price(), homePoint: -4.5, awayPoint: 4.5 }),
        },
        {
          market: 'totals',
          prices: priced('totals', { home: price(), away: price(), homePoint: 40.5, awayPoint: 40.5 }),
        },
      ],
    };
  });
}

const price = (): number => Math.round((1.8 + random() * 0.2) * 100) / 100;

const moved = (events: readonly PushedEvent[]): PushedEvent[] =>
  events.map((event) => ({
    ...event,
    markets: event.markets.map((one) =>
      random() < MOVED ? { ...one, prices: { ...one.prices, home: price(), away: price() } } : one,
    ),
  }));

const millis = async (work: () => unknown): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    const pushNext = await measurePushes(db.pool);
    await db.pool.query('ANALYZE');
    await measureReads(db.pool, pushNext);
  } finally {
    await db.drop();
  }
}

/** Resolves to a further push of the first book, which resolves to its instant. */
async function measurePushes(pool: Pool): Promise<() => Promise<string>> {
  const store = createSportIngestStore(pool);
  await pool.query(`CREATE TABLE raw_ticks (LIKE sport_ticks, PRIMARY KEY (event_id, bookmaker_key, market, captured_at));
    SELECT create_hypertable('raw_ticks', by_range('captured_at', INTERVAL '7 days'), create_default_indexes => false)`);
  const offers = new Map(BOOKS.map((key) => [key, offer()]));
  for (const [bookmakerKey, events] of offers) await store.push({ bookmakerKey, observedAt: at(0), events }, at(0));
  const [ours, raw]: [number[], number[]] = [[], []];
  for (let push = 1; push <= rounds; push++) {
    for (const [bookmakerKey, events] of offers) {
      const next = moved(events);
      offers.set(bookmakerKey, next);
      ours.push(await millis(() => store.push({ bookmakerKey, observedAt: at(push), events: next }, at(push))));
      raw.push(await millis(() => rawRows(pool, bookmakerKey, at(push))));
    }
  }
  const ratio = median(ours.map((ms, i) => ms / raw[i]!));
  console.log(
    `push of ${matches} matches with three markets: ${median(ours).toFixed(0)} ms, ${median(raw).toFixed(0)} ms for an insert of ${matches * 3} rows, ratio ${ratio.toFixed(1)} (at most 8)`,
  );
  const bookmakerKey = BOOKS[0]!;
  let events = offers.get(bookmakerKey)!;
  // A second apart, so that the other books do not grow stale.
  let pushedMs = Date.parse(at(rounds));
  return async () => {
    events = moved(events);
    pushedMs += 1000;
    const observedAt = new Date(pushedMs).toISOString();
    await store.push({ bookmakerKey, observedAt, events }, observedAt);
    return observedAt;
  };
}

const rawRows = (pool: Pool, bookmakerKey: string, capturedAt: string) =>
  pool.query(
    `INSERT INTO raw_ticks SELECT $2, e.event_id, $1, m, 1.9, NULL, 1.9, 4.5, -4.5
       FROM sport_events e, unnest(ARRAY['h2h', 'spreads', 'totals']) m`,
    [bookmakerKey, capturedAt],
  );

async function measureReads(pool: Pool, pushNext: () => Promise<string>): Promise<void> {
  const uncached: SharedAnswers = {
    get: async (_query, _maxAgeMs, nowMs, compute) => ({ value: await compute(), fresh: true, computedAtMs: nowMs }),
  };
  const nowMs = Date.parse(at(rounds)) + 60_000;
  const reads = createReads(pool);
  const services = { sports: createSportsBoard(reads, uncached), reads };
  const call = { caller: null, audience: CUSTOMERS, nowMs, ip: '', body: undefined, services };
  const odds = { markets: ['h2h', 'spreads', 'totals'], include_unknown_competition: true, oddsFormat: 'decimal' };
  const oddsOf = () =>
    getSportOdds.handler({ ...call, params: { sport_key: 'nrl' }, query: { ...odds, maxAgeMinutes: 360 } } as never);
  const some = `${Math.ceil(matches / SPORTS.length)} matches of one sport`;
  await measureRead(`odds of ${some}`, 2, oddsOf);
  await measureRead(`odds of ${some} after a push of a book`, 2, oddsOf, pushNext);
  const movementsOf = () =>
    getOddsMovements.handler({
      ...call,
      params: { sport_key: 'nrl' },
      query: { market: 'h2h', min_delta: 0.01 },
    } as never);
  await measureRead('movements of a day, of one sport', 6, movementsOf);
  await measureRead('movements of a day, of one sport after a push of a book', null, movementsOf, pushNext);
  await measureRead(`arbitrage scan of ${matches} matches`, null, () =>
    sportsArb.handler({ ...call, params: {}, query: { maxAgeMinutes: 360, min_profit_pct: 0 } } as never),
  );
}

type Answer = () => Promise<{ readonly body: unknown } | object>;

/** `target`: the highest ratio that passes; null: none is set. `before`: not measured. */
async function measureRead(name: string, target: number | null, answer: Answer, before?: () => Promise<unknown>) {
  const [whole, text]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < rounds + WARM_UP; round++) {
    await before?.();
    let body: unknown;
    const ms = await millis(async () => {
      const reply = await answer();
      if (!('body' in reply)) throw new Error('expected a body');
      body = reply.body;
      bytes = JSON.stringify(body).length;
    });
    const alone = await millis(() => JSON.stringify(body));
    if (round >= WARM_UP) [whole, text].forEach((of, i) => void of.push(i === 0 ? ms : alone));
  }
  const ratio = median(whole.map((ms, i) => ms / text[i]!));
  const aim = target === null ? '' : ` (at most ${target})`;
  console.log(
    `${name}, ${BOOKS.length} books: ${median(whole).toFixed(0)} ms for ${bytes} bytes, JSON.stringify alone ${median(text).toFixed(1)} ms, ratio ${ratio.toFixed(1)}${aim}`,
  );
}

void bench();

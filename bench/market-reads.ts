// `market-reads`: movers, track-conditions, venues and markets: everything each does for one query, from the parameters
// to the bytes and their tag, against its own SQL statements alone, sent by hand. No target: the answers are large, and
// cached for a second. Rounds alternate; it makes and drops a database of its own. Run: DATABASE_URL=… node --import
// tsx bench/market-reads.ts [--rounds 20]
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import type { Endpoint } from '../src/api/kernel/endpoint/endpoint';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { taggerOf } from '../src/api/kernel/http/tag';
import { racingVenues } from '../src/api/operations/meetings/racing-venues';
import { trackConditions } from '../src/api/operations/meetings/track-conditions';
import { movers } from '../src/api/operations/movements/movers';
import { raceMarkets } from '../src/api/operations/prices/race-markets';
import type { FeedRunner } from '../src/domain/race/feed-race';
import { NO_FACTS } from '../src/domain/race/not-reported';
import { createQuoteStore } from '../src/store/polls/quotes';
import { createReads } from '../src/store/reads/reads';
import { createRegistryStore } from '../src/store/registry/registry';
import { NOW } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedRunner, raceSnapshot } from '../test/support/races/builders';
import { registryCondition } from '../test/support/races/registry';
import { createTestDatabase } from '../test/support/servers/database';
import { median, seeded } from './support/figures';

const RACES = 40;
const RUNNERS = 11;
const BOOKS = CUSTOMERS.compared.slice(0, 15);
const POLLS = 6;
const CALLS = 10;
const WARM_UPS = 5;

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '20' } } }).values.rounds);
const random = seeded(20261121);
const nowMs = Date.parse(NOW);

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    const raceId = await seedBoard(db.pool);
    await seedTracks(db.pool);
    await seedPast(db.pool);
    await db.pool.query('ANALYZE');
    console.log(
      `market-reads: ${RACES} races inside the hour x ${RUNNERS} runners x ${BOOKS.length} books, 60 days of results`,
    );
    const filters = { min_move_pct: 1, min_books: 3, include_unresolved: false, max_mins_to_jump: 60, limit: 200 };
    await measure(db.pool, movers, filters);
    await measure(db.pool, trackConditions, {});
    await measure(db.pool, racingVenues, {});
    await measure(db.pool, raceMarkets, { race_id: raceId });
  } finally {
    await db.drop();
  }
}

async function measure(pool: Pool, one: Endpoint, query: object): Promise<void> {
  const answer = operation(one, query, pool);
  const statements = await statementsOf(pool, one, query);
  const byHand = async () => {
    for (const statement of statements) await pool.query(statement);
  };
  for (let i = 0; i < WARM_UPS; i++) await Promise.all([answer(), byHand()]);
  const [whole, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    whole.push(await millis(answer));
    alone.push(await millis(byHand));
  }
  // Round by round, so that other work on the machine affects both alike.
  const ratio = median(whole.map((ms, round) => ms / alone[round]!));
  const bytes = (await answer()).length;
  console.log(
    `${one.operationId}: ${median(whole).toFixed(2)} ms for ${bytes} bytes, its ${statements.length} SQL statements alone ` +
      `${median(alone).toFixed(2)} ms, ratio ${ratio.toFixed(2)}`,
  );
}

function operation(one: Endpoint, query: object, pool: Pool): () => Promise<string> {
  const services = { reads: createReads(pool) } as never;
  const call = { caller: null, audience: CUSTOMERS, query, params: {}, body: undefined, nowMs, ip: '', services };
  const tagOf = taggerOf(one.ok.schema);
  return async () => {
    const reply = await one.handler(call as never);
    if (!('body' in reply)) throw new Error('expected a body');
    const json = JSON.stringify(reply.body);
    tagOf(json);
    return json;
  };
}

/** The statements that the operation sends to the database for this query. */
async function statementsOf(pool: Pool, one: Endpoint, query: object): Promise<readonly QueryConfig[]> {
  const sent: QueryConfig[] = [];
  const listening = {
    query(config: QueryConfig) {
      sent.push(config);
      return pool.query(config);
    },
  };
  await operation(one, query, listening as unknown as Pool)();
  return sent;
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await work();
  return (performance.now() - started) / CALLS;
}

/** Every book's prices drift a little from poll to poll. Returns a race in the middle of the hour. */
async function seedBoard(pool: Pool): Promise<string> {
  const quotes = createQuoteStore(pool);
  const ids: string[] = [];
  for (let race = 0; race < RACES; race++) {
    const startTime = new Date(nowMs + (race + 1) * 80_000).toISOString();
    const first = BOOKS.map((key) => [key, { runners: field(), at: polledAt(0) }] as const);
    const listed = { venue: `Track ${race % 8}`, raceNumber: 1 + Math.floor(race / 8), startTime };
    const { raceId } = await addRace(pool, listed, Object.fromEntries(first));
    ids.push(raceId);
    for (let poll = 1; poll < POLLS; poll++) {
      for (const bookmakerKey of BOOKS) {
        await quotes.savePoll({
          raceId,
          bookmakerKey,
          fence: { epoch: 1, attempt: 1 },
          observedAt: polledAt(poll),
          bookAt: null,
          snapshot: raceSnapshot({ runners: field() }),
          marketStateSource: false,
          startSource: false,
        });
      }
    }
  }
  return ids[RACES / 2]!;
}

const polledAt = (poll: number): string => new Date(nowMs - 10_000 - (POLLS - 1 - poll) * 90_000).toISOString();

function field(): FeedRunner[] {
  return Array.from({ length: RUNNERS }, (_, i) => {
    const win = Math.round((2 + i * 1.5) * (0.9 + random() * 0.2) * 100) / 100;
    return feedRunner(i + 1, { win, place: 1 + win / 5, top2: 1 + win / 3, top3: 1 + win / 4, top4: 1 + win / 6 });
  });
}

/** Thirty official tracks that changed three times, and ten meetings where a book reported a change. */
async function seedTracks(pool: Pool): Promise<void> {
  const registry = createRegistryStore(pool);
  for (const [hour, rating] of ['Good 4', 'Soft 5', 'Soft 6', 'Soft 5'].entries()) {
    const rows = Array.from({ length: 30 }, (_, i) =>
      registryCondition({ venue: `Track ${i}`, trackCondition: rating }),
    );
    await registry.saveTracks('VIC', rows, new Date(nowMs - (8 - hour) * 3_600_000).toISOString());
  }
  for (let i = 0; i < 10; i++) {
    const facts = { ...NO_FACTS, trackCondition: 'Good', weather: 'Fine' };
    const listed = { venue: `Dogs ${i}`, category: 'greyhound', startTime: '2026-11-21T09:00:00.000Z' } as const;
    const { raceId } = await addRace(pool, listed, { tab: { facts } });
    await pool.query(
      `INSERT INTO track_condition_changes (race_id, observed_at, source, category, track_condition, weather, prev_track_condition)
       VALUES ($1, $2, 'tab', 'greyhound', 'Slow', 'Showers', 'Good')`,
      [raceId, NOW],
    );
  }
}

/** About 600 races a day, as rows only: the venue directory is counted from them. */
async function seedPast(pool: Pool): Promise<void> {
  await pool.query(`
    INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country,
           start_time, left_board_at, first_seen_at, updated_at)
    SELECT gen_random_uuid(), day::date, code, 'Venue ' || v, 'venue-' || v, 'Venue ' || v, 'venue-' || v, number, 'AU',
           day + number * interval '25 minutes', day + interval '10 hours', day, day
      FROM generate_series(timestamptz '2026-08-22', '2026-11-20', '1 day') day, unnest(ARRAY['horse', 'harness', 'greyhound']) code,
           generate_series(0, 22) i, generate_series(1, 9) number,
           LATERAL (SELECT (i * 17 + extract(day FROM day)::int * 31 + length(code)) % 400 AS v) q
        ON CONFLICT DO NOTHING`);
  await pool.query(`
    INSERT INTO race_results (race_id, status, placings_key, placings_since, field_status, updated_at)
    SELECT race_id, 'final', '', start_time, 'unsupported', start_time FROM races WHERE left_board_at IS NOT NULL`);
  await pool.query(`
    INSERT INTO venue_spellings SELECT DISTINCT venue_id, prefix || venue, category, country, first_seen_at, first_seen_at
      FROM races, unnest(ARRAY['', 'TAB ', 'X ']) prefix ON CONFLICT DO NOTHING`);
}

void bench();

// `clv`: 200 bets over 150 races of a week (11 runners x 15 books, some twenty captured prices each), from the body as
// sent to the bytes of the answer, against its own SQL statements sent by hand and JSON.stringify of the same answer.
// Target: ratio at most 2. Rounds alternate; it makes and drops a database of its own. Run: DATABASE_URL=… node
// --import tsx bench/clv.ts [--rounds 20]
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { raceClv } from '../src/api/operations/clv/race-clv';
import { createReads } from '../src/store/reads/reads';
import { createTestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';

const RACES = 150;
const BETS = 200;
const RUNNERS = 11;
const TICKS = 20;
const BOOKS = CUSTOMERS.compared.slice(0, 15);
const TARGET = 2;
const WARM_UPS = 6;
const FIRST = '2026-11-14T02:00:00Z';
const nowMs = Date.parse('2026-11-21T03:00:00Z');

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '20' } } }).values.rounds);

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    await seed(db.pool);
    await measure(db.pool, await betsOn(db.pool));
  } finally {
    await db.drop();
  }
}

async function measure(pool: Pool, sent: string): Promise<void> {
  const whole = () => answer(pool, sent);
  const statements = await statementsOf(pool, sent);
  const reply = await whole();
  const byHand = async () => {
    for (const statement of statements) await pool.query(statement);
    return JSON.stringify(reply);
  };
  for (let i = 0; i < WARM_UPS; i++) {
    await whole();
    await byHand();
  }
  const [ours, hand]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await millis(async () => JSON.stringify(await whole())));
    hand.push(await millis(byHand));
  }
  // Round by round, so that other work on the machine affects both alike.
  const ratio = median(ours.map((ms, round) => ms / hand[round]!));
  const { scored, settled } = reply.summary;
  console.log(
    `clv: ${BETS} bets over ${RACES} races, ${scored} scored, ${settled} settled, ${statements.length} statements`,
  );
  console.log(
    `clv: ${median(ours).toFixed(1)} ms for ${JSON.stringify(reply).length} bytes, SQL by hand and JSON ${median(hand).toFixed(1)} ms, ` +
      `ratio ${ratio.toFixed(2)}, target ${TARGET}: ${ratio <= TARGET ? 'met' : 'missed'}`,
  );
}

type Reply = { readonly summary: { readonly scored: number; readonly settled: number } };

async function answer(pool: Pool, sent: string): Promise<Reply> {
  const services = { reads: createReads(pool) };
  const body = JSON.parse(sent);
  const call = { rights: {}, audience: CUSTOMERS, query: {}, params: {}, body, nowMs, services };
  const reply = await raceClv.handler(call as never);
  if (!('body' in reply)) throw new Error('expected a body');
  return reply.body as Reply;
}

/** The statements that it sends to the database for these bets. */
async function statementsOf(pool: Pool, sent: string): Promise<readonly QueryConfig[]> {
  const statements: QueryConfig[] = [];
  const listening = {
    query(config: QueryConfig) {
      statements.push(config);
      return pool.query(config);
    },
  };
  await answer(listening as unknown as Pool, sent);
  return statements;
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Half of them by id, half by name; every third names its book. */
async function betsOn(pool: Pool): Promise<string> {
  const { rows } = await pool.query('SELECT race_id, venue, meeting_date, race_number FROM races ORDER BY start_time');
  const bets = Array.from({ length: BETS }, (_, i) => {
    const { race_id, ...named } = rows[i % RACES];
    const own = i % 3 === 0 && { bookmaker: BOOKS[i % BOOKS.length] };
    return {
      ...(i % 2 === 0 ? { race_id } : named),
      ...own,
      runner_number: 1 + (i % RUNNERS),
      price: 2 + (i % 40) / 4,
    };
  });
  return JSON.stringify({ bets });
}

/** As rows only: 22 races a day that closed 40 s after their start, moved every three minutes and are final. */
async function seed(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country, start_time,
            market_status, market_closed_at, market_state_source, jumped_at, left_board_at, first_seen_at, updated_at)
     SELECT gen_random_uuid(), (s AT TIME ZONE 'Australia/Sydney')::date, 'horse', 'Track ' || i % 3, 'track-' || i % 3, 'Track ' || i % 3,
            'track-' || i % 3, 1 + i % 22 / 3, 'AU', s, 'CLOSED', s + interval '40 s', 'pointsbetau', s + interval '40 s',
            s + interval '11 min', s, s
       FROM generate_series(0, $1 - 1) i, LATERAL (
         SELECT $2::timestamptz + i / 22 * interval '1 day' + i % 22 * interval '12 min' AS s) at
         ON CONFLICT DO NOTHING`,
    [RACES, FIRST],
  );
  await pool.query(
    `INSERT INTO race_runners (race_id, number, name, runner_key, runner_ref, updated_at)
     SELECT race_id, n, 'Runner ' || n, 'runner' || n, 'ra:' || n, start_time FROM races, generate_series(1, $1) n`,
    [RUNNERS],
  );
  await pool.query(
    `INSERT INTO race_books (race_id, bookmaker_key, source_race_id, polled_at, offered_at, numbers, runner_keys, win, win_changed_at)
     SELECT race_id, k, k || race_id, start_time + interval '45 s', start_time + interval '35 s', array_agg(n ORDER BY n),
            array_agg('runner' || n ORDER BY n), array_agg(NULL::float8), array_agg(start_time + interval '43 s')
       FROM races, unnest($1::text[]) k, generate_series(1, $2) n GROUP BY race_id, k`,
    [BOOKS, RUNNERS],
  );
  await pool.query(
    `INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price)
     SELECT start_time - t * interval '170 s' - b * interval '1 s', race_id, k, n, 'runner' || n, t * 170 + b, 2 + n + t * b % 7 / 10.0
       FROM races, unnest($1::text[]) WITH ORDINALITY q (k, b), generate_series(1, $2) n, generate_series(0, $3) t`,
    [BOOKS, RUNNERS, TICKS],
  );
  await pool.query(
    `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, resulted_at, updated_at)
     SELECT race_id, 'final', (SELECT json_agg(json_build_object('position', p, 'number', p, 'name', 'Runner ' || p, 'win_price', 3,
            'place_price', 1.5)) FROM generate_series(1, 4) p), '1,2,3,4', start_time, 'pending', start_time, start_time FROM races`,
  );
  await pool.query('ANALYZE');
}

void bench();

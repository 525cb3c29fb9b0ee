// `results`: a page of 200 full rows, the handler and its written response (body, bytes, tag) without HTTP, against the
// reference: the very statement that the handler sends, with its name and values, through the same pool and parsers,
// and the bytes of its rows as JSON. The reference changes no row and makes no tag. Then the same page with seven
// stored days and with ninety, first page and last. Rounds alternate between everything measured; it makes and drops
// databases of its own. Shows the plan's scans after the server has switched to its generic plan. Run: DATABASE_URL=…
// node --import tsx bench/results.ts [--rounds 25]
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { prepareResponse } from '../src/api/kernel/http/response/prepared';
import { taggerOf } from '../src/api/kernel/http/tag';
import { raceResults } from '../src/api/operations/results/race-results';
import { createStores } from '../src/store/create-stores';
import { createReads } from '../src/store/reads/reads';
import { RESULTS } from '../src/store/reads/results/results';
import { NOW } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedField, feedResult, resultRunner } from '../test/support/races/builders';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';

const RACES_A_DAY = 320;
const RUNNERS = 11;
const WEEK = 7 * RACES_A_DAY;
const PAGE = 200;
const LAST = Math.floor((WEEK - 1) / PAGE) * PAGE;
const CALLS = 4;
const WARM_UPS = 5;
const nowMs = Date.parse(NOW);

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '25' } } }).values.rounds);
const print = (...columns: string[]): void => console.log(columns[0]!.padEnd(44), columns.slice(1).join(', '));

async function bench(): Promise<void> {
  const week = await databaseOf(7);
  const quarter = await databaseOf(90);
  try {
    const first = operation(week.pool, 0);
    const works = {
      first,
      byHand: await byHand(week.pool, 0),
      firstOf90: operation(quarter.pool, 0),
      last: operation(week.pool, LAST),
      lastOf90: operation(quarter.pool, LAST),
    };
    const took = await alternating(works);
    const bytes = (await first()).length;
    print(
      `results, a page of ${PAGE} (${bytes} bytes)`,
      ...judged(took.first, took.byHand, 'SQL and JSON by hand', 1.5),
    );
    print(`  the same with 90 days stored`, ...judged(took.firstOf90, took.first, 'seven days', 1.15));
    print(`  the last page (offset ${LAST}), 90 days`, ...judged(took.lastOf90, took.last, 'seven days', 1.15));
    console.log(await scans(quarter.pool));
  } finally {
    await week.drop();
    await quarter.drop();
  }
}

function judged(took: readonly number[], reference: readonly number[], name: string, target: number): string[] {
  // Round by round, so that other work on the machine affects both alike.
  const ratio = median(took.map((ms, round) => ms / reference[round]!));
  const own = median(took).toFixed(1);
  const other = median(reference).toFixed(1);
  return [
    `${own} ms`,
    `${name} ${other} ms`,
    `ratio ${ratio.toFixed(2)}`,
    `target ${target} ${ratio <= target ? 'met' : 'MISSED'}`,
  ];
}

const query = (offset: number) => ({ hours_back: 168, limit: PAGE, offset });

function operation(pool: Pool, offset: number): () => Promise<Buffer> {
  const services = { reads: createReads(pool) } as never;
  const call = {
    caller: null,
    audience: CUSTOMERS,
    query: query(offset),
    params: {},
    body: undefined,
    nowMs,
    ip: '',
    services,
  };
  const tagOf = taggerOf(raceResults.ok.schema);
  return async () => prepareResponse(await raceResults.handler(call as never), tagOf).bytes;
}

/** The operation's own statement with its own values. */
async function byHand(pool: Pool, offset: number): Promise<() => Promise<Buffer>> {
  const sent: QueryConfig[] = [];
  const listening = {
    query(config: QueryConfig) {
      sent.push(config);
      return pool.query(config);
    },
  };
  await operation(listening as unknown as Pool, offset)();
  return async () => {
    const answers = await Promise.all(sent.map((statement) => pool.query(statement)));
    return Buffer.from(JSON.stringify(answers[0]!.rows));
  };
}

async function alternating<K extends string>(works: Record<K, () => Promise<unknown>>): Promise<Record<K, number[]>> {
  const entries = Object.entries(works) as [K, () => Promise<unknown>][];
  for (const [, work] of entries) for (let i = 0; i < WARM_UPS; i++) await work();
  const took = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    // In both directions, so that garbage of one measurement is not always collected in the same next one.
    for (const [name, work] of round % 2 === 0 ? entries : [...entries].reverse()) {
      const started = performance.now();
      for (let i = 0; i < CALLS; i++) await work();
      took[name].push((performance.now() - started) / CALLS);
    }
  }
  return took;
}

/** One result written by the real stores, and copies of it: 320 races a day, three in four with their full field. */
async function databaseOf(days: number): Promise<TestDatabase> {
  const db = await createTestDatabase();
  const { results } = createStores(db.pool);
  const books = { ladbrokes_au: { runners: feedField(...Array.from({ length: RUNNERS }, (_, i) => 2 + i)) } };
  const { raceId } = await addRace(db.pool, { trackCondition: 'Good (4)' }, books);
  const field = Array.from({ length: RUNNERS }, (_, i) => i + 1);
  const placings = field.slice(0, 4).map((number) => ({ position: number, number, name: `Runner ${number}` }));
  const straight = placings.map(
    ({ number }) => ({ market: 'PLC', product: 'VIC', number, amount: 1.5 + number }) as const,
  );
  const exotics = (['QN', 'EX', 'TF', 'FF'] as const).map((code) => ({
    code,
    product: 'VIC',
    selection: '1,2',
    amount: 9,
  }));
  const result = feedResult({ placings, straight, exotics });
  await results.saveResult({ raceId, source: 'ladbrokes_au', result, at: NOW });
  const runners = field.map((number) =>
    resultRunner(number, { sp: 2 + number, jockey: 'A Rider', trainer: 'B Trainer' }),
  );
  await results.fillField(raceId, runners, 'racing_australia', NOW);
  await db.pool.query(COPY, [raceId, days * RACES_A_DAY, new Date(nowMs).toISOString(), RACES_A_DAY]);
  await db.pool.query('VACUUM ANALYZE');
  return db;
}

const COPY = `
  WITH copies AS (
    SELECT i, gen_random_uuid() AS id, $3::timestamptz - i * interval '1 day' / $4::integer AS at
      FROM generate_series(1, $2::integer) i
  ), placed AS (
    INSERT INTO races
    SELECT (jsonb_populate_record(r, jsonb_build_object('race_id', c.id, 'start_time', c.at, 'race_number', 2 + i % 30000,
            'meeting_date', (c.at AT TIME ZONE 'Australia/Sydney')::date, 'venue', 'Track ' || i % 40))).*
      FROM races r, copies c WHERE r.race_id = $1
    RETURNING race_id, start_time)
  INSERT INTO race_results
  SELECT (jsonb_populate_record(x, jsonb_build_object('race_id', p.race_id, 'resulted_at', p.start_time + interval '5 minutes')
          || CASE WHEN abs(hashtext(p.race_id::text)) % 4 = 0
             THEN '{"runners": null, "field_status": "pending"}' ELSE '{}'::jsonb END)).*
    FROM race_results x, placed p WHERE x.race_id = $1`;

async function scans(pool: Pool): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    const types = 'text[], text[], text[], text, bigint, bigint, timestamptz, timestamptz';
    await client.query(`PREPARE page (${types}) AS ${RESULTS.text}`);
    const from = new Date(nowMs - 168 * 3_600_000).toISOString();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE page (null, null, null, null, ${PAGE}, ${LAST}, '${from}', '2026-11-28')`,
    );
    const lines = rows.map((row) => row['QUERY PLAN']);
    return lines.filter((line) => /Scan|Sort|Loop|Execution/.test(line)).join('\n');
  } finally {
    client.release(true);
  }
}

void bench();

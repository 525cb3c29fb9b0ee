// `form`: one race of 12 runners, the handler and its written response (body, bytes, tag) without HTTP, against the
// reference: the very statements that the handler sends, one after the other, through the same pool and parsers, and
// their rows unused (target: at most 1.5). Then 60 days of stored results against 120 (target: at most 1.2). 320 races
// a day, ten runners each, every animal out every third day: more runs than are ever read. Rounds alternate; it makes
// and drops databases. Run: DATABASE_URL=… node --import tsx bench/form.ts [--rounds 40] [--explain]
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { prepareResponse } from '../src/api/kernel/http/response/prepared';
import { taggerOf } from '../src/api/kernel/http/tag';
import { raceForm } from '../src/api/operations/results/race-form';
import { createReads } from '../src/store/reads/reads';
import { NOW } from '../test/support/api/api';
import { createTestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';

const CALLS = 5;
const WARM_UPS = 20;
const nowMs = Date.parse(NOW);

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, explain: { type: 'boolean', default: false } },
});

async function bench(): Promise<void> {
  const short = await createTestDatabase();
  const long = await createTestDatabase();
  try {
    const race = await seed(short.pool, 60);
    const same = await seed(long.pool, 120);
    if (options.explain) await explain(short.pool, race);
    for (const runs of [6, 20]) {
      const whole = operation(short.pool, race, runs);
      const older = operation(long.pool, same, runs);
      const statements = await statementsOf(short.pool, race, runs);
      const alone = async () => {
        for (const statement of statements) await short.pool.query(statement);
      };
      const times = await alternating([whole, alone, older]);
      const bytes = (await whole()).length;
      const name = `form, 12 runners, runs=${runs} (${bytes} bytes)`;
      print(name, times[0]!, `its ${statements.length} SQL statements alone`, times[1]!, 1.5);
      print(`${name}, 120 days stored`, times[2]!, '60 days stored', times[0]!, 1.2);
    }
  } finally {
    await short.drop();
    await long.drop();
  }
}

/** Round by round, so that other work on the machine affects all alike. */
async function alternating(works: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  for (let i = 0; i < WARM_UPS; i++) for (const work of works) await work();
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < Number(options.rounds); round++) {
    // In both directions, so that garbage of one measurement is not always collected in the same next one.
    const order = round % 2 === 0 ? [...works.entries()] : [...works.entries()].reverse();
    for (const [i, work] of order) {
      const started = performance.now();
      for (let call = 0; call < CALLS; call++) await work();
      times[i]!.push((performance.now() - started) / CALLS);
    }
  }
  return times;
}

function print(name: string, own: number[], reference: string, other: number[], target: number): void {
  const ratio = median(own.map((ms, round) => ms / other[round]!));
  console.log(
    `${name}: ${median(own).toFixed(2)} ms, ${reference} ${median(other).toFixed(2)} ms, ratio ${ratio.toFixed(2)}, target ${target}`,
  );
}

function operation(pool: Pool, raceId: string, runs: number): () => Promise<Buffer> {
  const services = { reads: createReads(pool) } as never;
  const query = { race_id: raceId, runs };
  const call = { audience: CUSTOMERS, query, params: {}, body: undefined, nowMs, services };
  const tagOf = taggerOf(raceForm.ok.schema);
  return async () => prepareResponse(await raceForm.handler(call as never), tagOf).bytes;
}

async function statementsOf(pool: Pool, raceId: string, runs: number): Promise<readonly QueryConfig[]> {
  const sent: QueryConfig[] = [];
  const query = (config: QueryConfig) => {
    sent.push(config);
    return pool.query(config);
  };
  await operation({ query } as unknown as Pool, raceId, runs)();
  return sent;
}

async function explain(pool: Pool, raceId: string): Promise<void> {
  for (const { text, values } of await statementsOf(pool, raceId, 6)) {
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values);
    console.log(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
}

/** The past days, and one future race whose runners all ran in the past. Returns its id. */
async function seed(pool: Pool, days: number): Promise<string> {
  await pool.query('ALTER TABLE race_runners DISABLE TRIGGER USER');
  await pool.query(RACES, [NOW, days]);
  await pool.query(CARDS);
  await pool.query(RESULTS);
  await pool.query(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country, start_time,
            first_seen_at, updated_at)
     VALUES (gen_random_uuid(), $1::timestamptz::date, 'horse', 'Next', 'next', 'Next', 'next', 99, 'AU', $1::timestamptz + interval '1 hour', $1, $1)`,
    [NOW],
  );
  const { rows } = await pool.query<{ race_id: string }>(
    `INSERT INTO race_runners (race_id, number, name, runner_key, updated_at)
     SELECT r.race_id, n, 'horse ' || n * 91, 'horse' || n * 91, $1 FROM races r, generate_series(1, 12) n
      WHERE r.race_number = 99 RETURNING race_id`,
    [NOW],
  );
  await pool.query('VACUUM ANALYZE');
  return rows[0]!.race_id;
}

/** 120 thoroughbred, 100 harness and 100 greyhound races a day, ten to a track, every third day at the same tracks. */
const RACES = `
  INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country, start_time,
         distance_m, track_condition, race_name, race_class, left_board_at, first_seen_at, updated_at)
  SELECT gen_random_uuid(), day::date, category, site, site, site, site, 1 + i % 10, 'AU', day + (i % 10) * interval '30 minutes',
         1200 + i, 'Good (4)', 'Race ' || i, 'BenchMark 64', day, day, day
    FROM generate_series($1::timestamptz - $2::int * interval '1 day', $1::timestamptz - interval '1 day', '1 day') day,
         (VALUES ('horse', 120), ('harness', 100), ('greyhound', 100)) AS code (category, races),
         generate_series(0, races - 1) i, LATERAL (SELECT category || ' track ' || i / 10 AS site) s`;

/** A third of a code's animals run each day, in other company each time. */
const CARDS = `
  INSERT INTO race_runners (race_id, number, name, runner_key, barrier, jockey, trainer, weight_kg, updated_at)
  SELECT r.race_id, n, r.category || ' ' || k, r.category || k, n, 'J. Rider ' || n, 'T. Trainer ' || n, 54 + n / 2.0, r.updated_at
    FROM races r, generate_series(1, 10) n,
         LATERAL (SELECT r.meeting_date - date '2026-01-01' AS day, CASE r.category WHEN 'horse' THEN 1200 ELSE 1000 END AS size,
                         (regexp_match(r.venue, '[0-9]+$'))[1]::int * 100 + (r.race_number - 1) * 10 + n - 1 AS place) p,
         LATERAL (SELECT (day % 3) * size + (place * 7 + day * 13) % size AS k) q`;

/** The full field, except for harness. */
const RESULTS = `
  INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, runners, field_status, updated_at)
  SELECT r.race_id, 'final',
         jsonb_agg(jsonb_build_object('position', u.number, 'number', u.number, 'name', u.name, 'win_price', 5.5, 'place_price', 2.1)
                   ORDER BY u.number) FILTER (WHERE u.number <= 4), '1:1|2:2|3:3|4:4', r.start_time,
         CASE WHEN r.category <> 'harness' THEN jsonb_agg(jsonb_build_object('number', u.number, 'name', u.name, 'box', u.barrier, 'position', u.number,
           'status', 'ran', 'dead_heat', false, 'jockey', u.jockey, 'trainer', u.trainer, 'sp', 4.5 + u.number, 'sp_note', null, 'margin', '0.75L',
           'time_s', null, 'abnormal', null, 'runner_ref', null, 'origin', 'registry') ORDER BY u.number) END,
         CASE WHEN r.category <> 'harness' THEN 'complete' ELSE 'unsupported' END, r.start_time
    FROM races r JOIN race_runners u USING (race_id) GROUP BY r.race_id`;

void bench();

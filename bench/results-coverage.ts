// `results/coverage` of 30 days: the handler and its written response (body, bytes, tag) without HTTP, against the
// reference: its own statement through the same pool and parsers, and the bytes of their rows as JSON. Besides the
// time, how long each blocks the event loop, which delays every other caller. Rounds alternate; it makes and drops a
// database of its own. Run: DATABASE_URL=… node --import tsx bench/results-coverage.ts [--rounds 25]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { prepareResponse } from '../src/api/kernel/http/response/prepared';
import { taggerOf } from '../src/api/kernel/http/tag';
import { resultsCoverage } from '../src/api/operations/results/results-coverage';
import { createStores } from '../src/store/create-stores';
import { createReads } from '../src/store/reads/reads';
import { COVERAGE } from '../src/store/reads/results/coverage';
import { NOW } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedResult, resultRunner } from '../test/support/races/builders';
import { createTestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';

const RACES_A_DAY = 320;
const DAYS = 30;
const CALLS = 4;
const WARM_UPS = 5;

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '25' } } }).values.rounds);

interface Took {
  readonly ms: number;
  /** The part of them in which the event loop was busy. */
  readonly busyMs: number;
}

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    await seed(db.pool);
    const works = [operation(db.pool), byHand(db.pool)];
    for (let i = 0; i < WARM_UPS; i++) for (const work of works) await work();
    const took: [Took[], Took[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) took[which]!.push(await timed(works[which]!));
    }
    console.log(`results/coverage, ${DAYS} days of ${RACES_A_DAY} races, ms; reference: its SQL by hand, and JSON`);
    for (const [name, figure, target] of [
      ['whole', 'ms', 1.5],
      ['event loop busy', 'busyMs', 2],
    ] as const) {
      const [own, other] = took.map((each) => median(each.map((one) => one[figure]))) as [number, number];
      const ratio = median(took[0].map((one, round) => one[figure] / took[1][round]![figure]));
      const verdict = `target ${target} ${ratio <= target ? 'met' : 'MISSED'}`;
      console.log(`${name}: ${own.toFixed(1)}, ${other.toFixed(1)}, ratio ${ratio.toFixed(2)}, ${verdict}`);
    }
  } finally {
    await db.drop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const before = performance.eventLoopUtilization();
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await work();
  const ms = (performance.now() - started) / CALLS;
  return { ms, busyMs: performance.eventLoopUtilization(before).active / CALLS };
}

function operation(pool: Pool): () => Promise<unknown> {
  const services = { reads: createReads(pool) } as never;
  const call = { audience: CUSTOMERS, query: { days: DAYS }, nowMs: Date.parse(NOW), services };
  const tagOf = taggerOf(resultsCoverage.ok.schema);
  return async () => prepareResponse(await resultsCoverage.handler(call as never), tagOf).bytes;
}

const byHand = (pool: Pool) => async () =>
  Buffer.from(JSON.stringify((await pool.query({ ...COVERAGE, values: ['2026-10-23', '2026-11-21'] })).rows));

/**
 * One result written by the real stores, and copies of it: eight races a meeting, of every code, one field in six still
 * awaited or lost.
 */
async function seed(pool: Pool): Promise<void> {
  const { results } = createStores(pool);
  const { raceId } = await addRace(pool, {}, { tab: {} });
  await results.saveResult({ raceId, source: 'tab', result: feedResult(), at: NOW });
  const field = Array.from({ length: 11 }, (_, i) => resultRunner(i + 1));
  await results.fillField(raceId, field, 'racing_australia', NOW);
  await pool.query(COPY, [raceId, DAYS * RACES_A_DAY, NOW, RACES_A_DAY]);
  await pool.query('VACUUM ANALYZE');
}

const COPY = `
  WITH copies AS (
    SELECT i, i % ($4::integer / 8) AS track, gen_random_uuid() AS id, $3::timestamptz - i * interval '1 day' / $4::integer AS at
      FROM generate_series(1, $2::integer) i
  ), placed AS (
    INSERT INTO races
    SELECT (jsonb_populate_record(r, jsonb_build_object('race_id', c.id, 'start_time', c.at, 'race_number', 2 + i % 30000,
            'meeting_date', (c.at AT TIME ZONE 'Australia/Sydney')::date, 'venue', 'Track ' || track, 'venue_id', 'track-' || track,
            'category', (ARRAY['horse', 'greyhound', 'greyhound', 'harness'])[1 + track % 4]))).*
      FROM races r, copies c WHERE r.race_id = $1
    RETURNING race_id, start_time, category)
  INSERT INTO race_results
  SELECT (jsonb_populate_record(x, jsonb_build_object('race_id', p.race_id, 'status', 'final', 'field_last_pass_at', p.start_time + interval '1 day')
          || CASE WHEN category = 'harness' OR abs(hashtext(p.race_id::text)) % 6 = 0
             THEN '{"runners": null, "field_status": "pending"}' ELSE '{}'::jsonb END)).*
    FROM race_results x, placed p WHERE x.race_id = $1`;

void bench();

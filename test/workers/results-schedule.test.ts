// Full fields through the whole server: simulated registries over HTTP, Schedule, workflows, activities, rows; while
// the races' own workflows live, and after they are gone.

import { loadConfig } from '../../src/config';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createRacingAustraliaResults } from '../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../src/feeds/racing-australia/site';
import { createTopaz } from '../../src/feeds/topaz/fetch';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import { ensureSchedules, runFirstReadings } from '../../src/workers/schedules/ensure';
import { raceState, raceWorkflowId } from '../../src/workflows/contract';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../activities/lab';
import { PATIENT_MS } from '../support/patient';
import { raceClockAt } from '../support/races/race-clock';
import { waitFor } from '../support/servers/service';
import { runWorkers } from './run-workers';

const SCRIPT = [
  { startMs: NOON + 20 * MINUTE, venue: 'Flemington', runners: 9, order: [4, 2, 7, 1] },
  { startMs: NOON + 60 * MINUTE, venue: 'Flemington', runners: 8, deadHeat: 2 },
  { startMs: NOON + 30 * MINUTE, venue: 'The Meadows', category: 'greyhound' },
  { startMs: NOON + 40 * MINUTE, venue: 'Wentworth Park', category: 'greyhound' },
] as const;

/** Two hours of racing are months of wall time: the schedule's next run is not due during this test. */
const SLOW = { anchorMs: 0, speed: 1e-3 };

let lab: ActivityLab;
let simulator: Simulator;
let stop: () => Promise<void>;
beforeAll(async () => {
  lab = await openLab(SCRIPT);
  const { now } = lab.deps;
  simulator = createSimulator({ seed: 'test', now, races: SCRIPT });
  // A document that does not arrive in time is left for the next run.
  const config = loadConfig({ SIMULATOR_URL: await simulator.listen(0), FEED_TIMEOUT_MS: '60000' });
  const wait = async () => undefined;
  Object.assign(lab.deps, {
    resultsRegistries: [
      createRacingAustraliaResults(createRegistrySite({ endpoint: config.registry!, now, wait })),
      createTopaz({ endpoint: config.topaz!, now, wait }),
    ],
  });
});
afterAll(async () => {
  await stop?.();
  await simulator?.close();
  await lab?.close();
});

interface Row {
  readonly venue_id: string;
  readonly race_number: number;
  readonly race_id: string;
  readonly field_status: string;
  readonly field_source: string;
  readonly field_note: string | null;
  readonly runners: { readonly number: number; readonly position: number | null; readonly status: string }[] | null;
  readonly placings: { readonly number: number; readonly position: number }[];
}

const rows = () =>
  lab.query<Row>(
    `SELECT r.venue_id, r.race_number, race_id, x.field_status, x.field_source, x.field_note, x.runners, x.placings
       FROM races r JOIN race_results x USING (race_id) ORDER BY r.start_time`,
  );

/** Brings every race to its result, as books report it, without workflows. */
async function runTheDay(): Promise<void> {
  await lab.run('discover', [{ days: 2 }]);
  const races = await lab.query<{ raceId: string; start: string }>(
    'SELECT race_id AS "raceId", start_time AS start FROM races ORDER BY start_time',
  );
  for (const { raceId, start } of races) {
    const control = { do: 'set_control', epoch: 1, tier: 'none', advertisedStart: start, closed: true } as const;
    const phase = { do: 'save_phase', phase: 'jumped', jumpedAt: start, leftBoardAt: null } as const;
    await lab.run('carryOut', [{ raceId, effects: [control, phase] }]);
    lab.clock.nowMs = Date.parse(start) + 15 * MINUTE;
    await lab.run('awaitResult', [{ raceId, jumpedAt: start, known: null }]);
  }
}

test('a scheduled run stores fields as each registry publishes them, in agreement with our placings, and signals workflows', async () => {
  await runTheDay();
  const before = await rows();
  expect(before.map(({ field_status }) => field_status)).toEqual(['pending', 'pending', 'pending', 'pending']);
  // On the next day, when everything is published; workflows follow the races again, and the Schedule makes its first
  // run.
  lab.clock.nowMs = NOON + 18 * HOUR;
  Object.assign(lab.deps, { clock: raceClockAt(lab.clock.nowMs, 2) });
  stop = await runWorkers(lab);
  await lab.run('startRaces', []);
  await ensureSchedules(lab.temporal.client, SLOW);
  await runFirstReadings(lab.temporal.client);
  await waitFor(async () => (await rows()).every(({ field_status }) => field_status === 'complete'), PATIENT_MS);
  const after = await rows();
  expect(after.map(({ field_source, field_note }) => [field_source, field_note])).toEqual(
    before.map(({ venue_id }) => [venue_id === 'flemington' ? 'racing_australia' : 'topaz', null]),
  );
  for (const { runners, placings } of after) {
    for (const { number, position } of placings)
      expect(runners).toContainEqual(expect.objectContaining({ number, position, status: 'ran' }));
  }
  expect(after[0]!.runners).toHaveLength(9);
  const { client } = lab.temporal;
  await waitFor(async () => {
    const states = await Promise.all(
      after.map(({ race_id }) =>
        client.workflow
          .getHandle(raceWorkflowId(race_id))
          .query(raceState)
          .catch(() => null),
      ),
    );
    return states.every((state) => state?.field?.status === 'complete');
  }, PATIENT_MS);
}, 600_000);

test('the wins of the stored runs are those of the registries, under their ids', async () => {
  await lab.run('fillRuns', []);
  const winnersOf = (of: Row): number[] =>
    of.runners!.flatMap(({ number, position }) => (position === 1 ? [number] : [])).sort((a, b) => a - b);
  const won = await lab.query<{ id: string; winners: number[] }>(
    `SELECT race_id AS id, array_agg(number::int ORDER BY number) AS winners FROM stored_runs WHERE position = 1 AND race_id IS NOT NULL GROUP BY race_id`,
  );
  const byRace = new Map(won.map(({ id, winners }) => [id, winners]));
  expect(byRace).toEqual(new Map((await rows()).map((row) => [row.race_id, winnersOf(row)])));
  const refs = await lab.query<{ category: string; refs: string[] }>(
    `SELECT category, array_agg(DISTINCT split_part(runner_ref, ':', 1)) AS refs FROM stored_runs WHERE status = 'ran' GROUP BY category ORDER BY category`,
  );
  expect(refs).toEqual([
    { category: 'greyhound', refs: ['grv'] },
    { category: 'horse', refs: ['ra'] },
  ]);
});

test('the schedule: every two hours, one run at a time, a missed run made up for once', async () => {
  const schedule = lab.temporal.client.schedule.getHandle('collect-results');
  expect((await schedule.describe()).info.numActionsTaken).toBe(1);
  await ensureSchedules(lab.temporal.client, REAL_TIME);
  const { spec, policies } = await schedule.describe();
  expect(spec.intervals).toEqual([expect.objectContaining({ every: 2 * HOUR })]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 2 * HOUR });
});

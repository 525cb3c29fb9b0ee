// World → Topaz and results pages → connectors → run store → the API's reads, compared with the world's own races, with
// a registry that refuses us in between.
import { collectHistory } from '../../../src/activities/runs/collect-history';
import { SIMULATED_TOPAZ_KEY } from '../../../src/config';
import { RESULTS_CONNECTOR } from '../../../src/domain/registry/connectors';
import { REGISTRY } from '../../../src/domain/registry/registry';
import { createRacingAustraliaResults } from '../../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import type { ResultsRegistry } from '../../../src/feeds/results-registry';
import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { createHistory, type PastRun } from '../../../src/simulator/registry/form/history';
import { createReads } from '../../../src/store/reads/reads';
import { PATIENT_MS } from '../../support/patient';
import { feedRunner, resultRunner } from '../../support/races/builders';
import { addPastRace } from '../../support/races/past-race';
import { type ActivityLab, openLab } from '../lab';

const NOW = Date.parse('2026-11-06T02:00:00.000Z');
/** Further back than the complete cards of the simulated registry. */
const BEGINS = '2026-10-22';

let lab: ActivityLab;
let simulator: Simulator;
let registries: ResultsRegistry[];
beforeAll(async () => {
  lab = await openLab([]);
  lab.clock.nowMs = NOW;
  const now = () => lab.clock.nowMs;
  simulator = createSimulator({ seed: 'past', now, intervalMinutes: 15 });
  const url = await simulator.listen(0);
  const at = (key: string) => {
    const settings = { api_key: SIMULATED_TOPAZ_KEY };
    const endpoint = {
      baseUrl: `${url}/${key}`,
      contact: 'ops@x.example',
      partner: 'x',
      timeoutMs: PATIENT_MS,
      settings,
    };
    return { endpoint, now, spacingMs: 0, wait: async () => undefined };
  };
  registries = [
    { ...createTopaz(at('topaz')), regions: ['VIC'], beginsOn: () => BEGINS },
    {
      ...createRacingAustraliaResults(createRegistrySite(at(REGISTRY))),
      regions: ['VIC'],
      beginsOn: () => '2026-10-28',
    },
  ];
});
afterAll(async () => {
  await simulator?.close();
  await lab?.close();
});

/** Counts the meetings that are read; from the `most`th on the site refuses us. */
function counted(registry: ResultsRegistry, most: number) {
  const keys: string[] = [];
  const meeting: ResultsRegistry['meeting'] = async (key, call, purpose) => {
    expect(purpose).toBe('history');
    if (keys.length === most) {
      const observedAt = new Date(NOW).toISOString();
      return { kind: 'failed', reason: 'blocked', detail: '', retryAfterMs: null, observedAt };
    }
    keys.push(key);
    return registry.meeting(key, call, purpose);
  };
  return { keys, registry: { ...registry, meeting } };
}
const pass = (...resultsRegistries: ResultsRegistry[]) =>
  collectHistory({ ...lab.deps, resultsRegistries }, () => undefined);

/** The runs of one category in Victoria, by animal, from races whose document is complete. */
function expected(category: 'horse' | 'greyhound', from: string): Map<string, PastRun[]> {
  const history = createHistory(simulator.world);
  const whole = new Set<number>();
  const runs = new Map<string, PastRun[]>();
  for (let ms = Date.parse(from); ms < Date.parse('2026-11-06'); ms += 86_400_000) {
    const day = new Date(ms).toISOString().slice(0, 10);
    for (const { races } of simulator.world.meetings(day))
      for (const { serial, story } of races) if (story.document.lacking === null) whole.add(serial);
    for (const race of history.racesOn(day, NOW)) {
      const { track } = race;
      if (track.category !== category || track.state !== 'VIC' || track.country !== 'AU' || !whole.has(race.serial))
        continue;
      for (const runner of race.field) runs.set(runner.name, [...(runs.get(runner.name) ?? []), { race, runner }]);
    }
  }
  return runs;
}

test('a refused pass is continued, no meeting is read twice, and every dog’s runs and wins are the world’s own', async () => {
  const [topaz] = registries as [ResultsRegistry, ResultsRegistry];
  const refused = counted(topaz, 5);
  expect(await pass(refused.registry)).toMatchObject({ failed: 1 });
  expect(refused.keys).toHaveLength(5);
  const rest = counted(topaz, 1000);
  await pass(rest.registry);
  const keys = [...refused.keys, ...rest.keys];
  expect(new Set(keys).size).toBe(keys.length);
  const again = counted(topaz, 1000);
  expect(await pass(again.registry)).toEqual({ read: 0, failed: 0, runs: 0 });

  const dogs = expected('greyhound', BEGINS);
  expect(dogs.size).toBeGreaterThan(100);
  const reads = createReads(lab.db.pool);
  let wins = 0;
  for (const [name, runs] of dogs) {
    const found = await reads.animalRuns('greyhound', { key: name.toLowerCase().replace(' ', '') });
    const own = found.filter(({ race_number, meeting_date }) =>
      runs.some(({ race }) => race.day === meeting_date && race.number === race_number),
    );
    expect(own.map(({ meeting_date, number, position, sp }) => ({ meeting_date, number, position, sp }))).toEqual(
      runs
        .reverse()
        .map(({ race, runner: { number, position, sp } }) => ({ meeting_date: race.day, number, position, sp })),
    );
    for (const { origin, result_id, race_id, collector } of own)
      expect([origin, result_id.slice(0, 11), race_id, collector]).toEqual(['history', 'hist:topaz:', null, 'topaz']);
    wins += own.filter(({ position }) => position === 1).length;
  }
  const winners = [...dogs.values()].flat().filter(({ runner }) => runner.position === 1).length;
  expect(wins).toBe(winners);
  const [measured] = await lab.query<Record<string, unknown>>(
    `SELECT count(*)::int AS runs, count(first_split_s)::int AS first, count(second_split_s) < count(*) AS few, count(weight_kg)::int AS weights,
            count(pir)::int AS pir, count(grade)::int AS grades
       FROM stored_runs WHERE category = 'greyhound' AND position IS NOT NULL`,
  );
  const all = measured!.runs as number;
  expect(measured).toEqual({ runs: all, first: all, few: true, weights: all, pir: all, grades: all });
});

test('a meeting is not read if the service has every field, but is if it was found late; horses have the page’s last 600 m and the meeting’s code', async () => {
  const [, racingAustralia] = registries as [ResultsRegistry, ResultsRegistry];
  const horses = expected('horse', '2026-10-28');
  const { race: followed } = [...horses.values()][0]![0]!;
  const late = [...horses.values()].flat().find(({ race }) => race.meetingSerial !== followed.meetingSerial)!.race;
  for (const [{ track, startMs }, raceNumber] of [[followed, 1] as const, [late, 2] as const])
    await addPastRace(lab.db.pool, {
      category: 'horse',
      venue: track.name,
      startTime: new Date(startMs).toISOString(),
      raceNumber,
      runners: [feedRunner(1)],
      field: [resultRunner(1)],
    });
  const { keys, registry } = counted(racingAustralia, 1000);
  await pass(registry);
  expect(keys.length).toBeGreaterThan(1);
  const rows = await lab.query<Record<string, unknown>>(
    `SELECT runner_key, meeting_date::text AS day, position, last_600m_s, weight_kg, runner_ref, result_id FROM stored_runs WHERE category = 'horse'`,
  );
  const elsewhere = [...horses.values()].flat().filter(({ race }) => race.meetingSerial !== followed.meetingSerial);
  expect(rows.filter(({ position }) => position === 1)).toHaveLength(
    elsewhere.filter(({ runner }) => runner.position === 1).length,
  );
  for (const { last_600m_s, runner_ref, weight_kg } of rows.filter(({ position }) => position !== null)) {
    expect(last_600m_s).toBeGreaterThan(33);
    expect(weight_kg).toBeGreaterThan(50);
    expect(runner_ref).toMatch(/^ra:\d+$/);
  }
  expect(await lab.query('SELECT connector FROM connector_health ORDER BY 1')).toEqual(
    Object.values(RESULTS_CONNECTOR)
      .sort()
      .map((connector) => ({ connector })),
  );
});

test('unreadable documents are tried four times each, and do not block others', async () => {
  const [topaz] = registries as [ResultsRegistry, ResultsRegistry];
  const keys: string[] = [];
  const damaged: ResultsRegistry = {
    ...topaz,
    regions: ['QLD', 'NSW', 'SA', 'WA'],
    beginsOn: () => '2026-11-03',
    meeting: async (key) => {
      keys.push(key);
      const observedAt = new Date(lab.clock.nowMs).toISOString();
      return { kind: 'failed', reason: 'malformed', detail: '', retryAfterMs: null, observedAt };
    },
  };
  let read = -1;
  while (keys.length > read) {
    read = keys.length;
    await pass(damaged);
    lab.clock.nowMs += 6 * 3600_000;
  }
  const times = Map.groupBy(keys, (key) => key);
  expect(times.size).toBeGreaterThan(3);
  expect([...times.values()].map((each) => each.length)).toEqual(Array(times.size).fill(4));
});

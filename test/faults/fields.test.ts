// Faults of a full field: runners missing, days late, behind a wall, after a protest, a dead heat, a postponement or a
// barrier scratching. The fields come over HTTP from the simulated thoroughbred registry, with its connector and the
// collector.
import { createResultsCollector, type ResultsCollector } from '../../src/activities/full-field/collector';
import { settleCoverage } from '../../src/activities/full-field/settle-coverage';
import { loadConfig } from '../../src/config';
import { createRacingAustraliaResults } from '../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../src/feeds/racing-australia/site';
import { PATIENT_MS } from '../support/patient';
import { BOOKS, type FaultLab, HOUR, MINUTE, NOON, openFaultLab } from './lab';

const RACE = { startMs: NOON + 25 * MINUTE, venue: 'Flemington', runners: 9, order: [4, 7, 2], distanceM: 1200 };
/** The registry's page is final by then. */
const EVENING = NOON + 7 * HOUR;
/** After the first pass, 19:00 UTC. */
const MORNING = NOON + 17.5 * HOUR;
const VIC = { source: 'racing_australia', region: 'VIC' } as const;

let lab: FaultLab;
let raceId: string;
let collector: ResultsCollector;

beforeEach(async () => {
  lab = await openFaultLab([RACE, { ...RACE, startMs: RACE.startMs + 40 * MINUTE, order: [1, 2, 3] }]);
  const { registry } = loadConfig({ SIMULATOR_URL: lab.deps.apiBaseUrl });
  const endpoint = { ...registry!, timeoutMs: PATIENT_MS };
  const site = createRegistrySite({ endpoint, now: lab.deps.now, wait: async () => undefined });
  Object.assign(lab.deps, { resultsRegistries: [createRacingAustraliaResults(site)] });
  collector = createResultsCollector(lab.deps);
  await lab.discover();
  raceId = await lab.raceId('flemington', 1);
  await lab.poll(raceId, ...BOOKS);
});
afterEach(() => lab.close());

const collect = (atMs: number) => {
  lab.clock.nowMs = atMs;
  return collector.region(VIC, () => undefined);
};
const settle = (atMs: number) => {
  lab.clock.nowMs = atMs;
  return settleCoverage(lab.deps, collector);
};
/** Polls the books' final results and last prices. */
async function resulted(): Promise<void> {
  lab.clock.nowMs = lab.simulator.worldOf('tab').meetings('2026-11-21')[0]!.races[0]!.story.finalMs + 20 * MINUTE;
  await lab.poll(raceId, ...BOOKS);
}

interface Row {
  readonly field_status: string;
  readonly field_note: string | null;
  readonly placings: { readonly number: number; readonly position: number }[];
  readonly runners:
    | {
        readonly number: number;
        readonly name: string;
        readonly position: number | null;
        readonly status: string;
        readonly abnormal: string | null;
      }[]
    | null;
}
const row = async () => (await lab.query<Row>('SELECT * FROM race_results WHERE race_id = $1', [raceId]))[0]!;
const first = async (positions: number) => {
  const { placings, runners } = await row();
  const of = (list: readonly { number: number; position: number | null }[]) =>
    list
      .filter(({ position }) => position !== null && position <= positions)
      .map(({ number, position }) => `${position}:${number}`)
      .sort();
  return { placings: of(placings), field: of(runners ?? []) };
};

test('without a fault the field is stored the same evening, in the order of our placings', async () => {
  await resulted();
  expect(await collect(EVENING)).toMatchObject({ filled: 1, refused: 0, failed: 0 });
  expect(await first(3)).toEqual({ placings: ['1:4', '2:7', '3:2'], field: ['1:4', '2:7', '3:2'] });
  // The site writes names in capitals.
  const card = await lab.query('SELECT number, name FROM race_runners WHERE race_id = $1 ORDER BY number', [raceId]);
  expect((await row()).runners!.map(({ number, name }) => ({ number, name }))).toEqual(card);
});

test('partial_field: not written while runners are missing, overdue meanwhile, complete a day later', async () => {
  await lab.on('partial_field');
  await resulted();
  expect(await collect(EVENING)).toMatchObject({ filled: 0 });
  await settle(MORNING);
  expect(await row()).toMatchObject({ field_status: 'overdue', runners: null });
  expect(await collect(MORNING + 24 * HOUR)).toMatchObject({ filled: 1 });
  expect((await row()).runners).toHaveLength(9);
});

test('published_late: overdue for three days, complete when the registry has it', async () => {
  await lab.on('published_late');
  await resulted();
  for (const days of [0, 1, 2]) {
    await collect(MORNING + days * 24 * HOUR);
    await settle(MORNING + days * 24 * HOUR + MINUTE);
    expect([days, (await row()).field_status]).toEqual([days, 'overdue']);
  }
  await settle(MORNING + 3 * 24 * HOUR);
  expect((await row()).field_status).toBe('complete');
});

test('challenge_page: no request for a minute after a wall, and then as the registry’s door allows', async () => {
  await resulted();
  await lab.on('challenge_page', { book: 'racing_australia' });
  expect(await collect(EVENING)).toMatchObject({ documents: 1, failed: 1, filled: 0 });
  expect(await lab.counts('racing_australia_results')).toEqual({ 'failed blocked': 1 });
  await lab.off('challenge_page');
  expect(await collect(EVENING + MINUTE / 2)).toMatchObject({ failed: 1, filled: 0 });
  expect(await lab.counts('racing_australia_results')).toEqual({ 'failed blocked': 1 });
  expect(await collect(EVENING + 2 * MINUTE)).toMatchObject({ failed: 0, filled: 1 });
});

test.each([
  ['protest_upheld', ['1:7', '2:4']],
  ['protest_dismissed', ['1:4', '2:7']],
  ['interim_changed', ['1:4', '2:7']],
  ['dead_heat', ['1:4', '1:7']],
])('%s: field and placings have the same first two', async (scenario, order) => {
  await lab.on(scenario);
  await resulted();
  await collect(EVENING);
  expect(await first(2)).toEqual({ placings: order, field: order });
  expect(await row()).toMatchObject({ field_status: 'complete', field_note: null });
});

test('barrier_scratching: scratched at the barrier, neither missing nor a starter', async () => {
  await lab.on('barrier_scratching');
  await resulted();
  await collect(EVENING);
  const out = (await row()).runners!.filter(({ status }) => status !== 'ran');
  expect(out).toEqual([expect.objectContaining({ number: 9, status: 'scratched', abnormal: 'SB', position: null })]);
});

test('never_resulted: a race without a result has nothing to fill, and nothing is refused', async () => {
  await lab.on('never_resulted');
  await resulted();
  expect(await row()).toBeUndefined();
  expect(await collect(EVENING)).toMatchObject({ filled: 0, refused: 0, abandoned: 0 });
});

test('meeting_postponed: the registry’s own notice abandons every race of the meeting, once', async () => {
  await lab.on('meeting_postponed');
  expect(await collect(RACE.startMs + 2 * HOUR)).toMatchObject({ abandoned: 2 });
  await collect(RACE.startMs + 4 * HOUR);
  expect(lab.signals.map(({ args }) => args[0])).toEqual([
    { note: 'postponed', version: 1 },
    { note: 'postponed', version: 1 },
  ]);
});

// The registry's results from the world, read by the connector over real HTTP and compared with the stewards' field.

import { REGISTRY, REGISTRY_STATES } from '../../../src/domain/registry/registry';
import type { PublishedListing, PublishedMeeting } from '../../../src/domain/results/published-results';
import type { ResultRunner } from '../../../src/domain/results/result';
import { addDays } from '../../../src/domain/time/aet';
import { createRacingAustraliaResults } from '../../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import type { ResultsRegistry } from '../../../src/feeds/results-registry';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { sectional } from '../../../src/simulator/registry/form/horse-form-page';
import { meetingByKey } from '../../../src/simulator/registry/meetings';
import { type OfficialRunner, officialField } from '../../../src/simulator/registry/official-field';
import { publishedResult } from '../../../src/simulator/registry/publication';
import type { Meeting, Race } from '../../../src/simulator/world/race';
import { firstStartMs } from '../../../src/simulator/world/story/race-times';
import { expectAField, valueIn } from '../../feeds/results-registry';
import { PATIENT_MS } from '../../support/patient';

const DAY = '2026-11-20';
const MORNING_AFTER = Date.parse('2026-11-20T20:00:00.000Z');
const HOUR = 3_600_000;
let nowMs = MORNING_AFTER;
let simulator: Simulator;
let url: string;
let registry: ResultsRegistry;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'registry', now: () => nowMs });
  url = await simulator.listen(0);
  const endpoint = { baseUrl: `${url}/${REGISTRY}`, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  registry = createRacingAustraliaResults(
    createRegistrySite({ endpoint, now: () => nowMs, wait: async () => undefined }),
  );
});
beforeEach(() => {
  nowMs = MORNING_AFTER;
});
afterEach(() => fetch(`${url}/faults`, { method: 'DELETE' }));
afterAll(() => simulator.close());

async function listings(from: string, to = from): Promise<PublishedListing[]> {
  const lists: PublishedListing[] = [];
  for (const state of REGISTRY_STATES) lists.push(...valueIn(await registry.listings(state, from, to)));
  return lists;
}
const worldOf = ({ key }: PublishedListing): Meeting => meetingByKey(simulator.worldOf(REGISTRY), key, nowMs)!;

async function read(key: string, dropped: object = {}): Promise<PublishedMeeting> {
  const reply = await registry.meeting(key);
  expect(reply).toMatchObject({ kind: 'ok', dropped });
  const meeting = valueIn(reply);
  meeting.races.forEach(expectAField);
  return meeting;
}

async function on(scenario: string, venue: string, race?: Race): Promise<void> {
  const where = { venue, book: REGISTRY, ...(race && { race: race.id }) };
  const reply = await fetch(`${url}/faults/${scenario}?${new URLSearchParams(where)}`, { method: 'PUT' });
  expect([scenario, reply.status]).toEqual([scenario, 200]);
}

/**
 * What the page can show of a runner: a late scratching looks like an early one, a tailed-off horse has a place, and
 * only the winner has a time.
 */
function shown(race: Race, runner: OfficialRunner): ResultRunner {
  const { status, marginLengths, timeS, abnormal } = runner;
  const won = runner.position === 1 && !race.story.protest?.upheld;
  return {
    number: runner.number,
    name: runner.name.toUpperCase(),
    box: status === 'ran' ? runner.barrier : null,
    position: runner.position,
    status: status === 'late_scratching' ? 'scratched' : status,
    dead_heat: runner.deadHeat,
    jockey: runner.jockey,
    trainer: runner.trainer,
    sp: runner.sp,
    sp_note: runner.favourite,
    margin: marginLengths ? `${marginLengths}L` : null,
    time_s: won ? timeS : null,
    abnormal: abnormal === 'TailedOff' ? null : abnormal,
    runner_ref: `ra:${runner.horseCode}`,
    origin: 'racing_australia',
    measured: expect.objectContaining({
      last_600m_s: sectional(race),
      ...(status === 'ran' && { weight_kg: runner.weightKg }),
    }),
  };
}

test('the field of every race of a day is the stewards’ field', async () => {
  const seen = new Set<string>();
  const listed = await listings(DAY);
  expect(listed.length).toBeGreaterThan(4);
  for (const listing of listed) {
    const meeting = worldOf(listing);
    const { races, ...about } = await read(listing.key);
    const { key, day, venue } = listing;
    expect(about).toEqual({ source: 'racing_australia', category: 'horse', key, day, venue, note: null });
    expect(races).toEqual(
      meeting.races.map((race) => ({
        raceNumber: race.number,
        startTime: new Date(firstStartMs(race)).toISOString(),
        distanceM: race.distanceM,
        raceName: race.name,
        stage: race.story.abandoned ? 'abandoned' : 'final',
        runners: officialField(race, nowMs).map((runner) => shown(race, runner)),
      })),
    );
    for (const runner of races.flatMap((race) => race.runners)) seen.add(`${runner.status} ${runner.abnormal}`);
  }
  // The day includes every case, so that the comparison means something.
  expect([...seen]).toEqual(expect.arrayContaining(['ran null', 'scratched null', 'scratched SB', 'reserve null']));
});

test('the calendar goes exactly twelve days back, and lists published meetings', async () => {
  const days = new Set((await listings(addDays(DAY, -30), addDays(DAY, 30))).map((listing) => listing.day));
  // It is the next day on the clocks of every state, and its first races are published.
  expect([...days].sort()).toEqual(Array.from({ length: 13 }, (_, i) => addDays(DAY, i - 11)));
  const [oldest] = await listings(addDays(DAY, -11));
  expect((await read(oldest!.key)).races.map((race) => race.stage)).toContain('final');
  nowMs += 24 * HOUR;
  const gone = await registry.meeting(oldest!.key);
  expect(gone).toMatchObject({ kind: 'ok', value: { races: [], note: null } });
});

test('through the day: nothing, then interim race by race, then final the same evening', async () => {
  const [listing] = await listings(DAY);
  const meeting = worldOf(listing!);
  const [first, second] = meeting.races as [Race, Race];
  nowMs = first.story.finalMs;
  expect(await read(listing!.key)).toMatchObject({ note: null, races: [] });
  nowMs = second.story.jumpMs - 1;
  const during = await read(listing!.key);
  expect(during.races.map(({ raceNumber, stage }) => [raceNumber, stage])).toEqual([[1, 'interim']]);
  expect(during.races[0]!.runners).toEqual(publishedResult(first, nowMs).field.map((runner) => shown(first, runner)));
  nowMs = Math.max(...meeting.races.map((race) => race.story.jumpMs)) + 3 * HOUR;
  const evening = (await read(listing!.key)).races.map((race) => race.stage);
  expect(evening).toEqual(meeting.races.map((race) => (race.story.abandoned ? 'abandoned' : 'final')));
});

describe('a meeting that does not run as planned', () => {
  /** The listing of a meeting of at least five races, and the world's clock at `raceNumber`'s jump. */
  async function duringRace(index: number) {
    const listed = await listings(DAY);
    const listing = listed.find(
      (one) => worldOf(one).races.length > 4 && worldOf(one).races.every((r) => !r.story.abandoned),
    )!;
    const meeting = worldOf(listing);
    nowMs = meeting.races[index]!.story.jumpMs + 1000;
    return { key: listing.key, venue: meeting.track.name, races: meeting.races };
  }

  test('abandoned part way: races that ran are final, the others are abandoned without runners', async () => {
    const { key, venue, races } = await duringRace(2);
    await on('meeting_abandoned', venue);
    nowMs = MORNING_AFTER;
    const published = await read(key);
    expect(published.note).toBeNull();
    expect(published.races.map((race) => race.stage)).toEqual(races.map((_, i) => (i < 3 ? 'final' : 'abandoned')));
  });

  test.each([
    ['meeting_abandoned', /^abandoned$/],
    ['meeting_postponed', /^postponed$/],
    ['meeting_transferred', /^transferred to [A-Z][a-z]/],
  ])('%s before its first race', async (scenario, note) => {
    const { key, venue, races } = await duringRace(0);
    nowMs = Math.min(...races.map(firstStartMs)) - HOUR;
    await on(scenario, venue);
    nowMs = MORNING_AFTER;
    const published = await read(key);
    expect(published.note).toMatch(note);
    expect(published.races).toEqual([]);
  });

  test('a document that lacks runners has no final field until it is complete', async () => {
    const { key, venue, races } = await duringRace(0);
    await on('partial_field', venue, races[1]);
    nowMs = MORNING_AFTER;
    const reply = await registry.meeting(key);
    const partial = valueIn(reply);
    expect(reply).toMatchObject({ dropped: { race_field_partial: expect.any(Number) } });
    const second = partial.races[1]!;
    expect(second.stage).toBe('interim');
    expect(second.runners.length).toBeLessThan(officialField(races[1]!, nowMs).length);
    nowMs += 30 * HOUR;
    expect((await read(key)).races.map((race) => race.stage)).toEqual(races.map(() => 'final'));
  });

  test('published late: the others are final meanwhile', async () => {
    const { key, venue, races } = await duringRace(0);
    await on('published_late', venue, races[1]);
    nowMs = MORNING_AFTER;
    const numbers = (await read(key)).races.map((race) => race.raceNumber);
    expect(numbers).toEqual(races.map((race) => race.number).filter((number) => number !== races[1]!.number));
    nowMs += 80 * HOUR;
    expect((await read(key)).races.map((race) => race.stage)).toEqual(races.map(() => 'final'));
  });

  const startersIn = (race: Race): number => race.story.settled.length;

  test.each(['dead_heat', 'protest_upheld', 'protest_dismissed', 'barrier_scratching', 'interim_changed'])(
    '%s',
    async (scenario) => {
      const { key, venue, races } = await duringRace(0);
      const chosen = races.findIndex((race, i) => i > 0 && startersIn(race) > 6);
      await on(scenario, venue, races[chosen]);
      nowMs = MORNING_AFTER;
      const race = meetingByKey(simulator.worldOf(REGISTRY), key, nowMs)!.races[chosen]!;
      const { stage, runners } = (await read(key)).races[chosen]!;
      expect(stage).toBe('final');
      expect(runners).toEqual(officialField(race, nowMs).map((runner) => shown(race, runner)));
      if (scenario === 'dead_heat')
        expect(runners.filter((runner) => runner.dead_heat && runner.time_s !== null)).toHaveLength(2);
      if (scenario === 'barrier_scratching') expect(runners.map((runner) => runner.abnormal)).toContain('SB');
      if (scenario === 'protest_upheld') expect(runners.every((runner) => runner.time_s === null)).toBe(true);
    },
  );
});

test('a challenge page with status 200 is a wall', async () => {
  await fetch(`${url}/faults/challenge_page?book=${REGISTRY}`, { method: 'PUT' });
  expect(await registry.listings('NSW', DAY, DAY)).toMatchObject({ kind: 'failed', reason: 'blocked' });
  expect(await registry.meeting('2026Nov20,NSW,Anywhere')).toMatchObject({ kind: 'failed', reason: 'blocked' });
});

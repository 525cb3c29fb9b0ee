// The greyhound registry built from the world, read by the connector over real HTTP and compared with the stewards'
// field.

import { SIMULATED_TOPAZ_KEY } from '../../../src/config';
import { resolveVenue } from '../../../src/domain/race/venue';
import type { PublishedMeeting, PublishedRace } from '../../../src/domain/results/published-results';
import type { ResultRunner } from '../../../src/domain/results/result';
import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { type OfficialRunner, officialField } from '../../../src/simulator/registry/official-field';
import { publicationOf } from '../../../src/simulator/registry/publication';
import { isKept, meetingIdOf, trackNameOf } from '../../../src/simulator/topaz/meetings';
import { topazApi } from '../../../src/simulator/topaz/topaz';
import type { Meeting, Race } from '../../../src/simulator/world/race';
import { AU_GREYHOUND } from '../../../src/simulator/world/tracks';
import { PATIENT_MS } from '../../support/patient';

/** Nine in the morning in Sydney: yesterday's results are published everywhere. */
const MORNING = Date.parse('2026-11-20T22:00:00.000Z');
const YESTERDAY = '2026-11-20';
let nowMs = MORNING;
let simulator: Simulator;
let address: string;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'topaz', now: () => nowMs, intervalMinutes: 8 });
  address = await simulator.listen(0);
});
afterAll(() => simulator.close());
beforeEach(() => {
  nowMs = MORNING;
});

const topaz = (api_key = SIMULATED_TOPAZ_KEY) =>
  createTopaz({
    endpoint: {
      baseUrl: `${address}/topaz`,
      contact: 'ops@x.example',
      partner: 'x',
      // Days of racing are generated for one reply, while the machine does other work.
      timeoutMs: PATIENT_MS,
      settings: { api_key },
    },
    now: () => nowMs,
    spacingMs: 0,
  });
const meetingsOf = (day: string): Meeting[] => simulator.worldOf('topaz').meetings(day).filter(isKept);

async function readDay(day: string): Promise<PublishedMeeting[]> {
  const registry = topaz();
  const read: PublishedMeeting[] = [];
  for (const region of registry.regions) {
    const listed = await registry.listings(region, day, day);
    if (listed.kind !== 'ok') throw new Error(JSON.stringify(listed));
    for (const { key, venue } of listed.value) {
      const reply = await registry.meeting(key);
      if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
      const others = Object.keys(reply.dropped).filter((reason) => reason !== 'run_repeated');
      expect([others, reply.value.venue]).toEqual([[], venue]);
      read.push(reply.value);
    }
  }
  return read;
}

async function fault(path: string, method = 'PUT'): Promise<void> {
  const reply = await fetch(`${address}/faults${path}`, { method });
  expect(reply.ok).toBe(true);
}

const expected = (runner: OfficialRunner): ResultRunner => ({
  number: runner.number,
  name: runner.name.toUpperCase(),
  box: runner.barrier,
  position: runner.position,
  status: runner.status,
  dead_heat: runner.deadHeat,
  jockey: null,
  trainer: runner.trainer,
  sp: runner.sp,
  sp_note: null,
  margin: runner.position === null || runner.position === 1 ? null : `${runner.marginLengths!.toFixed(2)}L`,
  time_s: runner.timeS,
  abnormal: runner.abnormal,
  runner_ref: `grv:${runner.dogId}`,
  origin: 'topaz',
  measured: expect.any(Object),
});

const byKey = (read: readonly PublishedMeeting[], meeting: Meeting): PublishedMeeting =>
  read.find(({ key }) => key === String(meetingIdOf(meeting)))!;
const raceOf = (read: readonly PublishedMeeting[], race: Race): PublishedRace =>
  byKey(read, race.meeting).races.find(({ raceNumber }) => raceNumber === race.number)!;

test('a whole day: every meeting at its venue, every race as the stewards have it', async () => {
  const meetings = meetingsOf(YESTERDAY);
  const read = await readDay(YESTERDAY);
  expect(read.map(({ key }) => key).sort()).toEqual(meetings.map((one) => String(meetingIdOf(one))).sort());
  const races = meetings.flatMap((meeting) => meeting.races);
  expect(races.length).toBeGreaterThan(30);
  for (const race of races) {
    const { stage, runners } = raceOf(read, race);
    expect([race.id, stage]).toEqual([race.id, publicationOf(race, nowMs)]);
    expect(runners).toEqual(stage === 'final' ? officialField(race, nowMs).map(expected) : []);
  }
  for (const meeting of meetings) {
    const { venue } = byKey(read, meeting);
    expect(resolveVenue(venue, 'greyhound', 'AU')).toEqual(resolveVenue(meeting.track.name, 'greyhound', 'AU'));
  }
});

test('the day has every case that the connector must distinguish', async () => {
  const days = [YESTERDAY, '2026-11-19', '2026-11-18'];
  const read = (await Promise.all(days.map(readDay))).flat();
  const runners = read.flatMap(({ races }) => races.flatMap((race) => race.runners));
  const statuses = new Set(runners.map(({ status }) => status));
  expect([...statuses].sort()).toEqual(['late_scratching', 'ran', 'reserve', 'scratched']);
  expect(runners.some(({ abnormal }) => abnormal !== null)).toBe(true);
  expect(runners.some(({ number, box }) => number > 8 && box !== null && box !== number)).toBe(true);
});

test('every name that it gives a track folds to that track', () => {
  const [meeting] = meetingsOf(YESTERDAY);
  const names = AU_GREYHOUND.flatMap((track) => {
    const called = Array.from({ length: 8 }, (_, seed) => trackNameOf({ ...meeting!, track, seed }));
    const venueId = resolveVenue(track.name, 'greyhound', 'AU').venueId;
    for (const name of called) expect([name, resolveVenue(name, 'greyhound', 'AU').venueId]).toEqual([name, venueId]);
    return called.filter((name) => name !== track.name);
  });
  expect(new Set(names)).toEqual(
    new Set(['Meadows (MEP)', 'Sandown (SAP)', 'Richmond (RIS)', 'Bet Deluxe Capalaba', 'Dport @ HOB', 'Dport @ LCN']),
  );
});

test('Victoria is published within minutes, the other states the next morning', async () => {
  nowMs = Date.parse('2026-11-20T12:30:00.000Z');
  const read = await readDay(YESTERDAY);
  const stages = (state: string) =>
    meetingsOf(YESTERDAY)
      .filter(({ track }) => (track.state === 'VIC') === (state === 'VIC'))
      .flatMap((meeting) => byKey(read, meeting).races.map(({ stage }) => stage));
  expect(stages('VIC')).toContain('final');
  expect(new Set(stages('others'))).toEqual(new Set(['none']));
});

test('covers the world’s first day to the day after tomorrow; a day without a meeting of the authority is empty', async () => {
  const registry = topaz();
  const days = async (from: string, to: string): Promise<string[]> => {
    const listed = await registry.listings('VIC', from, to);
    if (listed.kind !== 'ok') throw new Error(JSON.stringify(listed));
    return [...new Set(listed.value.map(({ day }) => day))].sort();
  };
  expect((await days('2026-07-25', '2026-08-03'))[0]).toBe('2026-08-01');
  expect((await days('2026-11-20', '2026-12-31')).at(-1)).toBe('2026-11-23');
  expect(await registry.listings('ACT', YESTERDAY, YESTERDAY)).toMatchObject({
    kind: 'ok',
    value: [],
    dropped: { no_meetings_404: 1 },
  });
});

describe('disturbances', () => {
  /** Ten in the morning of the day being read. */
  const BEFORE = Date.parse('2026-11-19T23:00:00.000Z');
  const DAYS_LATER = Date.parse('2026-11-24T22:00:00.000Z');
  const toCome = (): Race[] =>
    meetingsOf(YESTERDAY)
      .flatMap((meeting) => meeting.races)
      .filter((race) => publicationOf(race, BEFORE) === 'none' && !race.story.abandoned);

  beforeEach(() => {
    nowMs = BEFORE;
  });
  afterEach(() => fault('', 'DELETE'));

  test('a field that lacks runners or their finishes is not final, or lacks runners of the card', async () => {
    const races = toCome();
    await fault('/partial_field?book=topaz');
    nowMs = MORNING;
    const soon = await readDay(YESTERDAY);
    const read = races.map((race) => raceOf(soon, race));
    expect(read.filter(({ stage }) => stage === 'interim').length).toBeGreaterThan(10);
    for (const race of races) {
      const { stage, runners } = raceOf(soon, race);
      const lacking = officialField(race, nowMs).filter((one) => !runners.some(({ number }) => number === one.number));
      expect([race.id, stage !== 'final' || lacking.length > 0]).toEqual([race.id, true]);
    }
    nowMs = DAYS_LATER;
    const whole = await readDay(YESTERDAY);
    for (const race of races) expect([race.id, raceOf(whole, race).stage]).toEqual([race.id, 'final']);
  });

  test('a field that comes days late is absent until then', async () => {
    const races = toCome();
    await fault('/published_late?book=topaz');
    nowMs = MORNING;
    const soon = await readDay(YESTERDAY);
    expect(new Set(races.map((race) => raceOf(soon, race).stage))).toEqual(new Set(['none']));
    nowMs = DAYS_LATER;
    const later = await readDay(YESTERDAY);
    expect(new Set(races.map((race) => raceOf(later, race).stage))).toEqual(new Set(['final']));
  });

  test.each([
    ['meeting_abandoned', 'abandoned'],
    ['meeting_postponed', 'postponed'],
  ])('%s: by the race, and by a meeting without any race run', async (scenario, note) => {
    const whole = meetingsOf(YESTERDAY).find(({ races }) => races.every(({ story }) => story.jumpMs > BEFORE))!;
    await fault(`/${scenario}?book=topaz&venue=${encodeURIComponent(whole.track.name)}`);
    nowMs = MORNING;
    const read = byKey(await readDay(YESTERDAY), whole);
    expect([read.note, new Set(read.races.map(({ stage }) => stage))]).toEqual([note, new Set(['abandoned'])]);
  });

  test('a transport fault of a book is a transport fault here', async () => {
    await fault('/rate_limited?book=topaz');
    const limited = { kind: 'failed', reason: 'rate_limited', retryAfterMs: 30_000 };
    expect(await topaz().listings('VIC', YESTERDAY, YESTERDAY)).toMatchObject(limited);
    await fault('', 'DELETE');
    await fault('/html_with_200?book=topaz');
    expect(await topaz().listings('VIC', YESTERDAY, YESTERDAY)).toMatchObject({ kind: 'failed', reason: 'blocked' });
  });
});

test('another key is refused', async () => {
  expect(await topaz('another').listings('VIC', YESTERDAY, YESTERDAY)).toMatchObject({
    kind: 'failed',
    reason: 'blocked',
    detail: expect.stringContaining('FEED_TOPAZ_API_KEY'),
  });
});

test('above its rate it refuses, and accepts calls again as seconds pass', async () => {
  let wallMs = 0;
  const api = topazApi(simulator.world, () => wallMs);
  const call = async () => {
    const reply = await api({
      method: 'GET',
      body: '',
      path: '/meeting/1/results',
      url: '/meeting/1/results',
      query: new URLSearchParams(),
      baseUrl: '',
      header: () => SIMULATED_TOPAZ_KEY,
      nowMs,
    });
    return reply.status;
  };
  const codes = (count: number) => Promise.all(Array.from({ length: count }, call));
  expect((await codes(650)).filter((code) => code === 429)).toHaveLength(50);
  wallMs = 1000;
  expect((await codes(20)).filter((code) => code === 404)).toHaveLength(10);
});

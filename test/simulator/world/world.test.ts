// The generated day is reproducible, differs for another seed, has every kind of story, and is possible for every track
// list.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { resolveVenue } from '../../../src/domain/race/venue';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import { createHistory } from '../../../src/simulator/registry/form/history';
import { plainRunner } from '../../../src/simulator/world/drawn-runner';
import type { Race, Runner } from '../../../src/simulator/world/race';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE } from '../../../src/simulator/world/tracks';
import { createWorld, findRace, racesOf } from '../../../src/simulator/world/world';
import { runs } from '../../support/property';
import { domesticRaces } from '../../support/races/domestic';

const DAY = '2026-11-21';
const world = createWorld({ seed: 'a' });

// Meetings and races refer to each other: write the meeting once, above.
const written = (races: readonly Race[]): string =>
  JSON.stringify(
    races.map(({ meeting, runners, ...race }) => ({
      ...race,
      runners: runners.map(plainRunner),
      meeting: meeting.id,
      track: meeting.track,
    })),
  );

test('the same seed and day give the same races to the last byte', () => {
  const again = createWorld({ seed: 'a' });
  again.meetings(addDays(DAY, 1));
  expect(written(racesOf(again, DAY))).toBe(written(racesOf(world, DAY)));
});

/** Hashes made by the previous release: a restart on a kept database must meet the same races. */
const MADE = {
  '2026-11-21': 'b7ecf58d02ef93df',
  '2026-11-23': 'f6a3d5c5e4d3090a',
  past: 'eeed2e237977cd5c',
};

test('a seed always makes the same races, form and results', () => {
  const plain = (_: string, value: unknown): unknown => {
    if (value === null || typeof value !== 'object' || !('strength' in value)) return value;
    return Object.fromEntries(Object.entries(plainRunner(value as Runner)).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const hashOf = (value: unknown): string =>
    createHash('sha256')
      .update(JSON.stringify(value, (key, one) => (key === 'meeting' ? one.id : plain(key, one))))
      .digest('hex')
      .slice(0, 16);
  const past = createHistory(world).racesOn('2026-09-14', aetDayBounds(DAY).startMs);
  expect({
    '2026-11-21': hashOf(world.meetings('2026-11-21')),
    '2026-11-23': hashOf(world.meetings('2026-11-23')),
    past: hashOf(past),
  }).toEqual(MADE);
});

test('another seed and another day give other races', () => {
  const ids = (seed: string, day: string): string[] => racesOf(createWorld({ seed }), day).map((race) => race.id);
  const seen = new Set([...ids('a', DAY), ...ids('b', DAY), ...ids('a', addDays(DAY, 1))]);
  expect(seen.size).toBe(3 * ids('a', DAY).length);
});

test('about three hundred races, one every four or five minutes round the clock, of every code and both countries', () => {
  const races = domesticRaces(world, DAY);
  const starts = races.map((race) => race.story.advertised[0]!.startMs);
  const gaps = starts.slice(1).map((start, i) => (start - starts[i]!) / 60_000);
  expect(races.length).toBe(320);
  expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([4, 5]);
  const kinds = new Set(races.map(({ meeting: { track } }) => `${track.category} ${track.country}`));
  expect([...kinds].sort()).toEqual(['greyhound AU', 'harness AU', 'harness NZ', 'horse AU', 'horse NZ']);
});

test('every race of a day is inside the Sydney day, also on days of clock changes', () => {
  for (const day of [DAY, '2026-10-04', '2027-04-04']) {
    const { startMs, endMs } = aetDayBounds(day);
    const starts = racesOf(world, day).map((race) => race.story.advertised[0]!.startMs);
    expect(starts.filter((start) => start < startMs || start >= endMs)).toEqual([]);
  }
});

test('no track has two meetings of one code on a day, at any interval, and every runner of a day has its own name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.constantFrom(3, 4.5, 7, 15), (days, intervalMinutes) => {
      const day = addDays(DAY, days);
      const one = createWorld({ seed: String(days), intervalMinutes });
      const meetings = one
        .meetings(day)
        .map(({ track }) => `${track.category} ${resolveVenue(track.name, track.category, track.country).venueId}`);
      const names = racesOf(one, day).flatMap((race) =>
        race.runners.filter((runner) => !runner.vacant).map((runner) => runner.name),
      );
      return new Set(meetings).size === meetings.length && new Set(names).size === names.length;
    }),
    { numRuns: runs(12, 5) },
  );
});

describe('a runner is the same animal in each of its races', () => {
  const AGAIN = world.turnDays;
  const runnersOf = (day: string): [string, Race['runners'][number], Race][] =>
    domesticRaces(world, day).flatMap((race) =>
      race.runners
        .filter(({ vacant }) => !vacant)
        .map((one) => [`${race.meeting.track.category} ${one.name}`, one, race]),
    );

  test('it rests until its next racing day, at most a week, and keeps its trainer, parents and age', () => {
    expect(AGAIN).toBe(7);
    const today = new Map(runnersOf(DAY).map(([name, runner]) => [name, runner]));
    const between = Array.from({ length: AGAIN - 1 }, (_, i) => runnersOf(addDays(DAY, i + 1))).flat();
    expect(between.map(([name]) => name).filter((name) => today.has(name))).toEqual([]);
    const again = runnersOf(addDays(DAY, AGAIN)).filter(([name]) => today.has(name));
    expect(again.length).toBeGreaterThan(2000);
    const lasting = ({ sire, dam, sex, age, trainer, trainerLocation }: Race['runners'][number]) =>
      [sire, dam, sex, age, trainer, trainerLocation].join();
    expect(
      again.map(([name]) => name).filter((name, i) => lasting(again[i]![1]) !== lasting(today.get(name)!)),
    ).toEqual([]);
  });

  test('its form figures are its finishes', () => {
    const last = new Map(runnersOf(addDays(DAY, -AGAIN)).map(([name, runner, race]) => [name, { runner, race }]));
    const figures = runnersOf(DAY).flatMap(([name, { form }]) => {
      const run = last.get(name);
      const position = run?.race.story.settled.find(({ number }) => number === run.runner.number)?.position;
      return position && position < 10 && !run!.race.story.abandoned ? [[form.at(-1), String(position)]] : [];
    });
    expect(figures.length).toBeGreaterThan(1500);
    expect(figures.filter(([figure, position]) => figure !== position && !/[FPDL]/.test(figure!))).toEqual([]);
  });

  test('most have run ten times in three months', () => {
    const lengths = runnersOf(DAY).map(([, { form }]) => form.length);
    expect(lengths.filter((length) => length === 10).length).toBeGreaterThan(0.6 * lengths.length);
    expect(lengths.filter((length) => length >= 8).length).toBeGreaterThan(0.85 * lengths.length);
    expect(Math.max(...lengths)).toBe(10);
  });
});

test('a meeting has its races numbered from 1 in order of start', () => {
  for (const { races } of world.meetings(DAY)) {
    expect(races.map((race) => race.number)).toEqual(races.map((_, i) => i + 1));
    const starts = races.map((race) => race.story.advertised[0]!.startMs);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(races.length).toBeGreaterThanOrEqual(5);
  }
});

const STORIES: Record<string, (race: Race) => boolean> = {
  'a start that moves': ({ story }) => story.advertised.length === 2,
  'a start that moves twice': ({ story }) => story.advertised.length === 3,
  'a late scratching': ({ story }) => story.scratchings.some((row) => row.kind === 'late' && row.winDeduction > 0),
  'a scratching at the barrier': ({ story }) =>
    story.scratchings.some((row) => row.kind === 'barrier' && row.atMs < story.jumpMs),
  'a vacant box': ({ runners }) => runners.some((runner) => runner.vacant),
  'an emergency with a start': ({ story }) => story.promotions.length > 0,
  'an emergency without one': ({ story }) => story.scratchings.some((row) => row.kind === 'emergency'),
  'a protest upheld': ({ story }) =>
    story.protest?.upheld === true && story.crossed[0]!.number !== story.settled[0]!.number,
  'a protest dismissed': ({ story }) => story.protest?.upheld === false && story.crossed === story.settled,
  'a dead heat for first': ({ story }) => story.settled.filter((row) => row.position === 1).length === 2,
  'a dead heat for third': ({ story }) => story.settled.filter((row) => row.position === 3).length === 2,
  'a race abandoned alone': ({ story, meeting }) => story.abandoned !== null && meeting.abandonedAtMs === null,
  'a meeting abandoned half way': ({ story, meeting, number }) =>
    story.abandoned !== null && meeting.abandonedAtMs !== null && number > 3,
  'a meeting regraded while it runs': ({ meeting }) =>
    meeting.conditions.length > 1 && meeting.track.category === 'horse',
};

const SOME_DAYS = ['a', 'b', 'racing'].flatMap((seed) => {
  const one = createWorld({ seed });
  return [0, 1, 2].map((days) => ({ world: one, day: addDays(DAY, days) }));
});

test.each(Object.entries(STORIES))('any day has %s', (_, predicate) => {
  for (const some of SOME_DAYS) expect(predicate(findRace(some.world, some.day, predicate))).toBe(true);
});

test('findRace throws when a day has no such race', () => {
  expect(() => findRace(world, DAY, () => false)).toThrow(/no race of 2026-11-21/);
});

test('races are found again by id and number for yesterday, today and the next two days', () => {
  const nowMs = Date.parse('2026-11-21T03:00:00Z');
  for (const day of ['2026-11-20', DAY, '2026-11-22', '2026-11-23']) {
    const race = racesOf(world, day)[7]!;
    expect(world.raceById(race.id, nowMs)).toBe(race);
    expect(world.raceBySerial(race.serial, nowMs)).toBe(race);
    expect(world.meetingById(race.meeting.id, nowMs)).toBe(race.meeting);
  }
  expect(world.raceById(racesOf(world, '2026-11-24')[7]!.id, nowMs)).toBeNull();
});

test('every spelling that a book uses is one of our venues', () => {
  const tracks = [...AU_HORSE, ...AU_HARNESS, ...AU_GREYHOUND, ...NZ_HORSE, ...NZ_HARNESS];
  const torn = tracks.filter(({ name, display, pointsbet, tab, category, country }) => {
    const ids = [name, display, pointsbet, tab].map((spelling) => resolveVenue(spelling, category, country).venueId);
    return new Set(ids).size > 1;
  });
  expect(torn.map((track) => track.name)).toEqual([]);
  expect(tracks.some((track) => track.pointsbet !== track.name)).toBe(true);
});

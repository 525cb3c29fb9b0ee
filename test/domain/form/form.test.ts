import fc from 'fast-check';
import { birthplace } from '../../../src/domain/form/birthplace';
import {
  type FormRace,
  type FormSubject,
  type OwnRuns,
  ownRuns,
  type PastRun,
  RUNS_LOOKED_AT,
} from '../../../src/domain/form/form';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T03:00:00.000Z');
const RACE: FormRace = { category: 'horse', startMs: START, venueSite: 'flemington', country: 'AU' };
const DOGS: FormRace = { ...RACE, category: 'greyhound' };

const runner = (over: Partial<FormSubject> = {}): FormSubject => ({
  number: 4,
  name: 'Plain Sailing',
  runnerRef: null,
  out: false,
  hasTwin: false,
  ...over,
});

/** This many hours before the race, at its own venue. */
const run = (hours: number, over: Partial<PastRun> = {}): PastRun => ({
  raceId: `race ${hours}`,
  number: 4,
  name: 'Plain Sailing',
  runnerRef: null,
  startMs: START - hours * HOUR,
  venueSite: `site ${hours}`,
  country: 'AU',
  ...over,
});

const races = (own: OwnRuns) => (own.kind === 'known' ? own.runs.map(({ raceId }) => raceId) : own.reason);
const formOf = (found: PastRun[], over: Partial<FormSubject> = {}, race = RACE) =>
  races(ownRuns(runner(over), race, found, 20));

test('the runs under a name are its own, newest first, as many as requested', () => {
  const found = [run(400), run(100), run(800)];
  expect(formOf(found)).toEqual(['race 100', 'race 400', 'race 800']);
  expect(races(ownRuns(runner(), RACE, found, 2))).toEqual(['race 100', 'race 400']);
});

test('only the newest twenty are read, and older ones decide nothing', () => {
  const found = Array.from({ length: 20 }, (_, i) => run(100 + 24 * i));
  const behind = [run(900), run(901), run(902, { name: 'Plain Sailing (NZ)' })];
  expect(formOf([...behind, ...found])).toEqual(found.map(({ raceId }) => raceId));
});

test.each(['....', 'Vacant Box', ''])('no runner is called %j', (name) => {
  expect(formOf([run(100, { name })], { name })).toBe('vacant_box');
});

test('there is no form in Hong Kong (A 1)', () => {
  expect(formOf([run(400)], {}, { ...RACE, country: 'HK' })).toBe('not_covered');
});

describe('a dog’s registry id', () => {
  const own = 'grv:1';
  const other = 'grv:2';
  const dogs = (found: PastRun[], over: Partial<FormSubject> = {}) => formOf(found, over, DOGS);

  test('joins runs if both have it; if one has none, the name decides', () => {
    const { runs } = ownRuns(runner({ runnerRef: own }), DOGS, [run(100, { runnerRef: own }), run(200)], 20) as never;
    expect((runs as { joinedBy: string }[]).map(({ joinedBy }) => joinedBy)).toEqual(['runner_ref', 'name']);
    expect(dogs([run(100, { runnerRef: own }), run(200, { runnerRef: own })])).toHaveLength(2);
  });

  test('leaves a namesake’s runs out, and refuses ambiguous ones', () => {
    const mine = run(100, { runnerRef: own });
    const his = run(200, { runnerRef: other });
    expect(dogs([mine, his], { runnerRef: own })).toEqual(['race 100']);
    expect(dogs([his], { runnerRef: own })).toEqual([]);
    expect(dogs([mine, his, run(300)], { runnerRef: own })).toBe('name_shared');
    expect(dogs([mine, his])).toBe('name_shared');
  });

  test('proves nothing if it is another registry’s', () => {
    const found = [run(100, { runnerRef: 'grsa:9' })];
    for (const runnerRef of [own, null]) {
      expect(ownRuns(runner({ runnerRef }), DOGS, found, 20)).toMatchObject({
        kind: 'known',
        runs: [{ raceId: 'race 100', joinedBy: 'name' }],
      });
    }
  });

  test('of a horse changes each day (A 2.1)', () => {
    expect(formOf([run(100, { runnerRef: 'ra:8' })], { runnerRef: 'ra:9' })).toEqual(['race 100']);
  });
});

describe('the country of birth', () => {
  const named = (country: string) => `Plain Sailing (${country})`;

  test('distinguishes namesakes; a name without it proves nothing', () => {
    const found = [run(100), run(200, { name: named('IRE') })];
    expect(formOf(found)).toHaveLength(2);
    expect(formOf([run(100, { name: named('NZ') }), run(200, { name: named('IRE') })], { name: named('IRE') })).toEqual(
      ['race 200'],
    );
    expect(formOf([...found, run(300, { name: named('NZ') })])).toBe('name_shared');
    expect(formOf([...found, run(300, { name: named('NZ') })], { name: named('NZ') })).toBe('name_shared');
  });

  test.each([
    ['A (NZ)', 'NZ'],
    ['A (NZL) ', 'NZ'],
    ['A (ire)', 'IE'],
    ['A (UK)', 'GB'],
    ['A (RES)', null],
    ['A (NZ) B', null],
    ['A', null],
  ])('of %j is %j', (name, country) => expect(birthplace(name)).toBe(country));
});

test('with a namesake in the race itself only runs marked as its own join', () => {
  expect(formOf([run(100)], { hasTwin: true })).toBe('name_twice_in_race');
  expect(formOf([], { hasTwin: true })).toEqual([]);
  const marked = run(100, { name: 'Plain Sailing (NZ)' });
  expect(formOf([marked], { hasTwin: true, name: 'Plain Sailing (NZ)' })).toEqual(['race 100']);
});

describe('pairs of races that one animal cannot have run', () => {
  const at = (venueSite: string, country: string | null = 'AU') => ({ venueSite, country });
  test.each<[string, PastRun[], boolean]>([
    ['two numbers of one race', [run(100), run(100, { number: 9 })], true],
    ['14 minutes apart at one track', [run(100, at('a')), run(100 + 14 / 60, at('a'))], true],
    ['15 minutes apart at one track', [run(100, at('a')), run(100.25, at('a'))], false],
    ['a heat and its final', [run(100, at('a')), run(102, at('a'))], false],
    ['two places in an afternoon', [run(100), run(102)], true],
    ['two places, 12 hours', [run(100), run(112)], false],
    ['two countries in three days', [run(100, at('a')), run(171, at('b', 'NZ'))], true],
    ['two countries, three days', [run(100, at('a')), run(172, at('b', 'NZ'))], false],
    ['two venues in an unknown country', [run(100, at('a', null)), run(120, at('b'))], false],
    ['an unknown country is another venue', [run(100, at('a')), run(120, at('b', null))], false],
  ])('%s', (_, found, refused) => {
    expect(formOf(found)).toEqual(refused ? 'runs_collide' : [found[0]!.raceId, found[1]!.raceId]);
  });

  test('the requested race is one of them, unless the runner is out of it', () => {
    expect(formOf([run(3)])).toBe('runs_collide');
    expect(formOf([run(3)], { out: true })).toEqual(['race 3']);
    expect(formOf([run(3, { venueSite: 'flemington' })])).toEqual(['race 3']);
  });
});

/** From few races, so that runs share them; a race's members follow from its start. */
const anyRun = fc.record({
  hours: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2000 })),
  number: fc.integer({ min: 1, max: 2 }),
  name: fc.constantFrom('Plain Sailing', 'Plain Sailing', 'Plain Sailing (NZ)', 'PLAIN SAILING (IRE)'),
  runnerRef: fc.constantFrom(null, null, 'grv:1', 'grv:2', 'grsa:1'),
});
const someRun = anyRun.map(({ hours, ...over }) => {
  const race = { venueSite: ['flemington', 'moe'][hours % 2]!, country: ['AU', 'NZ', null][hours % 3]! };
  return run(hours, { ...race, ...over });
});
const anyFound = fc.uniqueArray(someRun, { maxLength: 6, selector: ({ raceId, number }) => `${raceId}/${number}` });
const anySubject = fc.record({
  number: fc.constant(4),
  name: fc.constantFrom('Plain Sailing', 'Plain Sailing (NZ)'),
  runnerRef: fc.constantFrom(null, 'grv:1'),
  out: fc.boolean(),
  hasTwin: fc.boolean(),
});

describe('for any set of runs', () => {
  test('a smaller limit gives the first runs of a larger one, in any order of input', () => {
    fc.assert(
      fc.property(anySubject, anyFound, fc.integer({ min: 1, max: 20 }), (one, found, most) => {
        const all = ownRuns(one, DOGS, found, 20);
        const few = ownRuns(one, DOGS, [...found].reverse(), most);
        expect(few).toEqual(all.kind === 'known' ? { ...all, runs: all.runs.slice(0, most) } : all);
      }),
    );
  });

  test('runs are newest first, each once, and possible for one animal', () => {
    fc.assert(
      fc.property(anySubject, anyFound, (one, found) => {
        const own = ownRuns(one, DOGS, found, 20);
        if (own.kind === 'refused') return;
        expect(own.runs.length).toBeLessThanOrEqual(RUNS_LOOKED_AT);
        expect(new Set(own.runs.map(({ raceId }) => raceId)).size).toBe(own.runs.length);
        const ids = new Set([one, ...own.runs].flatMap(({ runnerRef }) => runnerRef ?? []));
        expect(ids.has('grv:1') && ids.has('grv:2')).toBe(false);
        own.runs.slice(1).forEach((later, i) => {
          const apart = own.runs[i]!.startMs - later.startMs;
          expect(apart).toBeGreaterThanOrEqual(HOUR / 4);
          if (later.venueSite !== own.runs[i]!.venueSite) expect(apart).toBeGreaterThanOrEqual(12 * HOUR);
        });
      }),
    );
  });

  test('the properties above cover known runs and refused ones', () => {
    const kinds = fc.sample(fc.tuple(anySubject, anyFound), { seed: 7, numRuns: 300 }).map(([one, found]) => {
      const own = ownRuns(one, DOGS, found, 20);
      return own.kind === 'refused' ? own.reason : own.runs.length > 1 ? 'several' : 'few';
    });
    expect(new Set(kinds)).toEqual(new Set(['name_twice_in_race', 'name_shared', 'runs_collide', 'several', 'few']));
  });
});

// A 3 "Result field coverage", A 2.12, D25.
import fc from 'fast-check';
import {
  type FieldFacts,
  type FieldStatus,
  fieldHorizon,
  fieldSource,
  fieldStateOf,
  nextFieldPass,
} from '../../../src/domain/results/field-coverage';

const START = '2026-11-21T03:00:00.000Z';
const facts = (more: Partial<FieldFacts> = {}): FieldFacts => ({
  category: 'horse',
  country: 'AU',
  resultStatus: 'interim',
  hasRunners: false,
  startTime: START,
  lastPassAt: null,
  now: '2026-11-21T03:10:00.000Z',
  ...more,
});

test.each([
  ['horse', 'AU', 'racing_australia'],
  ['greyhound', 'AU', 'topaz'],
  ['harness', 'AU', null],
  ['horse', 'NZ', null],
  ['greyhound', 'NZ', null],
  ['horse', null, null],
] as const)('D25: %s %s is filled by %s', (category, country, source) => {
  expect(fieldSource(category, country)).toBe(source);
});

describe('passes', () => {
  test('the first is at six in the morning of the next Sydney day', () => {
    expect(nextFieldPass(facts(), START)).toBe('2026-11-21T19:00:00.000Z');
  });

  test('passes are strictly later, until the horizon: horse one a day for 6 days, greyhound two for 10 (D25)', () => {
    for (const [category, passes] of [
      ['horse', 6],
      ['greyhound', 20],
    ] as const) {
      const seen: string[] = [];
      let pass = nextFieldPass(facts({ category }), START);
      while (pass !== null && seen.length < 20) {
        seen.push(pass);
        pass = nextFieldPass(facts({ category }), pass);
      }
      expect(seen).toHaveLength(passes);
      expect(seen.at(-1)! < fieldHorizon(category, 'AU', START)!).toBe(true);
    }
  });

  test('greyhounds at 22:30 and 00:30 UTC, the first when the Sydney day of the race is over', () => {
    const pass = (startTime: string, after: string) =>
      nextFieldPass(facts({ category: 'greyhound', startTime }), after);
    expect(pass(START, START)).toBe('2026-11-21T22:30:00.000Z');
    expect(pass(START, '2026-11-21T22:30:00.000Z')).toBe('2026-11-22T00:30:00.000Z');
    expect(pass(START, '2026-11-22T00:30:00.000Z')).toBe('2026-11-22T22:30:00.000Z');
    // 23:50 in Sydney, and 01:00: one UTC day, two Sydney days.
    expect(pass('2026-11-21T12:50:00Z', '2026-11-21T13:10:00Z')).toBe('2026-11-21T22:30:00.000Z');
    expect(pass('2026-11-21T14:00:00Z', '2026-11-21T14:20:00Z')).toBe('2026-11-22T22:30:00.000Z');
  });

  test('it is at six on the days of clock changes too', () => {
    const april = { startTime: '2026-04-03T03:00:00Z' };
    expect(nextFieldPass(facts(april), april.startTime)).toBe('2026-04-03T19:00:00.000Z');
    expect(nextFieldPass(facts(april), '2026-04-03T19:00:00.000Z')).toBe('2026-04-04T20:00:00.000Z');
    const october = { startTime: '2026-10-02T03:00:00Z' };
    expect(nextFieldPass(facts(october), october.startTime)).toBe('2026-10-02T20:00:00.000Z');
    expect(nextFieldPass(facts(october), '2026-10-02T20:00:00.000Z')).toBe('2026-10-03T19:00:00.000Z');
  });

  test('a pass exactly at the horizon is not run', () => {
    const startTime = '2026-11-21T19:00:00.000Z';
    expect(nextFieldPass(facts({ startTime }), '2026-11-25T19:00:00.000Z')).toBe('2026-11-26T19:00:00.000Z');
    expect(nextFieldPass(facts({ startTime }), '2026-11-26T19:00:00.000Z')).toBeNull();
  });

  test('without a collector there is neither a pass nor a horizon', () => {
    expect(nextFieldPass(facts({ country: 'NZ' }), START)).toBeNull();
    expect(fieldHorizon('harness', 'AU', START)).toBeNull();
  });

  test('a long gap skips the passes that it missed', () => {
    expect(nextFieldPass(facts(), '2026-11-24T00:00:00.000Z')).toBe('2026-11-24T19:00:00.000Z');
  });
});

describe('fieldStateOf', () => {
  test('A 3: pending carries the expected pass instant in its note', () => {
    expect(fieldStateOf(facts())).toEqual({
      status: 'pending',
      source: 'racing_australia',
      note: 'collector pass expected at 2026-11-21T19:00:00.000Z',
      expectedAt: '2026-11-21T19:00:00.000Z',
    });
  });

  test('a pending field always has a note, and after the last pass it expects none', () => {
    const last = '2026-11-26T19:00:00.000Z';
    expect(fieldStateOf(facts({ now: '2026-11-26T18:59:59.000Z' })).note).toBe(`collector pass expected at ${last}`);
    expect(fieldStateOf(facts({ now: last }))).toMatchObject({
      status: 'pending',
      expectedAt: null,
      note: 'no collector pass has run, and none is left inside the horizon',
    });
  });

  const PASSED = { lastPassAt: '2026-11-21T19:00:05.000Z', now: '2026-11-21T19:01:00.000Z' };
  const LATE = { now: '2026-11-27T03:00:00.000Z' };
  test.each<[string, Partial<FieldFacts>, FieldStatus]>([
    ['pending -> overdue: a pass ran without a field', PASSED, 'overdue'],
    ['a pass before the race moves nothing', { lastPassAt: '2026-11-21T02:00:00Z' }, 'pending'],
    ['a pass at the start of the race counts', { ...PASSED, lastPassAt: START }, 'overdue'],
    ['overdue -> unavailable: the horizon closed', { ...PASSED, ...LATE }, 'unavailable'],
    ['greyhounds are retried for 10 days', { ...PASSED, ...LATE, category: 'greyhound' }, 'overdue'],
    ['any of the three -> complete', { ...PASSED, ...LATE, hasRunners: true }, 'complete'],
    ['no collector exists', { country: 'NZ' }, 'unsupported'],
    ['unsupported has no moves', { country: 'NZ', ...PASSED, ...LATE }, 'unsupported'],
    ['a stored field that is contradicted stays complete', { hasRunners: true, contradicted: true }, 'complete'],
    ['the race did not run', { resultStatus: 'abandoned' }, 'not_applicable'],
  ])('A 3: %s', (_, more, status) => expect(fieldStateOf(facts(more)).status).toBe(status));

  test.each<[Partial<FieldFacts>, string | null]>([
    [PASSED, 'a collector pass ran without a field; next pass at 2026-11-22T19:00:00.000Z'],
    [
      { lastPassAt: '2026-11-26T19:00:05.000Z', now: '2026-11-26T20:00:00.000Z' },
      'a collector pass ran without a field; no further pass inside the horizon',
    ],
    [LATE, 'no further collector pass is scheduled'],
    [{ hasRunners: true, contradicted: true }, 'the official order of finish differs from the settled placings'],
    [{ hasRunners: true }, null],
  ])('%p is explained: %s', (more, note) => expect(fieldStateOf(facts(more)).note).toBe(note));

  test('A 3: more facts never move it back', () => {
    const order: FieldStatus[] = ['pending', 'overdue', 'unavailable', 'complete'];
    const hours = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(hours, fc.integer({ min: 0, max: 300 }), fc.boolean(), (at, passAt, hasRunners) => {
        const iso = (hour: number) => new Date(Date.parse(START) + hour * 3_600_000).toISOString();
        const ranks = at
          .sort((a, b) => a - b)
          .map((hour, i) =>
            fieldStateOf(
              facts({
                now: iso(hour),
                lastPassAt: hour >= passAt ? iso(passAt) : null,
                hasRunners: hasRunners && i === at.length - 1,
              }),
            ),
          )
          .map(({ status }) => order.indexOf(status));
        expect([...ranks].sort((a, b) => a - b)).toEqual(ranks);
      }),
    );
  });
});

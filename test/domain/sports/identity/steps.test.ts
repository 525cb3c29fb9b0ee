// The placing of the largest push beside as many stored matches is done in steps that stay small, whatever the push
// contains: no other call waits for more than one of them. Counted in comparisons, not in time.
import {
  likened,
  MOST_COMPARISONS,
  MOST_OPTIONS,
  type NearMatch,
  namedRows,
  optionsOf,
  withoutMatch,
} from '../../../../src/domain/sports/identity/like-stored';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import { SEEDED_NAMES } from '../../../../src/domain/sports/identity/names/seeded';
import { MOST_OF_PAIR, placeEvents } from '../../../../src/domain/sports/identity/place-events';
import type { Placed } from '../../../../src/domain/sports/identity/placed';
import type { Names } from '../../../../src/domain/sports/identity/team-names';
import { sportOf } from '../../../../src/domain/sports/sports';
import { atOnce } from '../../../../src/in-parts';

const LARGEST = 2000;
const OBSERVED = '2026-11-21T00:00:00.000Z';
const START = '2026-11-22T00:00:00.000Z';
const sport = sportOf('soccer_epl')!;

const rowOf = (homeTeam: string, awayTeam: string, sourceId: string | null = null): ListedEvent => ({
  ...{ sport, homeTeam, awayTeam, sourceId, competition: null, commenceTime: START, homeShare: null, h2h: null },
});

/** A letter for each digit: names that are not alike. */
const lettersOf = (i: number): string => String(i).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

/** Reads of the tables of names: each comparison of two names does some. */
function counted() {
  let reads = 0;
  const names: Names = (key) => {
    reads++;
    return SEEDED_NAMES(key);
  };
  /** The most of one step, that of all, and how many steps there were. */
  const stepsOf = <T>(work: Generator<void, T>) => {
    let [most, sum, steps] = [0, 0, 0];
    for (;;) {
      reads = 0;
      const step = work.next();
      most = Math.max(most, reads);
      sum += reads;
      steps++;
      if (step.done) return { value: step.value, most, sum, steps };
    }
  };
  return { names, stepsOf };
}

/** What two sides, in both orders, take. */
const MOST_READS = 8;

test('the rows of a push are compared one by one with the matches near them', () => {
  const { names, stepsOf } = counted();
  const listed = Array.from({ length: LARGEST }, (_, i) => rowOf(`Home ${lettersOf(i)}`, `Away ${lettersOf(i)}`));
  const rows = stepsOf(namedRows(listed, names));
  expect(rows.most).toBeLessThanOrEqual(MOST_READS);
  expect(rows.steps).toBeGreaterThan(LARGEST);
  const near = Array.from({ length: 20 }, (_, i) => ({
    ...{ eventId: String(i), sportKey: sport.key, homeKey: `h${i}`, awayKey: `a${i}`, commenceTime: START, own: null },
    listings: [{ home: `Homer ${lettersOf(i)}`, away: `Away ${lettersOf(i)}`, competition: null }],
  }));
  const at = atOnce(withoutMatch(rows.value, []));
  expect(at).toHaveLength(LARGEST);
  const options = stepsOf(optionsOf(rows.value, at, near, names));
  expect(options.most).toBeLessThanOrEqual(MOST_READS);
  expect(options.steps).toBeGreaterThan(LARGEST * near.length);
  expect(atOnce(likened(rows.value, options.value, [], OBSERVED))).toEqual(rows.value);
});

test('matches that are not near a row cost it nothing', () => {
  const { names, stepsOf } = counted();
  const rows = atOnce(namedRows([rowOf('Leeds', 'Everton')], names));
  const far = Array.from({ length: LARGEST }, (_, i) => ({
    ...{ eventId: String(i), sportKey: sport.key, homeKey: 'h', awayKey: 'a', own: null },
    commenceTime: new Date(Date.parse(START) + (i + 1) * 11 * 60_000).toISOString(),
    listings: [],
  }));
  const { steps, sum, value } = stepsOf(optionsOf(rows, [0], far, names));
  expect(value).toEqual([]);
  expect(sum).toBe(0);
  expect(steps).toBeLessThan(far.length + 10);
});

const nearOf = (i: number, home: string, away: string, own: NearMatch['own'] = null): NearMatch => ({
  ...{ eventId: String(i), sportKey: sport.key, homeKey: `h${i}`, awayKey: `a${i}`, commenceTime: START, own },
  listings: [{ home, away, competition: null }],
});

test('so many names are compared for one push; beyond that its rows keep their names, those of the book’s matches last', () => {
  const { names, stepsOf } = counted();
  const listed = Array.from({ length: LARGEST }, (_, i) => rowOf(`Home ${lettersOf(i)}`, `Away ${lettersOf(i)}`));
  const rows = atOnce(namedRows(listed, names));
  const all = rows.map((_, i) => i);
  const near = listed.map(({ homeTeam, awayTeam }, i) =>
    nearOf(i, `${homeTeam} Fc`, `${awayTeam} Fc`, i < 10 ? { home: homeTeam, away: awayTeam } : null),
  );
  const { value, sum, steps } = stepsOf(optionsOf(rows, all, near, names));
  expect(sum).toBeLessThanOrEqual(MOST_READS * MOST_COMPARISONS);
  expect(steps).toBeLessThan(MOST_COMPARISONS + 10 * LARGEST);
  expect(value.map(({ i, isOwn }) => [i, isOwn])).toEqual(Array.from({ length: 10 }, (_, i) => [i, true]));
  // Another sport is compared all the same.
  const afl = sportOf('afl')!;
  const other = atOnce(namedRows([{ ...rowOf('Home Abc', 'Away Abc'), sport: afl }], names));
  const more = { ...nearOf(LARGEST, 'Home Abc Cats', 'Away Abc Cats'), sportKey: afl.key };
  const both = atOnce(optionsOf([...rows, ...other], [...all, LARGEST], [...near, more], names));
  expect(both.filter(({ i }) => i === LARGEST)).toHaveLength(1);
});

test('rows that may be very many matches keep their names, all of them', () => {
  const { names, stepsOf } = counted();
  const rows = atOnce(
    namedRows(
      Array.from({ length: 200 }, () => rowOf('Leeds Whites', 'Everton Blues')),
      names,
    ),
  );
  const near = Array.from({ length: 200 }, (_, i) => nearOf(i, 'Leeds Whites A', 'Everton Blues'));
  const few = optionsOf(
    rows,
    [0, 1],
    near.slice(0, 5).map((one) => ({ ...one, listings: [LIKE] })),
    names,
  );
  expect(atOnce(few)).toHaveLength(10);
  const many = near.map((one) => ({ ...one, listings: [LIKE] }));
  const { value, steps } = stepsOf(optionsOf(rows, [...rows.keys()], many, names));
  expect(value).toEqual([]);
  expect(steps).toBeLessThan(MOST_OPTIONS + 10 * rows.length);
});

const LIKE = { home: 'Leeds Whites Park', away: 'Everton Blues Park', competition: null };

test('of one pair of teams so many rows are placed, each compared with the others in a step of its own', () => {
  let comparisons = 0;
  const listed = Array.from({ length: LARGEST }, (_, i) => ({
    ...rowOf('Leeds', 'Everton', `id ${i}`),
    get commenceTime() {
      comparisons++;
      return START;
    },
  }));
  const rows = listed.map((one) => {
    const [named] = atOnce(namedRows([one], SEEDED_NAMES));
    return Object.defineProperty({ ...named! }, 'commenceTime', { get: () => one.commenceTime, enumerable: true });
  });
  const work = placeEvents(rows, [], OBSERVED);
  let [most, steps] = [0, 0];
  let placed: readonly Placed[] = [];
  for (let isDone = false; !isDone; steps++) {
    const before = comparisons;
    const step = work.next();
    most = Math.max(most, comparisons - before);
    if (step.done) placed = step.value;
    isDone = step.done === true;
  }
  expect(placed.filter(({ kind }) => kind === 'new')).toHaveLength(MOST_OF_PAIR);
  const others = placed.slice(MOST_OF_PAIR);
  expect(new Set(others.map((one) => one.kind === 'refused' && one.reason))).toEqual(new Set(['ambiguous_event']));
  expect(steps).toBeGreaterThan(LARGEST + 2 * MOST_OF_PAIR);
  // Each row once, and each that is placed with the others, a few times.
  expect(most).toBeLessThanOrEqual(2 * LARGEST);
  expect(comparisons).toBeGreaterThan(LARGEST);
  expect(comparisons).toBeLessThanOrEqual(4 * LARGEST + 8 * MOST_OF_PAIR * MOST_OF_PAIR);
});

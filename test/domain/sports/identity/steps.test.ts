// The placing of the largest push beside as many stored matches is done in steps that stay small, whatever the push
// contains: no other call waits for more than one of them. Counted in comparisons, not in time.
import { likened, namedRows, optionsOf, withoutMatch } from '../../../../src/domain/sports/identity/like-stored';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import { SEEDED_NAMES } from '../../../../src/domain/sports/identity/names/seeded';
import { MOST_OF_PAIR, placeEvents } from '../../../../src/domain/sports/identity/place-events';
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
  /** The most of one step, and how many steps there were. */
  const stepsOf = <T>(work: Generator<void, T>) => {
    let [most, steps] = [0, 0];
    for (;;) {
      reads = 0;
      const step = work.next();
      most = Math.max(most, reads);
      steps++;
      if (step.done) return { value: step.value, most, steps };
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
  const { steps, value } = stepsOf(optionsOf(rows, [0], far, names));
  expect(value).toEqual([]);
  expect(steps).toBe(far.length + 1);
});

test('of one pair of teams so many rows are placed, each compared with the others in a step of its own', () => {
  const { names, stepsOf } = counted();
  const listed = Array.from({ length: LARGEST }, (_, i) => rowOf('Leeds', 'Everton', `id ${i}`));
  const { value: placed, steps } = stepsOf(placeEvents(atOnce(namedRows(listed, names)), [], OBSERVED));
  expect(placed.filter(({ kind }) => kind === 'new')).toHaveLength(MOST_OF_PAIR);
  const others = placed.slice(MOST_OF_PAIR);
  expect(new Set(others.map((one) => one.kind === 'refused' && one.reason))).toEqual(new Set(['ambiguous_event']));
  expect(steps).toBeGreaterThan(LARGEST + 2 * MOST_OF_PAIR);
});

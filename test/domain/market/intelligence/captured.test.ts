// Which captured price applies at an instant (A 2.6 rule 1): from its capture, or from the opening, until it was
// withdrawn or lost.
import fc from 'fast-check';
import {
  type Capture,
  type CapturedRunner,
  countUpTo,
  linesOf,
  openingPrice,
  standingAt,
  stoodAtOpening,
  windowOpensMs,
} from '../../../../src/domain/market/intelligence/captured';
import { before as at, START_MS } from './market';

const OPENS_MS = at(3600);
const runner = (number: number, seconds: readonly number[], withdrawn: number | null = null): CapturedRunner => ({
  number,
  atMs: seconds.map(at),
  prices: seconds.map((_, i) => 4 - i / 10),
  withdrawnAtMs: withdrawn === null ? null : at(withdrawn),
});
/** Lines of runners 1 and 2 at one book, polled just now unless `polled` states how many seconds before the jump. */
type Polled = { readonly now?: number; readonly polled?: number; readonly key?: string };
function lines(runners: readonly CapturedRunner[], { now = 0, polled = now, key = 'tab' }: Polled = {}) {
  const capture: Capture = { startMs: START_MS, nowMs: at(now), polledAtMs: new Map([['tab', at(polled)]]) };
  return linesOf([{ bookmaker: key, runners }], [1, 2], capture);
}
const line = (runners: readonly CapturedRunner[], more: Polled = {}) => lines(runners, more)[0]!.lines[0]!;

test('the number of instants so far equals a count, including the instant itself', () => {
  const instants = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 12 });
  fc.assert(
    fc.property(instants, fc.integer({ min: -1, max: 61 }), (some, atMs) => {
      const inTime = [...some].sort((a, b) => a - b);
      expect(countUpTo(inTime, atMs)).toBe(some.filter((one) => one <= atMs).length);
    }),
  );
});

test.each([
  ['before the opening: from its own instant', 3700, at(3700)],
  ['at the opening', 3600, OPENS_MS],
  ['a millisecond after it: from the opening', 3599.999, OPENS_MS],
  ['a minute after it: from the opening', 3540, OPENS_MS],
  ['later: from its own instant', 3539.999, at(3539.999)],
])('a first price captured %s', (_, seconds, fromMs) => {
  expect(line([runner(1, [seconds, 600])]).fromMs).toBe(fromMs);
  expect(stoodAtOpening(at(seconds), START_MS)).toBe(seconds >= 3540);
});

test('the window opens sixty minutes before the start', () => expect(windowOpensMs(START_MS)).toBe(OPENS_MS));

describe('the last price applies', () => {
  const one = [runner(1, [3000])];
  test.each([
    ['while the book is polled', one, {}, Number.POSITIVE_INFINITY],
    [
      'while the book is fresh, two minutes after its last poll',
      one,
      { now: 60, polled: 180 },
      Number.POSITIVE_INFINITY,
    ],
    ['until two minutes after its last poll, once that is longer ago', one, { now: 60, polled: 181 }, at(61)],
    ['until now, once its last poll is ahead of now', one, { now: 60, polled: -600 }, at(60)],
    ['until it is taken back', [runner(1, [3000], 500)], {}, at(500)],
    ['until the first of the two: lost', [runner(1, [3000], 100)], { now: 60, polled: 1000 }, at(880)],
    ['until the first of the two: taken back', [runner(1, [3000], 900)], { now: 60, polled: 1000 }, at(900)],
  ])('%s', (_, runners, more, untilMs) => expect(line(runners, more).untilMs).toBe(untilMs));
});

describe('left out is', () => {
  test('a runner without a capture so far, and one without any capture', () => {
    expect(lines([runner(2, [600])], { now: 700 })).toEqual([]);
    expect(lines([runner(2, [600])], { now: 600 })[0]!.lines).toMatchObject([null, { fromMs: at(600) }]);
  });

  test('a runner outside the field, and a book that may not be compared', () => {
    expect(lines([runner(3, [600])])).toEqual([]);
    expect(lines([runner(1, [600])], { key: 'neds' })).toEqual([]);
  });
});

describe('at an instant', () => {
  const books = () => lines([runner(1, [3000, 600], 300), runner(2, [1000])]);
  test.each([
    [3000.001, undefined],
    [3000, [4, null]],
    [1000, [4, 4]],
    [600.001, [4, 4]],
    [600, [3.9, 4]],
    [300.001, [3.9, 4]],
    [300, [null, 4]],
  ])('%d s before the start the prices are %p', (seconds, prices) => {
    expect(standingAt(books(), at(seconds))[0]?.prices).toEqual(prices);
  });
});

test('a book’s opening is its price when the window opened, else its first price', () => {
  expect(openingPrice(line([runner(1, [4000, 3700, 3000])]), OPENS_MS)).toBe(3.9);
  expect(openingPrice(line([runner(1, [3550, 3000])]), OPENS_MS)).toBe(4);
  expect(openingPrice(line([runner(1, [2000, 1000])]), OPENS_MS)).toBe(4);
  expect(openingPrice(line([runner(1, [4000, 3700], 3600)]), OPENS_MS)).toBe(4);
});

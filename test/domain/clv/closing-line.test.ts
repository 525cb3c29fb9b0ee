// The close of one series: its observations, and the jump from which they are counted.
import fc from 'fast-check';
import { closingLine, jumpMsOf, type PriceSeries } from '../../../src/domain/clv/closing-line';
import { standsOf } from '../../../src/domain/clv/stands';
import { runs } from '../../support/property';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
/** An instant this many seconds before the start. */
const ahead = (seconds: number): number => startMs - seconds * 1000;

type Tick = readonly [seconds: number, price: number];
type Change = readonly [seconds: number, what: 'gone' | 'back'];

/**
 * Prices captured, withdrawn and shown again at these seconds before the start; the poll before each change was `every`
 * seconds earlier, and the last one `seen` seconds before the start.
 */
function series(ticks: readonly Tick[], { changes = [], seen = Number.NaN }: Stood = {}): PriceSeries {
  const all = [...ticks, ...changes].sort(([a], [b]) => b - a);
  const stored = all.map(([seconds, what]) => ({ atMs: ahead(seconds), what, seenBeforeMs: ahead(seconds + EVERY) }));
  return {
    atMs: ticks.map(([seconds]) => ahead(seconds)),
    prices: ticks.map(([, price]) => price),
    stands: standsOf(stored, ahead(seen)),
  };
}
interface Stood {
  readonly changes?: readonly Change[];
  readonly seen?: number;
}
const EVERY = 8;

const TICKS: readonly Tick[] = [
  [3590, 5],
  [1200, 4.6],
  [480, 4.2],
];
const close = (one: PriceSeries, jumpMs = startMs) => closingLine(one, { startMs, jumpMs });

describe('the jump (D24)', () => {
  const at = (seconds: number) => new Date(ahead(seconds)).toISOString();

  test('is the market’s close, else the advertised start', () => {
    expect(jumpMsOf(START, at(-84))).toBe(ahead(-84));
    expect(jumpMsOf(START, at(60))).toBe(ahead(60));
    expect(jumpMsOf(START, null)).toBe(startMs);
  });

  test('is not a market that closed more than a minute early, because it may have reopened', () => {
    expect(jumpMsOf(START, at(61))).toBe(startMs);
  });
});

describe('an observation', () => {
  test('is a capture: without a later one the last price has its age', () => {
    expect(close(series(TICKS))).toEqual({
      openPrice: 5,
      openSecsToJump: 3590,
      openIsBaseline: true,
      closePrice: 4.2,
      closeSecsToJump: 480,
      isClosingLine: false,
      points: 3,
    });
  });

  test('is a poll that still showed the price', () => {
    expect(close(series(TICKS, { seen: 7 }))).toMatchObject({
      closePrice: 4.2,
      closeSecsToJump: 7,
      isClosingLine: true,
    });
  });

  test('a price confirmed after the jump was offered at the jump', () => {
    expect(close(series(TICKS, { seen: -9 }))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 0 });
  });

  test('a price withdrawn at the jump or later was last seen at the poll before', () => {
    expect(close(series(TICKS, { changes: [[-3, 'gone']] }))).toMatchObject({
      closePrice: 4.2,
      closeSecsToJump: 5,
      isClosingLine: true,
    });
    expect(close(series(TICKS, { changes: [[-10, 'gone']] }))).toMatchObject({ closeSecsToJump: 0 });
  });

  test('a price withdrawn long before the jump is not a close, but is the price last seen', () => {
    const gone = close(series(TICKS, { changes: [[400, 'gone']], seen: 2 }));
    expect(gone).toMatchObject({ closePrice: 4.2, closeSecsToJump: 408, isClosingLine: false });
  });

  const TAKEN_BACK: Change = [400, 'gone'];

  test('a price offered again unchanged before the jump is the close', () => {
    const again = series(TICKS, { changes: [TAKEN_BACK, [100, 'back']], seen: 4 });
    expect(close(again)).toMatchObject({ closePrice: 4.2, closeSecsToJump: 4 });
  });

  test('a price offered again only after the jump is not the close', () => {
    const late = series(TICKS, { changes: [TAKEN_BACK, [-1, 'back']], seen: -30 });
    expect(close(late)).toMatchObject({ closePrice: 4.2, closeSecsToJump: 408, isClosingLine: false });
    expect(close(late, ahead(-1))).toMatchObject({ closeSecsToJump: 0 });
  });

  test('if it is unknown which poll saw it last, only its capture counts', () => {
    expect(close(series(TICKS))).toMatchObject({ closeSecsToJump: 480, isClosingLine: false });
  });
});

test('a capture after the jump never counts, and ends the price before it', () => {
  const late = series([...TICKS, [-3, 3.8]], { seen: -28 });
  expect(close(late)).toMatchObject({ closePrice: 4.2, closeSecsToJump: 5, points: 3 });
  expect(close(series([[-1, 3]]))).toBeNull();
});

test('a capture exactly at the jump counts', () => {
  expect(close(series([...TICKS, [0, 4]]))).toMatchObject({ closePrice: 4, closeSecsToJump: 0, points: 4 });
});

test('seconds are counted to the jump, the window from the advertised start', () => {
  const joined = series([[3539, 5]], { seen: -40 });
  expect(close(joined, ahead(-60))).toMatchObject({
    openSecsToJump: 3599,
    openIsBaseline: false,
    closeSecsToJump: 20,
  });
  expect(close(series([[3540, 5]]))).toMatchObject({ openIsBaseline: true });
});

test('300 s as displayed is within the limit, 301 is not', () => {
  expect(close(series([[300.9, 5]]))).toMatchObject({ closeSecsToJump: 300, isClosingLine: true });
  expect(close(series([[301, 5]]))).toMatchObject({ closeSecsToJump: 301, isClosingLine: false });
});

describe('for any series', () => {
  const seconds = fc.integer({ min: -600, max: 3600 });
  const change = fc.oneof(fc.integer({ min: 101, max: 5000 }), fc.constantFrom('gone' as const, 'back' as const));
  const any = fc
    .record({
      changes: fc.uniqueArray(fc.tuple(seconds, change), { minLength: 1, selector: ([s]) => s }),
      first: fc.integer({ min: 101, max: 5000 }),
      seen: fc.option(seconds, { nil: Number.NaN }),
    })
    .map(({ changes, first, seen }) => {
      const [[start], ...later] = changes.sort(([a], [b]) => b - a) as [(typeof changes)[0], ...typeof changes];
      const isTick = (one: readonly [number, unknown]): one is [number, number] => typeof one[1] === 'number';
      const ticks = later.filter(isTick).map(([at, price]) => [at, price / 100] as const);
      const breaks = later.filter((one): one is [number, 'gone' | 'back'] => !isTick(one));
      return series([[start, first / 100], ...ticks], { changes: breaks, seen });
    });
  const jump = fc.integer({ min: -600, max: 60 }).map(ahead);

  test('the close is a price captured up to the jump, last seen at or after its capture and never after the jump', () => {
    fc.assert(
      fc.property(any, jump, (one, jumpMs) => {
        const line = close(one, jumpMs);
        const upTo = one.atMs.filter((atMs) => atMs <= jumpMs);
        if (line === null) return expect(upTo).toEqual([]);
        expect([line.points, line.openPrice]).toEqual([upTo.length, one.prices[0]]);
        expect(line.closePrice).toBe(one.prices[upTo.length - 1]);
        expect(line.closeSecsToJump).toBeGreaterThanOrEqual(0);
        expect(line.closeSecsToJump).toBeLessThanOrEqual(Math.floor((jumpMs - upTo.at(-1)!) / 1000));
        expect(line.openSecsToJump).toBeGreaterThanOrEqual(line.closeSecsToJump);
        expect(line.isClosingLine).toBe(line.closeSecsToJump <= 300);
      }),
    );
  });

  test('it was seen while it stood, by a poll that a later change does not undo', () => {
    fc.assert(
      fc.property(any, jump, (one, jumpMs) => {
        const line = close(one, jumpMs);
        if (line === null) return;
        const begun = one.stands.filter(({ fromMs }) => fromMs <= jumpMs);
        const cut = { ...one, stands: begun };
        expect(close(cut, jumpMs)).toEqual(line);
        expect(line.closeSecsToJump).toBe(Math.floor((jumpMs - Math.min(begun.at(-1)!.seenMs, jumpMs)) / 1000));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('events after the jump never change which price is the close', () => {
    fc.assert(
      fc.property(any, jump, fc.integer({ min: 101, max: 5000 }), (one, jumpMs, cents) => {
        const last = Math.max(jumpMs, one.atMs.at(-1)!) + 1000;
        const stands = [...one.stands, { fromMs: last, seenMs: last }];
        const later = { ...one, atMs: [...one.atMs, last], prices: [...one.prices, cents / 100], stands };
        const now = close(one, jumpMs);
        const then = close(later, jumpMs);
        expect([then?.closePrice, then?.points]).toEqual([now?.closePrice, now?.points]);
      }),
    );
  });
});

test.each([
  [
    'the last price captured until the hour began stood then',
    [
      [4800, 2],
      [3900, 4],
      [1200, 5],
    ],
    4,
    3900,
    true,
  ],
  [
    'also where the next one was captured just after',
    [
      [4800, 2],
      [3590, 4],
    ],
    2,
    4800,
    true,
  ],
  [
    'the first one captured just after the hour began stood then',
    [
      [3590, 2],
      [3580, 4],
    ],
    2,
    3590,
    true,
  ],
  [
    'a book that joined later has no open but its first price',
    [
      [3500, 2],
      [1200, 4],
    ],
    2,
    3500,
    false,
  ],
] as const)('after a start was put back, %s', (_, ticks, openPrice, openSecsToJump, openIsBaseline) => {
  expect(close(series(ticks))).toMatchObject({ openPrice, openSecsToJump, openIsBaseline });
});

// The close of one series: its observations, and the jump from which they are counted.
import fc from 'fast-check';
import { closingLine, jumpMsOf, type PriceSeries } from '../../../src/domain/clv/closing-line';
import { runs } from '../../support/property';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
/** An instant this many seconds before the start. */
const ahead = (seconds: number): number => startMs - seconds * 1000;

type Tick = readonly [seconds: number, price: number];

/** Captured at these seconds before the start; the last price is still shown, and polled only when a price was captured. */
const series = (ticks: readonly Tick[], more: Partial<PriceSeries> = {}): PriceSeries => ({
  atMs: ticks.map(([seconds]) => ahead(seconds)),
  prices: ticks.map(([, price]) => price),
  polledMs: [],
  shownPrice: ticks.at(-1)?.[1] ?? null,
  changedMs: ahead(ticks.at(-1)?.[0] ?? 0),
  ...more,
});
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

  test('is not a market shut more than a minute early: it may have opened again', () => {
    expect(jumpMsOf(START, at(61))).toBe(startMs);
  });
});

describe('an observation', () => {
  test('a capture is one: without a later one the last price has its age', () => {
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

  test('a poll that still showed the price is one', () => {
    const polledMs = [ahead(700), ahead(7)];
    expect(close(series(TICKS, { polledMs }))).toMatchObject({
      closePrice: 4.2,
      closeSecsToJump: 7,
      isClosingLine: true,
    });
  });

  test('a price confirmed after the jump was offered at the jump', () => {
    expect(close(series(TICKS, { polledMs: [ahead(-9)] }))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 0 });
  });

  test('a price withdrawn at the jump or later was last seen at the poll before', () => {
    const gone = { shownPrice: null, changedMs: ahead(-3) };
    expect(close(series(TICKS, { ...gone, polledMs: [ahead(5), ahead(-3), ahead(-11)] }))).toMatchObject({
      closePrice: 4.2,
      closeSecsToJump: 5,
      isClosingLine: true,
    });
    expect(close(series(TICKS, { ...gone, polledMs: [ahead(-2), ahead(-11)] }))).toMatchObject({ closeSecsToJump: 0 });
  });

  test('a price withdrawn long before the jump is no close, but the price last seen', () => {
    const gone = { shownPrice: null, changedMs: ahead(400), polledMs: [ahead(408), ahead(2)] };
    expect(close(series(TICKS, gone))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 408, isClosingLine: false });
  });

  test('a price offered again unchanged before the jump is the close', () => {
    const again = { changedMs: ahead(100), polledMs: [ahead(4)] };
    expect(close(series(TICKS, again))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 4 });
  });

  test('after an uncaptured move past the jump, the close is not the price shown now', () => {
    const moved = { shownPrice: 4, changedMs: ahead(-6), polledMs: [ahead(2), ahead(-6)] };
    expect(close(series(TICKS, moved))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 2 });
  });

  test('after an uncaptured move before the jump, as while the race’s market is shut early, the price no longer counts', () => {
    const moved = { shownPrice: 4, changedMs: ahead(30), polledMs: [ahead(38), ahead(2)] };
    expect(close(series(TICKS, moved))).toMatchObject({ closePrice: 4.2, closeSecsToJump: 38 });
    expect(close(series(TICKS, { ...moved, polledMs: [ahead(2)] }))).toMatchObject({
      closeSecsToJump: 480,
      isClosingLine: false,
    });
  });

  test('without a record of changes, the shown price is the last captured one', () => {
    expect(close(series(TICKS, { changedMs: null, polledMs: [ahead(-1)] }))).toMatchObject({ closeSecsToJump: 0 });
  });
});

test('a capture after the jump never counts, and ends the price before it', () => {
  const late = series([...TICKS, [-20, 3.8]], { polledMs: [ahead(12), ahead(-20), ahead(-28)] });
  expect(close(late)).toMatchObject({ closePrice: 4.2, closeSecsToJump: 12, points: 3 });
  expect(close(series([[-1, 3]]))).toBeNull();
});

test('a capture exactly at the jump counts', () => {
  expect(close(series([...TICKS, [0, 4]]))).toMatchObject({ closePrice: 4, closeSecsToJump: 0, points: 4 });
});

test('seconds are counted to the jump, the window from the advertised start', () => {
  const joined = series([[3539, 5]], { polledMs: [ahead(-40)] });
  expect(close(joined, ahead(-60))).toMatchObject({
    openSecsToJump: 3599,
    openIsBaseline: false,
    closeSecsToJump: 20,
  });
  expect(close(series([[3540, 5]]))).toMatchObject({ openIsBaseline: true });
});

test('300 s as shown is within the bound, 301 is not', () => {
  expect(close(series([[300.9, 5]]))).toMatchObject({ closeSecsToJump: 300, isClosingLine: true });
  expect(close(series([[301, 5]]))).toMatchObject({ closeSecsToJump: 301, isClosingLine: false });
});

describe('of any series', () => {
  const seconds = fc.integer({ min: -600, max: 3600 });
  const any = fc
    .record({
      ticks: fc.uniqueArray(fc.tuple(seconds, fc.integer({ min: 101, max: 5000 })), {
        minLength: 1,
        selector: ([s]) => s,
      }),
      polled: fc.array(seconds),
      shown: fc.constantFrom('last', 'other', null),
      changed: fc.option(seconds),
    })
    .map(({ ticks, polled, shown, changed }) =>
      series(
        ticks.sort(([a], [b]) => b - a).map(([at, price]) => [at, price / 100] as const),
        {
          polledMs: polled.map(ahead),
          ...(shown !== 'last' && { shownPrice: shown && 1.5 }),
          changedMs: changed === null ? null : ahead(changed),
        },
      ),
    );
  const jump = fc.integer({ min: -600, max: 60 }).map(ahead);

  test('the close is a price captured up to the jump, seen at or after its capture and never after the jump', () => {
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

  test('a price that is no longer shown was not seen at or after its last change', () => {
    fc.assert(
      fc.property(any, jump, (one, jumpMs) => {
        const line = close({ ...one, shownPrice: 1.5 }, jumpMs);
        const isLast = line !== null && line.points === one.atMs.length;
        if (!isLast || one.changedMs === null || one.changedMs <= one.atMs.at(-1)! || one.changedMs > jumpMs) return;
        expect(line.closeSecsToJump).toBeGreaterThanOrEqual(Math.floor((jumpMs - one.changedMs) / 1000));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('events after the jump never change which price is the close', () => {
    fc.assert(
      fc.property(any, jump, fc.integer({ min: 101, max: 5000 }), (one, jumpMs, cents) => {
        const last = Math.max(jumpMs, one.atMs.at(-1)!) + 1000;
        const later = { ...one, atMs: [...one.atMs, last], prices: [...one.prices, cents / 100], changedMs: last };
        const [now, then] = [close(one, jumpMs), close(later, jumpMs)];
        expect([then?.closePrice, then?.points]).toEqual([now?.closePrice, now?.points]);
      }),
    );
  });
});

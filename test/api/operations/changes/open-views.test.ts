// The events of a reading reach every connection once, in turns that end after a millisecond, however slow a send is:
// what else the process has to do waits for one turn.
import fc from 'fast-check';
import type { BoardReading } from '../../../../src/api/operations/changes/board-reading';
import { OpenViews } from '../../../../src/api/operations/changes/open-views';
import { runs } from '../../../support/property';
import { boardRace } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const SELECTION = { includeUnresolved: true, betslip: false, horizonHours: 48 };
/** A turn sends to this many whatever it takes, and to no more than the second. */
const [LEAST, MOST] = [30, 100];
/** A turn selects anew for this many views, whatever it takes. */
const MOST_SELECTED = 10;

/** A board that counts its whole reads. */
class Counted<V> extends Map<string, V> {
  onRead = (): void => {};

  override [Symbol.iterator]() {
    this.onRead();
    return super[Symbol.iterator]();
  }
}

const reading = (weather: string, more: BoardReading['races'] = new Map()): BoardReading => ({
  serverMs: NOW_MS,
  settledMs: NOW_MS,
  databaseMs: NOW_MS,
  nowMs: NOW_MS,
  races: new Counted([['a', boardRace({ race_id: 'a', startMs: NOW_MS + 3_600_000, weather })], ...more]),
  ends: new Map(),
  links: null,
  reportsFreshness: false,
});

/** `turned`: others had their turn. */
async function besideOthers<T>(work: () => Promise<T>, turned: () => void): Promise<T> {
  let isOver = false;
  const others = (): void => {
    turned();
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  try {
    return await work();
  } finally {
    isOver = true;
  }
}

test('a turn sends for a millisecond, and all turns together to each connection once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 250 }),
      fc.constantFrom(0, 0.005, 0.05, 0.3, 5),
      async (count, costMs) => {
        let nowMs = 0;
        let ofTurn = 0;
        let most = 0;
        const views = new OpenViews({ error: () => {} }, () => nowMs);
        const got = Array.from({ length: count }, () => 0);
        const first = reading('fine');
        const read = (at: number) => (): void => {
          got[at]!++;
          nowMs += costMs;
          most = Math.max(most, ++ofTurn);
        };
        for (let at = 0; at < count; at++) views.follow(SELECTION, { read: read(at), lost: () => {} }, first);
        const tookMs = await besideOthers(
          () => views.pass(reading('overcast')),
          () => {
            ofTurn = 0;
          },
        );
        expect(most).toBeLessThanOrEqual(Math.min(MOST, Math.max(LEAST, Math.ceil(1 / costMs) + 1)));
        expect(got).toEqual(got.map(() => 1));
        expect(tookMs).toBeCloseTo(count * costMs, 3);
      },
    ),
    { numRuns: runs(50) },
  );
});

test('a turn selects anew for few views, also where none of them has events', async () => {
  const views = new OpenViews({ error: () => {} }, () => 0);
  const sent: number[] = [];
  const first = reading('fine');
  for (let at = 0; at < 95; at++) {
    const selection = { ...SELECTION, categories: ['horse' as const], horizonHours: 48 + at };
    views.follow(selection, { read: () => void sent.push(at), lost: () => {} }, first);
  }
  const dogs = boardRace({ race_id: 'b', startMs: NOW_MS + 3_600_000, category: 'greyhound' });
  const other = reading('fine', new Map([['b', dogs]]));
  let ofTurn = 0;
  let most = 0;
  let all = 0;
  (other.races as Counted<unknown>).onRead = () => {
    all++;
    most = Math.max(most, ++ofTurn);
  };
  await besideOthers(
    () => views.pass(other),
    () => {
      ofTurn = 0;
    },
  );
  // The shelf reads it once.
  expect([all, sent]).toEqual([96, []]);
  expect(most).toBeLessThanOrEqual(MOST_SELECTED + 1);
});

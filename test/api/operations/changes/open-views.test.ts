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
const [LEAST, MOST] = [10, 100];

const reading = (weather: string): BoardReading => ({
  serverMs: NOW_MS,
  settledMs: NOW_MS,
  databaseMs: NOW_MS,
  nowMs: NOW_MS,
  races: new Map([['a', boardRace({ race_id: 'a', startMs: NOW_MS + 3_600_000, weather })]]),
  ends: new Map(),
  links: null,
  reportsFreshness: false,
});

test('a turn sends for a millisecond, and all turns together to each connection once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 250 }),
      fc.constantFrom(0, 0.005, 0.05, 0.3, 5),
      async (count, costMs) => {
        let nowMs = 0;
        let ofTurn = 0;
        let most = 0;
        let isOver = false;
        const others = (): void => {
          ofTurn = 0;
          if (!isOver) setImmediate(others);
        };
        const views = new OpenViews({ error: () => {} }, () => nowMs);
        const got = Array.from({ length: count }, () => 0);
        const first = reading('fine');
        const read = (at: number) => (): void => {
          got[at]!++;
          nowMs += costMs;
          most = Math.max(most, ++ofTurn);
        };
        for (let at = 0; at < count; at++) views.follow(SELECTION, { read: read(at), lost: () => {} }, first);
        setImmediate(others);
        const tookMs = await views.pass(reading('overcast'));
        isOver = true;
        expect(most).toBeLessThanOrEqual(Math.min(MOST, Math.max(LEAST, Math.ceil(1 / costMs) + 1)));
        expect(got).toEqual(got.map(() => 1));
        expect(tookMs).toBeCloseTo(count * costMs, 3);
      },
    ),
    { numRuns: runs(50) },
  );
});

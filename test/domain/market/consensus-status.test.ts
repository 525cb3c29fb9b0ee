// D24: upcoming until the market's close or, failing that, the advertised start.
import { hasJumped } from '../../../src/domain/market/consensus-status';

const startMs = Date.parse('2026-11-21T03:10:00.000Z');

test.each([
  ['before the start', -1, null, false, false],
  ['at the start, no book reports the market', 0, null, false, true],
  ['after it, while the market is open: the race is late', 90_000, 'OPEN', false, false],
  ['after it, while the market is suspended: not shut', 90_000, 'SUSPENDED', false, false],
  ['after it, the market shut', 40_000, 'CLOSED', false, true],
  ['before it, the market shut: it may open again', -30_000, 'CLOSED', false, false],
  ['a recorded jump, whatever the clock and the market show', -30_000, 'OPEN', true, true],
] as const)('%s', (_, afterMs, marketStatus, jumped, expected) => {
  expect(hasJumped({ startMs, jumped, marketStatus }, startMs + afterMs)).toBe(expected);
});

// A 2.4 rule 4.
import { ageSeconds, isStale, staleAfterSeconds } from '../../../src/domain/time/staleness';

test('A 2.4 rule 4: 120 s for live, 1800 s for card; the threshold itself is not stale', () => {
  expect([staleAfterSeconds('live'), staleAfterSeconds('card')]).toEqual([120, 1_800]);
  expect([isStale(120, 'live'), isStale(121, 'live')]).toEqual([false, true]);
  expect([isStale(1_800, 'card'), isStale(1_801, 'card')]).toEqual([false, true]);
});

test.each([
  [0, 999, 0],
  [0, 1_000, 1],
  [0, 61_999, 61],
  [5_000, 4_000, 0],
  [121_000, 1_000, 0],
])('D24: whole seconds from %d to %d ms is %d, never negative', (at, now, age) => {
  expect(ageSeconds(at, now)).toBe(age);
});

test('an instant further in the future than a live quote may be old proves no age, and is stale in every tier', () => {
  const age = ageSeconds(600_000, 0);
  expect([isStale(age, 'live'), isStale(age, 'card')]).toEqual([true, true]);
  expect(ageSeconds(121_001, 1_000)).toBe(age);
});

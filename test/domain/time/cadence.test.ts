// D21 and the boundaries of the tiers.
import fc from 'fast-check';
import { bookmaker } from '../../../src/domain/bookmakers';
import { isNearJump, nextBeatMs, pollIntervalMs, tierAt } from '../../../src/domain/time/cadence';

const sportsbet = bookmaker('sportsbet')!;
const betr = bookmaker('betr_au')!;
const playup = bookmaker('playup')!;

describe('tierAt', () => {
  test.each([
    [10_801, 'card'],
    [10_800, 'live'],
    [0, 'live'],
    [-300, 'live'],
  ])('A 2.4 rule 4: a race %d s from the jump is %s', (secs, tier) => expect(tierAt(secs)).toBe(tier));

  test('D21: a book with its own horizon is live only inside it', () => {
    expect([tierAt(1_801, betr), tierAt(1_800, betr)]).toEqual(['card', 'live']);
    expect([tierAt(361, playup), tierAt(360, playup)]).toEqual(['card', 'live']);
  });
});

describe('pollIntervalMs', () => {
  test.each([
    [86_400, 900_000],
    [10_801, 900_000],
    [10_800, 20_000],
    [601, 20_000],
    [600, 15_000],
    [121, 15_000],
    [120, 8_000],
    [-60, 8_000],
  ])('D21: %d s out is every %d ms', (secs, ms) => expect(pollIntervalMs(secs, sportsbet)).toBe(ms));

  test('D21: a book outside its own horizon is polled at card cadence', () => {
    expect(pollIntervalMs(900, playup)).toBe(900_000);
    expect(pollIntervalMs(300, playup)).toBe(15_000);
  });

  test('the interval never grows as the jump approaches', () => {
    const secs = fc.integer({ min: -600, max: 200_000 });
    fc.assert(
      fc.property(secs, secs, (a, b) => pollIntervalMs(Math.min(a, b), betr) <= pollIntervalMs(Math.max(a, b), betr)),
    );
  });
});

test('the shared beat is a multiple of the interval after the instant, for any instant', () => {
  const noon = Date.parse('2026-11-21T02:00:00Z');
  expect(nextBeatMs(noon, 20_000)).toBe(noon + 20_000);
  expect(nextBeatMs(noon + 1, 20_000)).toBe(noon + 20_000);
  expect(nextBeatMs(noon + 19_999, 20_000)).toBe(noon + 20_000);
  const instants = Array.from({ length: 500 }, (_, i) => noon + i * 37);
  expect(new Set(instants.map((at) => nextBeatMs(at, 20_000))).size).toBe(1);
});

test('near the jump is inside two minutes, and past it', () => {
  expect([121, 120, 0, -300].map(isNearJump)).toEqual([false, true, true, true]);
});

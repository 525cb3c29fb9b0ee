import { nextToGoCredits } from '../../src/plans/cost';

const NEW = '2026-09-22T00:00:00.000Z';
const OLD = '2026-09-21T23:59:59.999Z';

test.each([
  [1, 2],
  [20, 2],
  [21, 3],
  [60, 3],
  [61, 4],
  [200, 4],
])('%i races cost %i credits (A 4.2)', (races, credits) => {
  expect(nextToGoCredits(races, NEW)).toBe(credits);
  expect(nextToGoCredits(races, OLD)).toBe(2);
});

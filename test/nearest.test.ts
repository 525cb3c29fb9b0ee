// Suggestions for mistyped names.
import { didYouMean, nearest } from '../src/nearest';

const NAMES = ['num_races', 'limit', 'country', 'categories', 'include_stale'];

test.each([
  ['num_race', ['num_races']],
  ['numRaces', ['num_races']],
  ['LIMITS', ['limit']],
  ['contry', ['country']],
  ['include-stale', ['include_stale']],
  ['x', []],
  ['', []],
  ['races', []],
  [`num_races${'x'.repeat(60)}`, []],
])('%s', (sent, near) => {
  expect(nearest(sent, NAMES)).toEqual(near);
});

test('suggests at most two names, those that are nearest', () => {
  expect(didYouMean('abcdefg', ['abcdexx', 'abcdefh', 'abcdefghi', 'abcdef', 'abcdefx'])).toBe(
    ' Did you mean abcdefh or abcdef?',
  );
  expect(didYouMean(['limt', 'countr'], NAMES)).toBe(' Did you mean limit or country?');
  expect(didYouMean('nothing', NAMES)).toBe('');
});

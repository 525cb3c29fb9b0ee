// A 2.9: splits the combined texts of feeds into going and rating. The spellings are from the books' replies.
import { sameCondition, splitCondition, statesCondition } from '../../../src/domain/registry/track-condition';

test.each([
  ['Good (4)', 'Good', 4],
  ['Good4', 'Good', 4],
  ['GOOD4', 'Good', 4],
  ['Good 4', 'Good', 4],
  ['Soft (7)', 'Soft', 7],
  ['HVY8', 'Heavy', 8],
  ['HVY10', 'Heavy', 10],
  ['Heavy', 'Heavy', null],
  ['FAST', 'Fast', null],
  ['SLOW', 'Slow', null],
  ['AWT', 'Synthetic', null],
  ['Synthetic', 'Synthetic', null],
  ['Good to Soft', 'Good to soft', null],
  ['Firm 1', 'Firm', 1],
  ['Heavy 12', 'Heavy', 12],
  ['Heavy 13', 'Heavy', null],
  ['Good 0', 'Good', null],
  [' Good  to -- Soft ', 'Good to soft', null],
  ['Good 44', 'Good', null],
  ['constructor', 'Constructor', null],
  ['None', null, null],
  ['N/A', null, null],
  ['', null, null],
  [null, null, null],
])('A 2.9: %p is %p rated %p', (raw, going, goingRating) => {
  expect(splitCondition(raw)).toEqual({ going, goingRating });
});

test('A 2.9: a rating in two spellings is no change; another rating is', () => {
  expect(sameCondition('Good (4)', 'GOOD4')).toBe(true);
  expect(sameCondition('HVY8', 'Heavy 8')).toBe(true);
  expect(sameCondition('None', null)).toBe(true);
  expect(sameCondition('Good4', 'Good3')).toBe(false);
  expect(sameCondition('Good4', null)).toBe(false);
});

test('a text that cannot be split is its own condition: a move between two such texts is a change', () => {
  const patchy = 'Good to Soft (Soft in places)';
  expect(splitCondition(patchy)).toEqual({ going: null, goingRating: null });
  expect(sameCondition(patchy, 'GOOD TO SOFT, soft in places')).toBe(true);
  expect(sameCondition(patchy, 'Heavy (Soft in places)')).toBe(false);
  expect(sameCondition(patchy, null)).toBe(false);
});

test('an empty text states no condition', () => {
  expect([null, '', ' ', 'None', 'N/A', 'TBA'].filter(statesCondition)).toEqual([]);
  expect(['Good4', 'Good to Soft (Soft in places)', 'Fast'].filter(statesCondition)).toHaveLength(3);
});

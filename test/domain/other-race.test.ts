import { isOtherRace, keysOfField } from '../../src/domain/other-race';

const field = (rank: number, ...names: string[]) => ({ rank, runnerKeys: keysOfField(names) });
const UNRANKED = Number.POSITIVE_INFINITY;
const FIVE = ['Abel', 'Bert', 'Carl', 'Dave', 'Emil'];
const SIX = ['Fred', 'Gus', 'Hal', 'Ivan', 'Jack'];

test('other names are another race, whatever the numbers', () => {
  expect(isOtherRace(field(3, ...SIX), [field(1, ...FIVE)])).toBe(true);
  expect(isOtherRace(field(3, ...FIVE), [field(1, ...FIVE)])).toBe(false);
  expect(isOtherRace(field(3, ...[...FIVE].reverse()), [field(1, ...FIVE)])).toBe(false);
});

test('half of the names of the shorter field are enough; a country of birth and empty boxes do not matter', () => {
  expect(isOtherRace(field(3, 'Abel (NZ)', 'BERT', 'Fred', 'Gus'), [field(1, ...FIVE)])).toBe(false);
  expect(isOtherRace(field(3, 'Abel', 'Fred', 'Gus', 'Hal'), [field(1, ...FIVE)])).toBe(true);
  expect(isOtherRace(field(3, '....', 'Vacant Box', '', ...SIX), [field(1, '....', 'Vacant Box', ...FIVE)])).toBe(true);
});

test('too few names prove nothing', () => {
  expect(isOtherRace(field(3, 'Fred', 'Gus'), [field(1, ...FIVE)])).toBe(false);
  expect(isOtherRace(field(3, ...SIX), [field(1, 'Abel', 'Bert')])).toBe(false);
  expect(isOtherRace(field(3, ...SIX), [])).toBe(false);
});

test('the measure is the best-believed book that the replying one does not outrank, its own last word included', () => {
  expect(isOtherRace(field(1, ...SIX), [field(3, ...FIVE), field(UNRANKED, ...FIVE)])).toBe(false);
  expect(isOtherRace(field(1, ...SIX), [field(1, ...FIVE)])).toBe(true);
  expect(isOtherRace(field(UNRANKED, ...SIX), [field(UNRANKED, ...SIX), field(2, ...FIVE)])).toBe(true);
  expect(isOtherRace(field(UNRANKED, ...SIX), [field(UNRANKED, ...FIVE)])).toBe(true);
});

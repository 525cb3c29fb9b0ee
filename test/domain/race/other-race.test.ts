import { contradictedNumbers, isOtherRace } from '../../../src/domain/race/other-race';

const field = (rank: number, ...names: string[]) => ({
  rank,
  runners: names.map((name, i) => ({ number: i + 1, name })),
});
const UNRANKED = Number.POSITIVE_INFINITY;
const FIVE = ['Abelard', 'Bertrand', 'Carlisle', 'Davenport', 'Emilio'];
const SIX = ['Frederick', 'Gustavus', 'Halcyon', 'Ivanhoe', 'Jackdaw', 'Kingfisher'];

describe('another race', () => {
  test('other names mean another race, whatever the numbers', () => {
    expect(isOtherRace(field(3, ...SIX), [field(1, ...FIVE)])).toBe(true);
    expect(isOtherRace(field(3, ...FIVE), [field(1, ...FIVE)])).toBe(false);
    expect(isOtherRace(field(3, ...[...FIVE].reverse()), [field(1, ...FIVE)])).toBe(false);
  });

  test('half of the names of the shorter field are enough; a country of birth and empty boxes do not matter', () => {
    expect(isOtherRace(field(3, 'Abelard (NZ)', 'BERTRAND', 'Halcyon', 'Ivanhoe'), [field(1, ...FIVE)])).toBe(false);
    expect(isOtherRace(field(3, 'Abelard', 'Halcyon', 'Ivanhoe', 'Jackdaw'), [field(1, ...FIVE)])).toBe(true);
    const empty = ['....', 'Vacant Box', ''];
    expect(isOtherRace(field(3, ...empty, ...SIX), [field(1, ...empty, ...FIVE)])).toBe(true);
  });

  test('three names are enough, two prove nothing', () => {
    const three = FIVE.slice(0, 3);
    const others = SIX.slice(0, 3);
    expect(isOtherRace(field(3, ...others), [field(1, ...three)])).toBe(true);
    expect(isOtherRace(field(3, 'Halcyon', 'Ivanhoe'), [field(1, ...FIVE)])).toBe(false);
    expect(isOtherRace(field(3, ...SIX), [field(1, 'Abelard', 'Bertrand')])).toBe(false);
    expect(isOtherRace(field(3, ...SIX), [])).toBe(false);
  });

  test('the comparison is with the highest-ranked book not below the replying one, including its own last report', () => {
    expect(isOtherRace(field(1, ...SIX), [field(3, ...FIVE), field(UNRANKED, ...FIVE)])).toBe(false);
    expect(isOtherRace(field(1, ...SIX), [field(1, ...FIVE)])).toBe(true);
    expect(isOtherRace(field(UNRANKED, ...SIX), [field(UNRANKED, ...SIX), field(2, ...FIVE)])).toBe(true);
    expect(isOtherRace(field(UNRANKED, ...SIX), [field(UNRANKED, ...FIVE)])).toBe(true);
  });
});

describe('strangers', () => {
  const strangers = (names: readonly string[], rank = 3, stored = [field(1, ...FIVE)]) =>
    contradictedNumbers(field(rank, ...names), stored);

  test('a number with a different name is a stranger', () => {
    expect(strangers(FIVE)).toEqual([]);
    expect(strangers(['Abelard', 'Halcyon', 'Carlisle'])).toEqual([2]);
    expect(strangers([...FIVE].reverse())).toEqual([1, 2, 4, 5]);
  });

  test.each([
    ['a typing error', 'Bertrnad'],
    ['a name cut short', 'Bertr'],
    ['a breed mark', 'Bertrand NZ'],
    ['another way to write it', 'BERT-RAND (IRE)'],
    ['an empty box', '....'],
  ])('%s is not a stranger', (_, name) => {
    expect(strangers(['Abelard', name])).toEqual([]);
  });

  test('a row without a number, or one that only this book has, contradicts no book', () => {
    expect(contradictedNumbers({ rank: 3, runners: [{ number: null, name: 'Halcyon' }] }, [field(1, ...FIVE)])).toEqual(
      [],
    );
    expect(strangers([...FIVE, 'Halcyon'])).toEqual([]);
  });

  test('only a higher-ranked book counts against it', () => {
    expect(strangers(['Halcyon'], 1)).toEqual([]);
    expect(strangers(['Halcyon'], 1, [field(3, ...FIVE), field(UNRANKED, ...FIVE)])).toEqual([]);
    expect(strangers(['Halcyon'], UNRANKED, [field(UNRANKED, ...FIVE)])).toEqual([]);
    expect(strangers(['Halcyon'], UNRANKED, [field(4, 'Halcyon'), field(2, ...FIVE)])).toEqual([1]);
  });
});

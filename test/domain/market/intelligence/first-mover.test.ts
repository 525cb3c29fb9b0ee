import { analysed, before, START_MS, type TimedQuotes } from './market';

const STEADY: TimedQuotes = [3595, 10, 1.5];
/** A book that moves runner 1 from 10 to 9 this many seconds before the jump. */
const moves = (seconds: number, to = 9): TimedQuotes[] => [STEADY, [seconds, to, 1.5]];

const of = (books: Record<string, readonly TimedQuotes[]>, now = 0) => analysed({ books, now }).runners[0]!.firstMover;

test.each([
  [29, { status: 'undetermined', reason: 'inside_floor' }],
  [29.999, { status: 'undetermined', reason: 'inside_floor' }],
  [30, { status: 'attributed', bookmaker: 'tab', leadSeconds: 30 }],
  [31, { status: 'attributed', bookmaker: 'tab', leadSeconds: 31 }],
])('a lead of %d seconds', (lead, expected) => {
  const books = { neds: moves(900 - lead), tab: moves(900), unibet: moves(500) };
  expect(of(books)).toMatchObject(expected);
});

test('the first, its followers in order, and their lags', () => {
  const books = { neds: moves(700), tab: moves(900), unibet: moves(600), sportsbet: [STEADY], palmerbet: moves(300) };
  expect(of(books)).toEqual({
    status: 'attributed',
    bookmaker: 'tab',
    atMs: before(900),
    leadSeconds: 200,
    medianFollowerLagSeconds: 300,
    followers: ['neds', 'unibet', 'palmerbet'],
  });
});

test('followers that moved at the same instant are in order of key, whatever the order of books', () => {
  const followers = { sportsbet: moves(700), neds: moves(700), unibet: moves(700), palmerbet: moves(700) };
  for (const some of [followers, Object.fromEntries(Object.entries(followers).reverse())]) {
    expect(of({ ...some, tab: moves(900) })).toMatchObject({
      bookmaker: 'tab',
      followers: ['neds', 'palmerbet', 'sportsbet', 'unibet'],
    });
  }
});

test('five percent counts as computed from printed prices, less does not', () => {
  // 4.2 to 3.99 is exactly five percent, which binary fractions cannot express.
  const books = (to: number) => ({
    tab: [
      [3595, 4.2, 1.4],
      [900, to, 1.4],
    ] as TimedQuotes[],
    neds: [
      [3595, 4.2, 1.4],
      [600, 3.6, 1.4],
    ] as TimedQuotes[],
    unibet: [
      [3595, 4.2, 1.4],
      [300, 3.6, 1.4],
    ] as TimedQuotes[],
  });
  expect(of(books(3.99))).toMatchObject({ bookmaker: 'tab', followers: ['neds', 'unibet'] });
  expect(of(books(4))).toMatchObject({ bookmaker: 'neds', followers: ['unibet'] });
});

test('the first time counts, even if the price went back', () => {
  const books = {
    tab: [STEADY, [1200, 9, 1.5], [1100, 10, 1.5], [500, 8, 1.5]] as TimedQuotes[],
    neds: moves(700, 8),
    unibet: moves(600, 8),
  };
  expect(of(books)).toMatchObject({ bookmaker: 'tab', atMs: before(1200), followers: ['neds', 'unibet'] });
});

test('a book that moves against the headline is not a follower', () => {
  const books = { tab: moves(1000, 12), neds: moves(700), unibet: moves(600), sportsbet: moves(500) };
  expect(of(books)).toMatchObject({ bookmaker: 'neds', followers: ['unibet', 'sportsbet'] });
});

test.each([
  ['no book moved', { tab: [STEADY], neds: [STEADY] }, 'no_move'],
  ['one book moved', { tab: moves(900, 7), neds: [STEADY] }, 'too_few_books'],
  ['it is pushed', { betgold: moves(900), boostbet: moves(700), neds: moves(500) }, 'too_few_books'],
])('undetermined: %s', (_, books, reason) => expect(of(books)).toEqual({ status: 'undetermined', reason }));

test('without a consensus at T-60 there is no headline', () => {
  const late: TimedQuotes = [1800, 10, 1.5];
  const books = { tab: [late, [900, 8, 1.5]] as TimedQuotes[], neds: [late, [700, 8, 1.5]] as TimedQuotes[] };
  expect(of(books)).toEqual({ status: 'undetermined', reason: 'no_move' });
});

test('a book with its own horizon counts only while it is polled often', () => {
  // betr_au is polled every 15 minutes until half an hour before the jump.
  const others = { neds: moves(700), tab: moves(600), unibet: moves(500) };
  expect(of({ ...others, betr_au: moves(2000) })).toMatchObject({ bookmaker: 'neds', followers: ['tab', 'unibet'] });
  expect(of({ ...others, betr_au: moves(1795) })).toMatchObject({ bookmaker: 'neds', followers: ['tab', 'unibet'] });
  expect(of({ ...others, betr_au: moves(1769) })).toMatchObject({ bookmaker: 'betr_au' });
});

test('named as excluded: the push-fed books, and those now polled too seldom', () => {
  const books = { tab: [STEADY], betgold: [STEADY], betr_au: [STEADY], playup: [STEADY] };
  const excluded = (now: number) => analysed({ books, now }).attributionExcluded;
  expect(excluded(3000)).toEqual(['betgold', 'betr_au', 'playup']);
  expect(excluded(1700)).toEqual(['betgold', 'playup']);
  expect(excluded(100)).toEqual(['betgold']);
  expect(START_MS).toBe(before(0));
});

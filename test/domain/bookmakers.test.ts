// The book table against D19 and D21.
import { BOOKMAKERS, bookmaker, CUSTOMER_BOOKMAKER_KEYS, visibleToCustomers } from '../../src/domain/bookmakers';

const keys = (pick: (book: (typeof BOOKMAKERS)[number]) => boolean) => BOOKMAKERS.filter(pick).map((book) => book.key);

test('every key of D19 is in the table, once', () => {
  const named =
    'sportsbet tab tabtouch ladbrokes_au neds pointsbetau betr_au betright unibet playup palmerbet betdeluxe betgold boostbet dabble_au betfair_ex_au pinnacle';
  const table = BOOKMAKERS.map((book) => book.key);
  expect(table).toEqual(expect.arrayContaining(named.split(' ')));
  expect(new Set(table).size).toBe(table.length);
});

test('two books are push-fed, because they have no known public format', () => {
  expect(keys((book) => book.reach === 'pushed').sort()).toEqual(['betgold', 'boostbet']);
});

test('customers may name retired books, and no connector reaches them (A 1)', () => {
  const retired = keys((book) => book.status === 'retired');
  expect(retired).toEqual(['realbookie', 'winnersbet', 'dafabet', 'premiumbet', 'ponybet', 'stablebet']);
  expect(CUSTOMER_BOOKMAKER_KEYS).toEqual(expect.arrayContaining(retired));
  expect(retired.map((key) => bookmaker(key)!.reach)).toEqual(retired.map(() => 'none'));
});

test('customers may name the foreign books that published clients know, and no connector reaches them', () => {
  const foreign = keys(({ licence, kind }) => licence !== 'AU' && kind === 'bookmaker');
  expect(foreign).toEqual(['ladbrokes_uk', 'williamhill', 'betway_uk']);
  expect(CUSTOMER_BOOKMAKER_KEYS).toEqual(expect.arrayContaining(foreign));
  expect(foreign.flatMap((key) => [bookmaker(key)!.reach, bookmaker(key)!.status])).not.toContain('active');
});

test('D21: two books have a horizon of their own', () => {
  expect(keys((book) => book.liveInsideMinutes !== null)).toEqual(['betr_au', 'playup']);
});

test('A 2.4 rule 6: web links for two books, app links for two others', () => {
  expect(keys((book) => book.betslip?.opens === 'web').sort()).toEqual(['tab', 'unibet']);
  expect(keys((book) => book.betslip?.opens === 'app').sort()).toEqual(['ladbrokes_au', 'neds']);
  expect(keys((book) => book.betslip?.names === 'runner')).toEqual(['tab']);
});

test('A 1: customers see the values of bookmakers, including retired ones, and of nothing else', () => {
  expect(keys(({ key }) => !visibleToCustomers(key))).toEqual(['betfair_ex_au', 'pinnacle']);
  expect(visibleToCustomers('no_such_book')).toBe(false);
});

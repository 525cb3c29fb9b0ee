import {
  audienceOf,
  CUSTOMERS,
  connectorVisible,
  type MarketState,
  marketStateFor,
  OPERATORS,
} from '../../../../src/api/kernel/endpoint/visibility';
import { BOOKMAKERS } from '../../../../src/domain/bookmakers';
import { planNamed } from '../../../../src/plans/plans';
import { storedKey } from '../../../support/api/api';

const caller = (role: 'customer' | 'internal') => ({
  ...storedKey('x', { role }),
  keyHash: Buffer.alloc(32),
  plan: planNamed('scale')!,
});

test('only an internal key is an operator’s; a key on the best plan is a customer’s', () => {
  expect(audienceOf(caller('internal'))).toBe(OPERATORS);
  expect(audienceOf(caller('customer'))).toBe(CUSTOMERS);
  expect(audienceOf(null)).toBe(CUSTOMERS);
});

test('customers see bookmakers, including retired ones, but no exchange or reference book', () => {
  const kinds = CUSTOMERS.bookmakers.map((key) => BOOKMAKERS.find((book) => book.key === key)!.kind);
  expect(new Set(kinds)).toEqual(new Set(['bookmaker']));
  expect(OPERATORS.bookmakers).toHaveLength(BOOKMAKERS.length);
});

test('a foreign book is in no comparison, including an operator’s', () => {
  for (const key of ['pinnacle', 'ladbrokes_uk', 'williamhill', 'betway_uk'])
    expect([...CUSTOMERS.compared, ...OPERATORS.compared]).not.toContain(key);
});

describe('market state', () => {
  const at = '2026-11-21T03:00:30.000Z';
  const state = (source: string | null): MarketState => ({
    market_status: 'CLOSED',
    inplay: true,
    market_closed_at: at,
    inplay_at: at,
    market_state_source: source,
  });
  const nothing = Object.fromEntries(Object.keys(state(null)).map((name) => [name, null]));

  test.each(['betfair_ex_au', 'pinnacle', 'a_book_of_no_table', null])('of %s is withheld from customers', (source) => {
    expect(marketStateFor(CUSTOMERS, state(source))).toEqual(nothing);
    expect(marketStateFor(OPERATORS, state(source))).toEqual(state(source));
  });

  test('of a bookmaker is served, without the facts that only an exchange reports', () => {
    const shown = marketStateFor(CUSTOMERS, state('pointsbetau'));
    expect(shown).toEqual({ ...state('pointsbetau'), inplay: null, inplay_at: null });
  });
});

test('a connector that is not a book is shown to everyone, an exchange’s to operators only', () => {
  expect([CUSTOMERS, OPERATORS].map((who) => connectorVisible(who, 'racing_australia'))).toEqual([true, true]);
  expect([CUSTOMERS, OPERATORS].map((who) => connectorVisible(who, 'betfair_ex_au'))).toEqual([false, true]);
});

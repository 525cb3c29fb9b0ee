// What `npm run verify -- --sports` finds and what it does not: its arithmetic and its judgements, on plain values.
import fc from 'fast-check';
import { arbitrage } from '../../src/domain/sports/arbitrage';
import { runs } from '../support/property';

type Rows = readonly object[];
const { profitPct } = require('../../scripts/verify/sports/arithmetic.mjs') as {
  profitPct(prices: readonly number[]): number;
};
const judge = require('../../scripts/verify/sports/judge.mjs') as {
  wronglyJoined(rows: Rows): readonly string[];
  standingTwice(rows: Rows, listed: (one: string, other: string) => boolean): readonly string[];
  areTwins(a: object, b: object): boolean;
  indexRaw(sent: Rows, truthOfRow: (list: object, event: object) => object | null): object;
  wrongArbs(events: Rows, of: object): readonly string[];
};

const START = Date.parse('2026-11-24T03:00:00.000Z');
const MINUTE = 60_000;
const match = { id: 'm', home: 'Broncos', away: 'Storm', start: 'then' };
const truth = { id: 'm', sport: 'nrl', match, turned: false };

test('the arithmetic equals the service’s to the hundredth, without shared code', () => {
  const price = fc.integer({ min: 101, max: 2000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 3 }), (prices) => {
      expect(Math.max(0, profitPct(prices))).toBe(arbitrage(prices)?.profitPct ?? 0);
    }),
    { numRuns: runs(1000) },
  );
});

test('two true matches in one, and one true match in two without a report, are found', () => {
  const row = (event_id: string, id: string) => ({
    event_id,
    name: `${event_id} ${id}`,
    stands: true,
    truth: { ...truth, id },
  });
  expect(judge.wronglyJoined([row('a', 'm'), row('a', 'm'), row('b', 'n')])).toEqual([]);
  expect(judge.wronglyJoined([row('a', 'm'), row('a', 'n')])).toHaveLength(1);
  const twice = [row('a', 'm'), row('b', 'm'), row('c', 'n')];
  expect(judge.standingTwice(twice, () => false)).toHaveLength(1);
  expect(judge.standingTwice(twice, () => true)).toEqual([]);
});

test('probable twins start together at different books, and their prices agree', () => {
  const one = { startMs: START, books: ['tab'], teams: ['Marlow Bay Foxes', 'St Avery Vikings'], share: 0.6 };
  const other = { ...one, books: ['neds'], teams: ['Mar Foxes', 'Avery'], share: 0.5 };
  expect(judge.areTwins(one, other)).toBe(true);
  for (const more of [{ books: ['tab'] }, { startMs: START + 11 * MINUTE }, { teams: ['Kil U', 'Nor C'] }])
    expect(judge.areTwins(one, { ...other, ...more })).toBe(false);
});

describe('an announced arb', () => {
  const list = (book: string, fromMinutes: number, [home, away]: readonly [number, number], more: object = {}) => {
    const fromMs = START + fromMinutes * MINUTE;
    const outcomes = [
      { name: 'Broncos', price: home, point: null },
      { name: 'Storm', price: away, point: null },
    ];
    const events = [{ home_team: 'Broncos', away_team: 'Storm', markets: [{ market: 'h2h', atMs: fromMs, outcomes }] }];
    return { by: 'push', book, sport: null, fromMs, toMs: fromMs + 100, isCertain: true, events, ...more };
  };
  const legs = [
    { bookmaker: 'tab', selection: 'Broncos', odds: 2.1 },
    { bookmaker: 'neds', selection: 'Storm', odds: 2.1 },
  ];
  const facts = { event_id: 'e', event_name: 'Broncos v Storm', market_type: 'h2h', edge_pct: 5, legs };
  const found = (sent: Rows, more: object = {}, truths: Rows = [truth]): readonly string[] =>
    judge.wrongArbs([{ at: new Date(START).toISOString(), ruled: false, facts: { ...facts, ...more } }], {
      truthsOf: () => truths,
      raw: judge.indexRaw(sent, () => truth),
      knowsSide: (_: object, name: string) => ({ Broncos: 'home', Storm: 'away' })[name] ?? null,
    });
  const [tab, neds] = [list('tab', -5, [2.1, 1.7]), list('neds', -1, [1.7, 2.1])] as const;

  test('is not missing if the raw prices make it, also by the feed where a book pushes nothing', () => {
    expect(found([tab, neds])).toEqual([]);
    expect(found([tab, { ...neds, by: 'feed', sport: 'rugbyleague_nrl' }])).toEqual([]);
    // The feed's prices of a book that pushes do not count.
    const fed = list('tab', -2, [2.1, 1.7], { by: 'feed', sport: 'rugbyleague_nrl' });
    expect(found([list('tab', -5, [2, 1.8]), fed, neds])).toHaveLength(1);
  });

  test.each<[string, Rows, object, Rows]>([
    ['a price that a later push has changed', [tab, list('tab', -2, [2.09, 1.7]), neds], {}, [truth]],
    ['a price that was pushed after it', [tab, list('neds', 1, [1.7, 2.1])], {}, [truth]],
    ['a price of more than half an hour ago', [list('tab', -31, [2.1, 1.7]), neds], {}, [truth]],
    ['another edge', [tab, neds], { edge_pct: 5.01 }, [truth]],
    ['one side twice', [tab, neds], { legs: [legs[0], legs[0]] }, [truth]],
    ['a selection of another match', [tab, neds], { legs: [legs[0], { ...legs[1], selection: 'Dolphins' }] }, [truth]],
    [
      'prices that return less than they cost',
      [list('tab', -5, [1.9, 1.7]), neds],
      { legs: [{ ...legs[0], odds: 1.9 }, legs[1]] },
      [truth],
    ],
    ['a match that is two true ones', [tab, neds], {}, [truth, { ...truth, id: 'n' }]],
  ])('of %s is found', (_, sent, more, truths) => expect(found(sent, more, truths)).toHaveLength(1));
});

import { type ClosingPrices, closingConsensus, isClosing } from '../../../src/domain/sports/closing';
import { sportOf } from '../../../src/domain/sports/sports';
import { priced } from '../../support/sports/matches';

const START = Date.parse('2026-11-21T02:30:00.000Z');
const SEEN = '2026-11-21T02:20:00.000Z';
const quote = (bookmaker: string, prices: ReturnType<typeof priced>, lastSeenAt = SEEN): ClosingPrices => ({
  ...prices,
  bookmaker,
  recordedAt: SEEN,
  lastSeenAt,
});
const h2h = (home: number, away: number, draw: number | null = null) => priced('h2h', { home, away, draw });
const line = (point: number, home: number, away: number) =>
  priced('spreads', { home, away, homePoint: point, awayPoint: -point });
const NRL = sportOf('nrl')!;
const EPL = sportOf('soccer_epl')!;

test('the median of prices seen in the last 30 minutes, of books with the same outcomes', () => {
  const quotes = [
    quote('a', h2h(1.8, 2.1)),
    quote('b', h2h(1.9, 2)),
    quote('c', h2h(1.7, 2.3, 21)),
    quote('d', h2h(5, 5), '2026-11-21T01:59:59.000Z'),
    quote('e', priced('h2h', { home: 4 })),
  ];
  const none = { homePoint: null, awayPoint: null };
  expect(closingConsensus(quotes, 'h2h', NRL, START)).toEqual({
    home: 1.85,
    draw: null,
    away: 2.05,
    ...none,
    books: 2,
  });
  expect(closingConsensus(quotes, 'h2h', EPL, START)).toEqual({ home: 1.7, draw: 21, away: 2.3, ...none, books: 1 });
  expect(closingConsensus(quotes, 'totals', NRL, START)).toBeNull();
  expect(isClosing(quote('f', h2h(2, 2), '2026-11-21T02:00:00.000Z'), START)).toBe(true);
});

test.each<[string, number[], number, number]>([
  ['the most common line', [-4.5, -3.5, -4.5, -6.5], -4.5, 2],
  ['of equals the nearest to the median', [-4.5, -3.5, -10.5], -4.5, 1],
  ['of these the lower', [-4.5, -3.5], -4.5, 1],
])('%s, and the medians at it', (_, points, expected, books) => {
  const quotes = points.map((point, i) => quote(`book${i}`, line(point, 1.9 + i / 100, 1.9)));
  const found = closingConsensus(quotes, 'spreads', NRL, START);
  expect(found).toMatchObject({ homePoint: expected, awayPoint: -expected, books });
  const at = points.flatMap((point, i) => (point === expected ? [1.9 + i / 100] : []));
  expect(found!.home).toBeCloseTo(at.reduce((sum, one) => sum + one) / at.length, 10);
});

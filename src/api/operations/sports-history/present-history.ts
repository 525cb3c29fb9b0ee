// Rows of past prices: movements and closing lines.
import type { Static } from '@sinclair/typebox';
import { halfUp } from '../../../domain/half-up';
import { type ClosingPrices, closingConsensus, isClosing, secsToStart } from '../../../domain/sports/closing';
import type { MarketPrices, MatchMarket } from '../../../domain/sports/sports';
import { sportOf } from '../../../domain/sports/sports';
import type { ClosedMatch } from '../../../store/reads/sports/closing';
import type { StoredMovement as MovementRow } from '../../../store/reads/sports/movements';
import type { CapturedPrices } from '../../../store/reads/sports/series';
import { identityOf } from '../sports/present-match';
import type { Movement, SportClosing } from './history-schema';

type Changes = Static<typeof Movement>['changes'];

const SIDES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'] as const;

export function presentMovement({ before, after, ...row }: MovementRow): Static<typeof Movement> {
  const { home_point, away_point } = after;
  return { ...row, home_point, away_point, changes: changesOf(before, after) };
}

function changesOf(before: CapturedPrices, after: CapturedPrices): Changes {
  const changes = SIDES.flatMap((side) => {
    const from = before[side];
    const to = after[side];
    if (from === null || to === null || from === to) return [];
    return [[side, { from, to, delta: halfUp(to - from, 10_000) }]];
  });
  return Object.fromEntries(changes) as Changes;
}

export function presentClosing(match: ClosedMatch): Static<typeof SportClosing> {
  const startMs = Date.parse(match.commenceTime);
  const sport = sportOf(match.sportKey)!;
  const keys = [...new Set(match.quotes.map(({ bookmaker }) => bookmaker))];
  const closing = (key: string, market: MatchMarket) => {
    const quote = match.quotes.find((one) => one.bookmaker === key && one.market === market);
    return quote ? closingPrice(quote, startMs) : null;
  };
  const consensus = (market: MatchMarket) => {
    const found = closingConsensus(match.quotes, market, sport, startMs);
    return found && { ...presentPrices(found), books: found.books };
  };
  return {
    event_id: match.eventId,
    canonical_event_id: match.canonicalId,
    ...identityOf(match),
    competition: match.competition,
    bookmakers: keys.map((key) => ({
      key,
      h2h: closing(key, 'h2h'),
      spreads: closing(key, 'spreads'),
      totals: closing(key, 'totals'),
    })),
    consensus: { h2h: consensus('h2h'), spreads: consensus('spreads'), totals: consensus('totals') },
  };
}

const closingPrice = (quote: ClosingPrices, startMs: number) => ({
  ...presentPrices(quote),
  recorded_at: quote.recordedAt,
  last_seen_at: quote.lastSeenAt,
  secs_to_start: secsToStart(quote, startMs),
  is_closing: isClosing(quote, startMs),
});

const presentPrices = ({ home, draw, away, homePoint, awayPoint }: MarketPrices) => ({
  home_price: home,
  draw_price: draw,
  away_price: away,
  home_point: homePoint,
  away_point: awayPoint,
});

// What a book offers on matches at an instant, in the format of the service's ingest body. Pure.
import { halfUp } from '../../domain/half-up';
import { sportOf } from '../../domain/sports/sports';
import { addDays, aetDay } from '../../domain/time/aet';
import { hashText, smoothNoise, unit } from '../world/random';
import { type Fixture, startAt } from './fixtures';
import type { League } from './leagues';
import { type Listing, listingOf } from './season/listing';
import { EVERY_LEAGUE, isOver, type SeasonMatch, seasonOf } from './season/season';
import type { SportBook } from './sport-books';

interface Selection {
  readonly name: string;
  readonly price: number;
  readonly point?: number;
}

export interface OfferedEvent {
  readonly source_id?: string;
  readonly sport_key: string;
  readonly home_team: string;
  readonly away_team: string;
  readonly commence_time: string;
  readonly competition?: string;
  readonly markets: readonly { readonly market_type: string; readonly selections: readonly Selection[] }[];
}

const HOUR_MS = 3_600_000;
/** Yesterday, because of starts that were put back; and as far ahead as any book prices. */
const DAYS = [-1, 0, 1, 2];

export function offerOf(seed: number, book: SportBook, nowMs: number): readonly OfferedEvent[] {
  const days = DAYS.map((ahead) => addDays(aetDay(nowMs), ahead));
  return EVERY_LEAGUE.flatMap((league) => days.flatMap((day) => seasonOf(seed, league, day)))
    .filter((match) => !isOver(match, nowMs) && isPriced(match.fixture, book, nowMs))
    .map((match) => offered(match, book, nowMs, listingOf(match, book)));
}

export function isPriced(fixture: Fixture, book: SportBook, nowMs: number): boolean {
  const startMs = startAt(fixture, nowMs);
  if (nowMs >= startMs || nowMs < startMs - book.opensHours * HOUR_MS) return false;
  const withdraws = hashText(book.key) % 3 === fixture.serial % 3;
  return !(withdraws && fixture.withdrawnMs !== null && nowMs >= fixture.withdrawnMs);
}

/** Null: the book sends none. */
export const pushedIdOf = ({ serial }: Fixture, { key, terse }: SportBook): string | null =>
  terse ? null : `${key}-${serial}`;

/** The match in the format that the book sends. */
export function offered({ league, fixture }: SeasonMatch, book: SportBook, nowMs: number, as: Listing): OfferedEvent {
  const sourceId = pushedIdOf(fixture, book);
  const [first, second] = as.isTurned ? [as.away, as.home] : [as.home, as.away];
  return {
    ...(sourceId !== null && { source_id: sourceId }),
    sport_key: as.sportKey,
    home_team: first,
    away_team: second,
    commence_time: new Date(startAt(fixture, nowMs)).toISOString(),
    ...(as.competition !== null && { competition: as.competition }),
    markets: marketsOf(league, fixture, book, as, nowMs),
  };
}

/** The book's view of the home side: the market's view of a while ago, and its own opinion. */
function oddsOf({ serial, strength }: Fixture, book: SportBook, nowMs: number): number {
  const hours = (nowMs - book.behindMinutes * 60_000) / HOUR_MS;
  const market = strength + 0.3 * smoothNoise(serial, 1, hours / 5) + 0.08 * smoothNoise(serial, 2, hours);
  return market + book.opinion * (unit(serial, hashText(book.key)) * 2 - 1);
}

const win = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

function marketsOf(league: League, fixture: Fixture, book: SportBook, names: Listing, nowMs: number) {
  const { serial } = fixture;
  const odds = oddsOf(fixture, book, nowMs);
  const draw = sportOf(league.sportKey)!.draw ? 0.27 - 0.04 * Math.abs(odds) : 0;
  const price = (probability: number): number => Math.max(1.01, halfUp(1 / (probability * book.margin), 100));
  const h2h = {
    market_type: 'h2h',
    selections: [
      { name: names.home, price: price(win(odds) * (1 - draw)) },
      { name: names.away, price: price(win(-odds) * (1 - draw)) },
      ...(draw > 0 ? [{ name: 'Draw', price: price(draw) }] : []),
    ],
  };
  if (!league.lines) return [h2h];
  const shift = unit(serial, hashText(book.key), 7) - 0.5;
  const half = (points: number): number => Math.floor(points) + 0.5;
  const point = half(-odds * league.lines.margin + shift);
  const total = half(league.lines.total * (1 + 0.04 * smoothNoise(serial, 3, nowMs / HOUR_MS / 6)) + shift);
  const even = 0.5 + 0.02 * smoothNoise(serial, hashText(book.key), nowMs / HOUR_MS / 2);
  const pair = (market_type: string, one: Selection, other: Selection) => ({ market_type, selections: [one, other] });
  return [
    h2h,
    pair(
      'spreads',
      { name: names.home, price: price(even), point },
      { name: names.away, price: price(1 - even), point: -point },
    ),
    pair(
      'totals',
      { name: `Over ${total}`, price: price(1 - even), point: total },
      { name: `Under ${total}`, price: price(even), point: total },
    ),
  ];
}

// The prices of a push: changed ones are written, and unlisted ones are withdrawn.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { swapped } from '../../domain/sports/read-market';
import { isAlternate, lineMarketOf } from '../../domain/sports/sports';
import { inParts } from '../../in-parts';
import type { ListedRow } from './listed-rows';
import type { PushedEvent } from './pushed-event';
import { WRITE_LINES, WRITE_QUOTES } from './quotes-sql';

/** Turned to the matches' own sides. Yields between rows. */
export function* quotesOf(rows: readonly ListedRow[], events: readonly PushedEvent[]): Generator<void, Quote[]> {
  const quotes: Quote[] = [];
  for (const row of rows) {
    for (const offered of events[row.at]!.markets) quotes.push(quoteOf(row, offered));
    yield;
  }
  return quotes;
}

type Quote = ReturnType<typeof quoteOf>;

function quoteOf(
  { event_id, swapped: turned }: ListedRow,
  { market, prices, sourceUpdatedAt }: PushedEvent['markets'][number],
) {
  const { home, draw, away, homePoint, awayPoint } =
    turned && lineMarketOf(market) !== 'totals' ? swapped(prices) : prices;
  return {
    event_id,
    market,
    home_price: home,
    draw_price: draw,
    away_price: away,
    home_point: homePoint,
    away_point: awayPoint,
    source_updated_at: sourceUpdatedAt,
  };
}

interface PricesOfPush {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  readonly quotes: readonly Quote[];
  /** The matches that the push lists, or no longer lists. */
  readonly touched: readonly string[];
}

interface PricesWritten {
  /** Markets whose prices or points changed, including withdrawn ones. */
  readonly changed: number;
  readonly takenBack: number;
  /** The matches with a changed price or point. */
  readonly moved: readonly string[];
}

const COLUMNS = [
  'event_id',
  'market',
  'home_price',
  'draw_price',
  'away_price',
  'home_point',
  'away_point',
  'source_updated_at',
] as const;

/** Before the rows of the push are written. */
export async function writePrices(
  client: ClientBase,
  { bookmakerKey, observedAt, quotes, touched }: PricesOfPush,
): Promise<PricesWritten> {
  const mains = quotes.filter(({ market }) => !isAlternate(market));
  const columns = COLUMNS.map((name) => arrayOf(mains.map((quote) => quote[name])));
  const written = await client.query<Main>(WRITE_QUOTES, [bookmakerKey, observedAt, touched, ...columns]);
  const alternates = await inParts(listText(quotes.filter(({ market }) => isAlternate(market))));
  const lines = await client.query<EventId>(WRITE_LINES, [bookmakerKey, observedAt, alternates, touched]);
  const { changed, taken_back: takenBack, moved } = written.rows[0]!;
  return { changed, takenBack, moved: [...new Set([...moved, ...lines.rows.map(({ event_id }) => event_id)])] };
}

/** JSON, as of the whole list at once. A large book has 30,000 alternates. */
function* listText(quotes: readonly Quote[]): Generator<void, string> {
  const texts: string[] = [];
  for (const quote of quotes) {
    texts.push(JSON.stringify(quote));
    yield;
  }
  return `[${texts.join()}]`;
}

/**
 * As PostgreSQL writes an array. For ids, keys, numbers and instants, none of which needs quotes: looking for those
 * takes longer than everything else.
 */
const arrayOf = (values: readonly (string | number | null | undefined)[]): string =>
  `{${values.map((one) => one ?? 'NULL').join(',')}}`;

interface Main {
  readonly changed: number;
  readonly taken_back: number;
  readonly moved: readonly string[];
}

interface EventId {
  readonly event_id: string;
}

// The fixed prices of a result: from one bookmaker for all placings (A 2.11 rule 3), never from two and never from an
// exchange.
import type { ClientBase } from 'pg';
import { visibleToCustomers } from '../../domain/bookmakers';
import type { FeedPlacing } from '../../domain/race/feed-race';
import { PLACES_THAT_COUNT } from '../../domain/results/placings';
import { type SettledPlacing, settlingOrder } from './merge';
import type { ResultRace, StoredResultRow } from './sources';

export interface SettledPlacings {
  readonly placings: readonly SettledPlacing[];
  readonly priceSource: string | null;
}

interface FixedPrice {
  readonly book: string;
  readonly number: number;
  readonly win: number;
  readonly place: number | null;
}

/** Best first; runners of a dead heat by number. */
export async function settledPlacings(
  client: ClientBase,
  race: ResultRace,
  placings: readonly FeedPlacing[],
  before: StoredResultRow | null,
): Promise<SettledPlacings> {
  const prices = [...settledPrices(before), ...(await fixedPrices(client, race, placings))];
  const priceSource = settlingBook(prices, placings);
  const names = await runnerNames(client, race);
  const sorted = [...placings].sort((a, b) => a.position - b.position || a.number - b.number);
  return {
    priceSource,
    placings: sorted.map(({ position, number, name }) => {
      const own = prices.filter((price) => price.book === priceSource && price.number === number);
      const place_price = own.find(({ place }) => place !== null)?.place ?? null;
      return { position, number, name: name ?? names.get(number) ?? null, win_price: own[0]?.win ?? null, place_price };
    }),
  };
}

/** The book that priced the most served placings; among several the first in settling order. Null: none priced any. */
function settlingBook(prices: readonly FixedPrice[], placings: readonly FeedPlacing[]): string | null {
  const served = new Set(placings.flatMap(({ position, number }) => (position <= PLACES_THAT_COUNT ? [number] : [])));
  const counted = prices.filter(({ book, number }) => served.has(number) && visibleToCustomers(book));
  const priced = (book: string): number =>
    new Set(counted.filter((price) => price.book === book).map(({ number }) => number)).size;
  const books = settlingOrder([...new Set(counted.map(({ book }) => book))]);
  return [...books].sort((a, b) => priced(b) - priced(a))[0] ?? null;
}

/** Prices of an earlier write are kept, whatever the book shows later. */
function settledPrices(before: StoredResultRow | null): readonly FixedPrice[] {
  const book = before?.priceSource;
  if (!book) return [];
  return before.placings.flatMap(({ number, win_price, place_price }) =>
    win_price === null ? [] : [{ book, number, win: win_price, place: place_price }],
  );
}

/**
 * Each book's price of these runners: the current one or, if the book has taken it down, that of the last tick under
 * the same number and name. Only ticks around the start are read, so that chunks of other days are not opened.
 */
const PRICES = `
  SELECT b.bookmaker_key AS book, q.number, COALESCE(q.win, t.win_price) AS win, COALESCE(q.place, t.place_price) AS place
    FROM race_books b
   CROSS JOIN LATERAL unnest(b.numbers, b.runner_keys, b.win, b.place) AS q (number, runner_key, win, place)
    LEFT JOIN LATERAL (
      SELECT win_price, place_price FROM price_ticks
       WHERE race_id = b.race_id AND bookmaker_key = b.bookmaker_key AND runner_number = q.number
         AND runner_key = q.runner_key
         AND captured_at > $3::timestamptz - interval '1 day' AND captured_at < $3::timestamptz + interval '1 day'
       ORDER BY captured_at DESC LIMIT 1) t ON q.win IS NULL OR q.place IS NULL
   WHERE b.race_id = $1 AND q.number = ANY ($2::smallint[]) AND COALESCE(q.win, t.win_price) IS NOT NULL`;

async function fixedPrices(
  client: ClientBase,
  { raceId, startTime }: ResultRace,
  placings: readonly FeedPlacing[],
): Promise<readonly FixedPrice[]> {
  const numbers = placings.map(({ number }) => number);
  return (await client.query<FixedPrice>(PRICES, [raceId, numbers, startTime])).rows;
}

async function runnerNames(client: ClientBase, { raceId }: ResultRace): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ number: number; name: string }>({
    name: 'runner-names',
    text: 'SELECT number, name FROM race_runners WHERE race_id = $1',
    values: [raceId],
  });
  return new Map(rows.map(({ number, name }) => [number, name]));
}

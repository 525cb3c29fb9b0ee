// The last filled prices of each race and match that a widget showed: nothing is charged twice in a minute, and a
// refused reader still gets prices. Written and read in the transaction of a fill.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';

/** A race or a match with a price. */
export interface PricedItem {
  readonly id: string;
  /** JSON. */
  readonly prices: unknown;
}

export interface LastPrices extends PricedItem {
  /** Wall time at which they were charged. */
  readonly filledAt: Instant;
}

const READ = `
  SELECT shown_id AS id, prices, filled_at AS "filledAt" FROM widget_last_prices
   WHERE widget_id = $1 AND reading = $2 AND shown_id = ANY ($3) AND filled_at > $4::timestamptz - interval '1 day'`;
const WRITE = `
  INSERT INTO widget_last_prices (widget_id, reading, shown_id, filled_at, prices)
  SELECT $1, $2, id, $3, prices FROM json_to_recordset($4::json) AS i (id text, prices jsonb)
  ON CONFLICT (widget_id, reading, shown_id) DO UPDATE SET filled_at = EXCLUDED.filled_at, prices = EXCLUDED.prices`;
const FORGET = `
  DELETE FROM widget_last_prices WHERE widget_id = $1 AND filled_at <= $2::timestamptz - interval '1 day'`;

/** `reading`: identifies how the prices were compared. */
export async function readLastPrices(
  client: ClientBase,
  widgetId: string,
  reading: string,
  ids: readonly string[],
  at: Instant,
): Promise<readonly LastPrices[]> {
  return (await client.query<LastPrices>(READ, [widgetId, reading, ids, at])).rows;
}

export async function writeLastPrices(
  client: ClientBase,
  widgetId: string,
  reading: string,
  items: readonly PricedItem[],
  at: Instant,
): Promise<void> {
  await client.query(FORGET, [widgetId, at]);
  await client.query(WRITE, [widgetId, reading, at, JSON.stringify(items)]);
}

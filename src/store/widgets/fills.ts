// Fills of widgets: what a reader of a customer's site sees is charged to the customer (A 4.13). The widget's row
// decides for all API processes: under its lock prices are charged once in 60 seconds, and no hour, month or network of
// readers has more fills than allowed.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { chargeWithin, type MonthlyCreditsOf } from '../credits/charge-within';
import type { ApiKeyRow } from '../keys/keys';
import { inTransaction } from '../pg/transaction';
import { type Asked, countFill, type FillShare, type Full, fullFor } from './fill-limits';
import { type LastPrices, type PricedItem, readLastPrices, writeLastPrices } from './last-prices';
import { SETTINGS, type WidgetSettings } from './widgets';

/** As a page embeds it. */
export interface EmbeddedWidget extends WidgetSettings {
  readonly widgetId: string;
  readonly accountId: string;
  readonly plan: string;
  /** The account's primary key; null: none works. */
  readonly key: (Pick<ApiKeyRow, 'role' | 'issuedAt'> & { readonly keyId: string }) | null;
}

interface FillOrder {
  readonly embedId: string;
  /** Identifies what is read. */
  readonly parameters: string;
  readonly credits: number;
  /** Null: the usual set. */
  readonly share: FillShare | null;
  /** Identifies how the items are compared. */
  readonly reading: string;
  /** Everything shown with a price. */
  readonly items: readonly PricedItem[];
  /** Wall time, and its month. */
  readonly at: Instant;
  readonly period: string;
}

type Filled =
  /** `charged`: by this order; false: another one was, less than a minute before. */
  | { readonly kind: 'filled'; readonly at: Instant; readonly charged: boolean }
  /** Each item was charged less than a minute before, in other sets. */
  | { readonly kind: 'known'; readonly last: readonly LastPrices[] }
  /** `last`: earlier charged values of the items, within a day. */
  | (Full & { readonly last: readonly LastPrices[] })
  /** Too few credits. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'missing' };

export interface WidgetFillStore {
  /** Null: no widget has this id now. */
  embedded(embedId: string): Promise<EmbeddedWidget | null>;
  /** When the parameter set was filled within the last minute; null: it was not. */
  filledAt(widgetId: string, parameters: string, at: Instant): Promise<Instant | null>;
  /** `judge` gets the widget under its lock and may throw, in which case nothing is charged. */
  fill(order: FillOrder, judge: (widget: EmbeddedWidget) => void, monthlyCreditsOf: MonthlyCreditsOf): Promise<Filled>;
}

const EMBEDDED = {
  name: 'widgets-embedded',
  text: `
  SELECT w.widget_id AS "widgetId", w.account_id AS "accountId", a.plan, ${SETTINGS}, k.key
    FROM widgets w JOIN accounts a USING (account_id)
    LEFT JOIN LATERAL (
      SELECT json_build_object('keyId', key_id, 'role', role, 'issuedAt', issued_at) AS key FROM api_keys
       WHERE account_id = w.account_id AND is_primary AND revoked_at IS NULL AND expires_at IS NULL LIMIT 1) k ON true
   WHERE w.embed_id = $1`,
};
/** In either direction, because the clock may have been set back. */
const FILLED_AT = {
  name: 'widgets-filled-at',
  text: `
  SELECT filled_at AS at FROM widget_fills
   WHERE widget_id = $1 AND parameters = $2
     AND filled_at > $3::timestamptz - interval '1 minute' AND filled_at < $3::timestamptz + interval '1 minute'
   ORDER BY filled_at DESC LIMIT 1`,
};

const MINUTE_MS = 60_000;
/** Names fills in the ledger and in `/v1/usage`. */
const SUBJECT = 'widget_fill';

class Spent extends Error {}

export function createWidgetFillStore(pool: Pool): WidgetFillStore {
  return {
    embedded: async (embedId) => (await pool.query<EmbeddedWidget>({ ...EMBEDDED, values: [embedId] })).rows[0] ?? null,
    filledAt: (...of) => filledAt(pool, ...of),
    fill: (...of) =>
      inTransaction(pool, (client) => fill(client, ...of)).catch((error) => {
        if (error instanceof Spent) return { kind: 'spent' };
        throw error;
      }),
  };
}

async function filledAt(
  by: Pick<Pool, 'query'> | ClientBase,
  ...values: [string, string, Instant]
): Promise<Instant | null> {
  return (await by.query<{ at: Instant }>({ ...FILLED_AT, values })).rows[0]?.at ?? null;
}

async function fill(
  client: ClientBase,
  order: FillOrder,
  judge: (widget: EmbeddedWidget) => void,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<Filled> {
  const { embedId, parameters, share, reading, items, at, period } = order;
  const locked = `${EMBEDDED.text} FOR NO KEY UPDATE OF w`;
  const [widget] = (await client.query<EmbeddedWidget>(locked, [embedId])).rows;
  if (!widget) return { kind: 'missing' };
  judge(widget);
  const { widgetId } = widget;
  const before = await filledAt(client, widgetId, parameters, at);
  if (before !== null) return { kind: 'filled', at: before, charged: false };
  const ids = items.map(({ id }) => id);
  const last = await readLastPrices(client, widgetId, reading, ids, at);
  if (last.filter((one) => isOfMinute(one, at)).length === items.length) return { kind: 'known', last };
  const asked: Asked = { widgetId, share, at, period };
  const full = await fullFor(client, widget, asked);
  if (full) return { ...full, last };
  await countFill(client, parameters, asked);
  await writeLastPrices(client, widgetId, reading, items, at);
  await charge(client, widget, order, monthlyCreditsOf);
  return { kind: 'filled', at, charged: true };
}

/** In either direction, because the clock may have been set back. */
const isOfMinute = ({ filledAt: filled }: LastPrices, at: Instant): boolean =>
  Math.abs(Date.parse(at) - Date.parse(filled)) < MINUTE_MS;

async function charge(
  client: ClientBase,
  { widgetId, accountId, key }: EmbeddedWidget,
  { parameters, credits, at, period }: FillOrder,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<void> {
  // Operators' accounts are not metered (D38).
  if (key?.role !== 'customer') return;
  const named = { businessKey: `widget ${widgetId} ${parameters} ${at}`, accountId, keyId: key.keyId };
  const line = { ...named, endpoint: SUBJECT, cost: credits, period, at };
  if ((await chargeWithin(client, line, monthlyCreditsOf)).verdict === 'spent') throw new Spent();
}

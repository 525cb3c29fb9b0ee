// The remaining room in a widget's hour and month (A 4.13): all of it for the usual set, shares of it for single races
// and matches. Judged and counted under the widget's lock.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { fillShares } from '../../domain/widgets/fill-shares';

/** The reader of one race or match. */
export interface FillShare {
  /** Identifies the network without being its address. */
  readonly reader: string;
  /** With a token of the widget's own page. */
  readonly byPage: boolean;
}

export interface FillLimits {
  readonly maxFillsPerHour: number;
  /** Null: none. */
  readonly maxFillsPerMonth: number | null;
}

export interface Asked {
  readonly widgetId: string;
  /** Null: the usual set. */
  readonly share: FillShare | null;
  readonly at: Instant;
  /** First day of the UTC month of `at`. */
  readonly period: string;
}

export interface Full {
  readonly kind: 'full';
  /** How long until another one is allowed. */
  readonly waitMs: number;
  /** It is the share of this reader alone. */
  readonly isOwn: boolean;
}

const FORGET = `DELETE FROM widget_fills WHERE widget_id = $1 AND filled_at <= $2::timestamptz - interval '1 hour'`;
/** For each limit the fill that must leave the hour before there is another one. */
const since = (offset: number, where: string): string =>
  `(SELECT filled_at FROM widget_fills WHERE widget_id = $1 ${where} ORDER BY filled_at DESC OFFSET $${offset} LIMIT 1)`;
const FULL_SINCE = `SELECT ${since(2, '')} AS hour, NULL AS singles, NULL AS network, NULL AS unsigned`;
const SINGLE_FULL_SINCE = `
  SELECT ${since(2, '')} AS hour, ${since(3, 'AND reader IS NOT NULL')} AS singles, ${since(4, 'AND reader = $6')} AS network,
         CASE WHEN NOT $7 THEN ${since(5, 'AND reader IS NOT NULL AND NOT by_page')} END AS unsigned`;
const MONTH = 'SELECT fills, singles FROM widget_months WHERE widget_id = $1 AND period = $2';
const COUNT = `
  INSERT INTO widget_months AS m (widget_id, period, fills, singles) VALUES ($1, $2, 1, $3)
  ON CONFLICT (widget_id, period) DO UPDATE SET fills = m.fills + 1, singles = m.singles + EXCLUDED.singles`;
const FORGET_MONTHS = 'DELETE FROM widget_months WHERE widget_id = $1 AND period < $2';
const FILL = `
  WITH filled AS (INSERT INTO widget_fills (widget_id, parameters, filled_at, reader, by_page) VALUES ($1, $2, $3, $4, $5))
  UPDATE widgets SET last_filled_at = $3 WHERE widget_id = $1`;

const HOUR_MS = 3_600_000;

/** Null: there is room for this fill. */
export async function fullFor(client: ClientBase, limits: FillLimits, asked: Asked): Promise<Full | null> {
  await client.query(FORGET, [asked.widgetId, asked.at]);
  return (await monthFullFor(client, limits, asked)) ?? (await hourFullFor(client, limits, asked));
}

async function hourFullFor(
  client: ClientBase,
  { maxFillsPerHour }: FillLimits,
  { widgetId, share, at }: Asked,
): Promise<Full | null> {
  const { singles, ofNetwork, ofNetworkWithoutToken, withoutToken } = fillShares(maxFillsPerHour);
  const ofReader = share?.byPage ? ofNetwork : ofNetworkWithoutToken;
  const offsets = [maxFillsPerHour, singles, ofReader, withoutToken].map((most) => most - 1);
  const [found] = (
    share === null
      ? await client.query<Since>(FULL_SINCE, [widgetId, offsets[0]])
      : await client.query<Since>(SINGLE_FULL_SINCE, [widgetId, ...offsets, share.reader, share.byPage])
  ).rows;
  const { hour, singles: ofSingles, network, unsigned } = found!;
  const leaving = [hour, ofSingles, network, unsigned].flatMap((one) => (one === null ? [] : [Date.parse(one)]));
  if (leaving.length === 0) return null;
  const waitMs = Math.max(1, Math.max(...leaving) + HOUR_MS - Date.parse(at));
  return { kind: 'full', waitMs, isOwn: hour === null && ofSingles === null };
}

type Since = Readonly<Record<'hour' | 'singles' | 'network' | 'unsigned', Instant | null>>;

async function monthFullFor(
  client: ClientBase,
  { maxFillsPerMonth }: FillLimits,
  { widgetId, share, at, period }: Asked,
): Promise<Full | null> {
  if (maxFillsPerMonth === null) return null;
  const [used] = (await client.query<{ fills: number; singles: number }>(MONTH, [widgetId, period])).rows;
  if (!used) return null;
  // Single races leave half of the month to the usual set, as of the hour.
  const singles = maxFillsPerMonth - Math.floor(maxFillsPerMonth / 2);
  if (used.fills < maxFillsPerMonth && (share === null || used.singles < singles)) return null;
  const [year, month] = period.split('-').map(Number) as [number, number];
  return { kind: 'full', waitMs: Math.max(1, Date.UTC(year, month) - Date.parse(at)), isOwn: false };
}

export async function countFill(
  client: ClientBase,
  parameters: string,
  { widgetId, share, at, period }: Asked,
): Promise<void> {
  await client.query(FILL, [widgetId, parameters, at, share?.reader ?? null, share?.byPage ?? false]);
  await client.query(COUNT, [widgetId, period, share === null ? 0 : 1]);
  await client.query(FORGET_MONTHS, [widgetId, period]);
}

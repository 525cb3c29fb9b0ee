// Judges growth: which tables may grow forever and why, and whether a later census is within that. Every other table
// must stay within a limit, so a table that is added later is judged without a line here. Pure.
import type { Census, TableSize } from './census';

const RACES = 'races: each is kept for ever';
const ARCHIVE = 'races: the permanent archive';
const REGISTRY = 'meetings: the registries’ own documents';
const ANIMALS = 'runs of animals';
const CREDITS = 'calls, for 14 months';
const SUMS = 'days and months of an account with calls';
const MATCHES = 'matches: each is kept for ever';
const ORDERS = 'orders';
const FILES = 'days and months that have files';
const ONCE = 'events: what is announced once, for ever';

/** By the thing with which they grow. Each is meant to be kept forever, or for longer than a year. */
export const GROWING: Readonly<Record<string, string>> = {
  ...same(
    RACES,
    'races race_runners race_names race_books race_book_cards race_control race_results race_book_results race_abandonments',
  ),
  ...same(
    RACES,
    'exchange_markets exchange_runners exchange_market_changes abandonment_notices track_condition_changes',
  ),
  ...same(
    ARCHIVE,
    'archived_races archived_runners packed_closing_lines packed_price_paths packed_withheld_lines packed_withheld_paths archived_summaries archived_counts',
  ),
  ...same(
    ARCHIVE,
    'archived_day_counts archived_day_marks archived_days archived_month_counts archived_totals archived_marks',
  ),
  ...same(
    REGISTRY,
    'registry_meetings registry_races registry_runners registry_scratchings registry_changes registry_tracks registry_track_changes',
  ),
  ...same(REGISTRY, 'published_lists published_meetings published_races history_months history_meetings'),
  ...same(ANIMALS, 'stored_runs runs_by_name filled_runs horse_forms'),
  ...same(CREDITS, 'credit_ledger credit_once credit_late_lines'),
  ...same(SUMS, 'credit_usage credit_balances credit_closed credit_days'),
  ...same(MATCHES, 'sport_events sport_event_books sport_quotes sport_ticks'),
  ...same(ORDERS, 'backfill_jobs backfill_items backfill_forms'),
  ...same(FILES, 'bulk_files bulk_manifests bulk_periods'),
  ...same(ONCE, 'event_keys event_sequences announced_races announced_results'),
};

function same(reason: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, reason]));
}

/** Longer than any limited retention: ticks for 45 days plus a chunk. */
export const SETTLED_AFTER_DAYS = 92;
/** For rows, and for bytes, whose space is reused in pieces. */
const MORE_ROWS = 1.25;
const SPARE_ROWS = 60;
const MORE_BYTES = 1.5;
const SPARE_BYTES = 768 * 1024;

/** A sentence for each table that grew beyond its limit from `early` to `late`. */
export function grown(early: Census, late: Census): readonly string[] {
  const share = late.day / early.day;
  return [...late.tables].flatMap(([name, now]) => {
    const before = early.tables.get(name) ?? { rows: 0, bytes: 0, parts: 0 };
    return name in GROWING ? faster(name, before, now, share) : larger(name, before, now);
  });
}

function larger(name: string, before: TableSize, now: TableSize): readonly string[] {
  const found: string[] = [];
  if (now.rows > before.rows * MORE_ROWS + SPARE_ROWS)
    found.push(`${name} is to stay as it is, and grew from ${before.rows} to ${now.rows} rows`);
  if (now.bytes > before.bytes * MORE_BYTES + SPARE_BYTES)
    found.push(`${name} is to stay as it is, and grew from ${kb(before.bytes)} to ${kb(now.bytes)} kB`);
  return found;
}

/** No faster than the days. */
function faster(name: string, before: TableSize, now: TableSize, share: number): readonly string[] {
  if (now.rows <= before.rows * share * MORE_ROWS + SPARE_ROWS) return [];
  return [
    `${name} grows faster than the days: from ${before.rows} to ${now.rows} rows, days ${share.toFixed(1)} times`,
  ];
}

const kb = (bytes: number): number => Math.round(bytes / 1024);

export function grownBeside(early: Census, late: Census): readonly string[] {
  const found: string[] = [];
  if (late.redisKeys > early.redisKeys * 1.5 + 20)
    found.push(`Redis has ${late.redisKeys} keys, and had ${early.redisKeys}`);
  if (late.redisBytes > early.redisBytes * 1.5 + 1024 * 1024)
    found.push(`Redis uses ${kb(late.redisBytes)} kB, and used ${kb(early.redisBytes)}`);
  return found;
}

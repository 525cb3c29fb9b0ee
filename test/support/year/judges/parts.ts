// The partitions of tables on one day: nothing is in a default partition, tomorrow has its partitions, and none is
// older than its retention.
import type { Pool } from 'pg';

const DAY_MS = 86_400_000;
/** Kept for 45 days, and dropped within the hour after a whole UTC day. */
const TICK_DAYS = 47;
const EVENT_DAYS = 32;
const MOVE_DAYS = 5;
const LEDGER_MONTHS = 14;

const STRAYS = `
  SELECT (SELECT count(*) FROM event_days.events_default) AS events, (SELECT count(*) FROM event_days.webhook_deliveries_default) AS deliveries,
         (SELECT count(*) FROM event_days.webhook_attempts_default) AS attempts`;
const DAYS = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'event_days'::regnamespace AND relkind IN ('r', 'p') AND relname ~ '_\\d{8}'`;
const CHUNKS = `
  SELECT hypertable_name AS of, min(range_start) AS oldest, count(*) AS n FROM timescaledb_information.chunks
   WHERE hypertable_name IN ('price_ticks', 'price_breaks', 'poll_gaps', 'exchange_ticks') GROUP BY 1`;
const LEDGER = 'SELECT min(period)::text AS oldest FROM credit_ledger';

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const monthsBetween = (from: string, to: string): number =>
  12 * (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

export async function judgeParts(owner: Pool, nowMs: number): Promise<readonly string[]> {
  const found: string[] = [];
  const strays = (await owner.query<Record<string, number>>(STRAYS)).rows[0]!;
  for (const [of, n] of Object.entries(strays)) if (n > 0) found.push(`${n} ${of} stand in no day`);
  const names = (await owner.query<{ name: string }>(DAYS)).rows.map(({ name }) => name);
  const dayOf = (name: string): string => name.replace(/^.*_(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
  for (const of of ['events', 'webhook_deliveries', 'webhook_attempts']) {
    const tomorrow = `${of}_${dayText(nowMs + DAY_MS).replaceAll('-', '')}`;
    if (!names.includes(tomorrow)) found.push(`${tomorrow} is missing on the day before`);
  }
  for (const name of names) {
    const most = name.endsWith('_moves') ? MOVE_DAYS : EVENT_DAYS;
    if (dayOf(name) < dayText(nowMs - most * DAY_MS)) found.push(`${name} is over its time`);
  }
  for (const { of, oldest } of (await owner.query<{ of: string; oldest: string }>(CHUNKS)).rows)
    if (Date.parse(oldest) < nowMs - TICK_DAYS * DAY_MS) found.push(`${of} has a chunk of ${oldest.slice(0, 10)}`);
  const { oldest } = (await owner.query<{ oldest: string | null }>(LEDGER)).rows[0]!;
  if (oldest !== null && monthsBetween(oldest, dayText(nowMs)) > LEDGER_MONTHS)
    found.push(`the ledger has lines of ${oldest}`);
  return found.map((line) => `${dayText(nowMs)}: ${line}`);
}

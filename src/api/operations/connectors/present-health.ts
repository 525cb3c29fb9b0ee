// Presents health rows.
import type { Static } from '@sinclair/typebox';
import { EXPECTED_BOOKS } from '../../../domain/bookmakers';
import { halfUp } from '../../../domain/half-up';
import { REGISTRY_CONNECTORS } from '../../../domain/registry/connectors';
import type { ConnectorHealthRow } from '../../../store/reads/connectors/connector-health';
import type { UptimeRow } from '../../../store/reads/connectors/uptime';
import type { ConnectorHealth, Uptime } from './health-schema';

/** Adds a row for every expected book and registry that was never polled. Ordered by name. */
export function withSilent(rows: readonly ConnectorHealthRow[]): ConnectorHealthRow[] {
  const polled = new Set(rows.map((row) => row.connector));
  const expected = [...EXPECTED_BOOKS, ...REGISTRY_CONNECTORS];
  const silent = expected.filter((key) => !polled.has(key)).map((connector) => ({ ...NEVER, connector }));
  return [...rows, ...silent].sort((a, b) => (a.connector < b.connector ? -1 : 1));
}

const NEVER = { last_ok_at: null, last_poll_at: null, status: 'never polled', message: null, records_written: 0 };

export function presentConnector(row: ConnectorHealthRow): Static<typeof ConnectorHealth> {
  const ok = row.status === 'ok';
  const reason = [row.status, row.message].filter((part) => part !== null).join(': ');
  return {
    connector: row.connector,
    last_ok: row.last_ok_at,
    last_poll: row.last_poll_at,
    status: ok ? 'ok' : 'error',
    records_written: row.records_written,
    message: ok ? row.message : reason,
  };
}

const MINUTE_MS = 60_000;
const MONITOR_STALE_MINUTES = 15;

/**
 * Without measurements the uptime is null, never 0 or 100. The probe runs on wall time, but its ages are in race time
 * (`clockSpeed`).
 */
export function presentUptime(
  row: UptimeRow,
  probeTarget: string,
  nowMs: number,
  clockSpeed: number,
): Static<typeof Uptime> {
  const since = (at: string | null, unitMs: number, scale: number) =>
    at === null ? null : halfUp((nowMs - Date.parse(at)) / unitMs, scale);
  const lastAge = since(row.last_check, MINUTE_MS, 10);
  return {
    uptime_30d_pct: row.checks === 0 ? null : halfUp((100 * row.ok) / row.checks, 1000),
    checks: row.checks,
    probe_target: row.last_target ?? probeTarget,
    measures: 'Share of probes of the service’s own health endpoint that were answered in time, over the last 30 days.',
    note: 'Measured by a probe inside the service: it covers the API and its database, not the network between the service and you.',
    last_check: row.last_check,
    last_status: row.last_ok === null ? null : row.last_ok ? 'ok' : 'fail',
    monitor_stale: lastAge === null || lastAge > MONITOR_STALE_MINUTES * Math.max(1, clockSpeed),
    last_check_age_min: lastAge,
    window_first_check: row.first_check,
    window_span_days: since(row.first_check, 24 * 60 * MINUTE_MS, 1000),
    ...(row.checks === 0 && { status: 'no data yet' as const }),
  };
}

// Presents connector rows. Unmeasured values are null, and uncounted reasons are absent.
import type { Static } from '@sinclair/typebox';
import { REGISTRY_CONNECTORS, REGISTRY_STALE_SECONDS } from '../../../domain/registry/connectors';
import { ageSeconds } from '../../../domain/time/staleness';
import type { ConnectorStatusRow, GateRow } from '../../../store/reads/connectors/connector-status';
import type { SportCoverageRow } from '../../../store/reads/sports/coverage';
import type { ConnectorList } from './connectors-schema';

type Wire = Static<typeof ConnectorList>['connectors'][number];

export interface ConnectorView {
  readonly nowMs: number;
  readonly staleAfterSeconds: number;
  /** Null: not shown. */
  readonly sports: readonly SportCoverageRow[] | null;
  readonly coverageStaleAfterSeconds: number;
}

export function presentConnectorStatus(row: ConnectorStatusRow, view: ConnectorView): Wire {
  const since = (at: string | null) => (at === null ? null : ageSeconds(Date.parse(at), view.nowMs));
  const lastOk = since(row.last_ok_at);
  const lastPoll = since(row.last_poll_at);
  const because = degradedBecause(row);
  const staleAfter = Math.max(view.staleAfterSeconds, shortestStale(row.connector));
  return {
    connector: row.connector,
    last_ok_age_s: lastOk,
    last_poll_age_s: lastPoll,
    last_change_age_s: since(row.last_change_at),
    polling: lastPoll !== null && lastPoll <= staleAfter,
    stale: lastOk === null || lastOk > staleAfter,
    degraded: because.length > 0,
    degraded_because: because,
    polls: row.polls ?? 0,
    records_written: row.records_written ?? 0,
    last_msg: row.status === null || row.status === 'ok' ? null : [row.status, row.message].filter(Boolean).join(': '),
    failures: row.failed ?? {},
    dropped: row.dropped ?? {},
    refused: row.refused ?? {},
    breaker: row.gates && breakerOf(row.gates),
    budget: row.gates && budgetOf(row.gates),
    ages: agesOf(row),
    ...(view.sports && sportsOf(row.connector, view.sports, view)),
  };
}

function sportsOf(connector: string, rows: readonly SportCoverageRow[], view: ConnectorView) {
  const sports = rows
    .filter(({ bookmaker }) => bookmaker === connector)
    .map(({ sportKey, markets, newestAt }) => {
      const age = ageSeconds(Date.parse(newestAt), view.nowMs);
      const covering = age <= view.coverageStaleAfterSeconds;
      return { sport_key: sportKey, markets, newest_age_s: age, covering };
    });
  return { sports, sports_not_covering: sports.flatMap((one) => (one.covering ? [] : [one.sport_key])) };
}

const shortestStale = (connector: string): number =>
  REGISTRY_CONNECTORS.includes(connector) ? REGISTRY_STALE_SECONDS : 0;

function degradedBecause({ status, gates }: ConnectorStatusRow): Wire['degraded_because'] {
  const because: Wire['degraded_because'] = [];
  if (status !== null && status !== 'ok') because.push('last_poll_failed');
  if (gates?.some((gate) => gate.breaker !== 'closed')) because.push('breaker_open');
  if (gates?.some((gate) => gate.source === 'own_share')) because.push('budget_not_shared');
  return because;
}

const WORST = ['open', 'half_open', 'closed'] as const;

function breakerOf(gates: readonly GateRow[]): NonNullable<Wire['breaker']> {
  const state = WORST.find((one) => gates.some((gate) => gate.breaker === one))!;
  const sinceMs = gates.filter((gate) => gate.breaker === state).map((gate) => Date.parse(gate.since));
  return {
    state,
    since: new Date(Math.min(...sinceMs)).toISOString(),
    workers: gates.length,
    workers_open: gates.filter((gate) => gate.breaker === 'open').length,
    refused: gates.reduce((sum, gate) => sum + gate.byBreaker, 0),
  };
}

/** Every worker reports a shared budget in full; workers without sharing report their parts, which are summed. */
function budgetOf(gates: readonly GateRow[]): NonNullable<Wire['budget']> {
  const own = gates.filter((gate) => gate.source === 'own_share');
  const rates = (own.length > 0 ? own : gates).map((gate) => gate.perSecond);
  return {
    per_second: own.length > 0 ? rates.reduce((sum, rate) => sum + rate, 0) : Math.max(...rates),
    source: own.length > 0 ? 'own_share' : 'shared',
    refused: gates.reduce((sum, gate) => sum + gate.overBudget, 0),
  };
}

function agesOf({ live_races, ages }: ConnectorStatusRow): Wire['ages'] {
  const [p50, p90, p99] = ages ?? [];
  return { live_races: live_races ?? 0, p50_s: p50 ?? null, p90_s: p90 ?? null, p99_s: p99 ?? null };
}

// The health of the collectors: last poll, last success, and all drops and failures, counted by reason and UTC day.
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

export interface ConnectorPoll {
  readonly connector: string;
  readonly at: Instant;
  readonly ok: boolean;
  /** `ok` or the failure's reason. */
  readonly status: string;
  readonly message: string | null;
  readonly recordsWritten: number;
  readonly counts: readonly { kind: 'dropped' | 'failed' | 'refused'; reason: string; count: number }[];
  /** False: nothing was sent (no budget, breaker open) and only `counts` matters. Absent: sent. */
  readonly sent?: boolean;
}

/** One book's gate in one worker, as an operator reads it (`connector_gates`). */
export interface GateReport {
  readonly connector: string;
  readonly worker: string;
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly breakerSince: Instant;
  readonly budgetPerSecond: number;
  readonly budgetSource: 'shared' | 'own_share';
  readonly refusedOverBudget: number;
  readonly refusedBreaker: number;
}

export interface UptimeCheck {
  readonly at: Instant;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly target: string;
}

export interface HealthStore {
  recordPolls(polls: readonly ConnectorPoll[]): Promise<void>;
  /** The gates of one worker. Idempotent. Resolves to the number of workers that have reported since `silentSince`. */
  reportGates(reports: readonly GateReport[], at: Instant, silentSince: Instant): Promise<number>;
  /** In order of time. Idempotent by `at`. Forgets what is older than 30 days. */
  recordUptime(checks: readonly UptimeCheck[]): Promise<void>;
}

/** One statement, because short activities end all the time and lock the same few rows. */
const RECORD = `
  WITH counted AS (
    INSERT INTO connector_counts AS stored (connector, day, kind, reason, count)
    SELECT connector, day, kind, reason, sum(count)
      FROM jsonb_to_recordset($2) AS n (connector text, day date, kind text, reason text, count bigint)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (connector, day, kind, reason) DO UPDATE SET count = stored.count + EXCLUDED.count
  )
  INSERT INTO connector_health AS stored (connector, last_ok_at, last_poll_at, status, message, polls, records_written)
  SELECT connector, last_ok_at, last_poll_at, status, message, polls, records_written
    FROM jsonb_to_recordset($1) AS n (connector text, last_ok_at timestamptz, last_poll_at timestamptz, status text, message text,
         polls bigint, records_written bigint)
   ORDER BY connector
  ON CONFLICT (connector) DO UPDATE
     SET last_ok_at = GREATEST(stored.last_ok_at, EXCLUDED.last_ok_at),
         -- Batches of several workers arrive in any order: the newest poll sets the status.
         status = CASE WHEN EXCLUDED.last_poll_at >= stored.last_poll_at THEN EXCLUDED.status ELSE stored.status END,
         message = CASE WHEN EXCLUDED.last_poll_at >= stored.last_poll_at THEN EXCLUDED.message ELSE stored.message END,
         last_poll_at = GREATEST(stored.last_poll_at, EXCLUDED.last_poll_at),
         polls = stored.polls + EXCLUDED.polls, records_written = stored.records_written + EXCLUDED.records_written`;

const REPORT_GATES = `
  INSERT INTO connector_gates AS stored (connector, worker, breaker, breaker_since, budget_per_second, budget_source,
         refused_over_budget, refused_breaker, reported_at)
  SELECT n.*, $2
    FROM jsonb_to_recordset($1) AS n (connector text, worker text, breaker text, "breakerSince" timestamptz,
         "budgetPerSecond" float8, "budgetSource" text, "refusedOverBudget" bigint, "refusedBreaker" bigint)
   ORDER BY connector
  ON CONFLICT (connector, worker) DO UPDATE
     SET breaker = EXCLUDED.breaker, breaker_since = EXCLUDED.breaker_since,
         budget_per_second = EXCLUDED.budget_per_second, budget_source = EXCLUDED.budget_source,
         refused_over_budget = EXCLUDED.refused_over_budget, refused_breaker = EXCLUDED.refused_breaker,
         reported_at = EXCLUDED.reported_at`;

/** A worker that was gone for a day has another name when it comes back. */
const FORGET_GATES = `DELETE FROM connector_gates WHERE reported_at < $1::timestamptz - interval '1 day'`;

const RECORD_UPTIME = `
  INSERT INTO uptime_checks (checked_at, ok, latency_ms, target)
  SELECT * FROM unnest($1::timestamptz[], $2::boolean[], $3::integer[], $4::text[])
  ON CONFLICT (checked_at) DO NOTHING`;

/** The longest time for which any of them is read (`uptime`; the counts of connectors, for two days). */
const FORGET_CHECKS = `
  WITH counts AS (DELETE FROM connector_counts WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 30)
  DELETE FROM uptime_checks WHERE checked_at <= $1::timestamptz - interval '30 days'`;

const COUNT_WORKERS = 'SELECT count(DISTINCT worker) AS workers FROM connector_gates WHERE reported_at >= $1';

export function createHealthStore(pool: Pool): HealthStore {
  return {
    async recordPolls(polls) {
      if (polls.length === 0) return;
      const counts = polls.flatMap(({ connector, at, counts }) =>
        counts.map((each) => ({ connector, day: at.slice(0, 10), ...each })),
      );
      const values = [JSON.stringify(summaries(polls)), JSON.stringify(counts)];
      await pool.query({ name: 'record-polls', text: RECORD, values });
    },
    async reportGates(reports: readonly GateReport[], at, silentSince) {
      await pool.query(REPORT_GATES, [JSON.stringify(reports), at]);
      await pool.query(FORGET_GATES, [at]);
      const { rows } = await pool.query<{ workers: number }>(COUNT_WORKERS, [silentSince]);
      return rows[0]!.workers;
    },
    async recordUptime(checks) {
      const latencies = checks.map(({ latencyMs }) => Math.round(latencyMs));
      await pool.query(RECORD_UPTIME, [
        ...[checks.map(({ at }) => at), checks.map(({ ok }) => ok), latencies],
        checks.map(({ target }) => target),
      ]);
      await pool.query(FORGET_CHECKS, [checks.at(-1)!.at]);
    },
  };
}

/** One row per connector of the batch to which a request was sent. */
function summaries(batch: readonly ConnectorPoll[]) {
  const polls = batch.filter((poll) => poll.sent !== false);
  const byConnector = new Map<string, ConnectorPoll[]>(polls.map((poll) => [poll.connector, []]));
  for (const poll of polls) byConnector.get(poll.connector)!.push(poll);
  return [...byConnector].map(([connector, own]) => {
    own.sort((a, b) => (a.at < b.at ? -1 : 1));
    const newest = own.at(-1)!;
    return {
      connector,
      last_ok_at: own.filter((poll) => poll.ok).at(-1)?.at ?? null,
      last_poll_at: newest.at,
      status: newest.status,
      message: newest.message,
      polls: own.length,
      records_written: own.reduce((sum, poll) => sum + poll.recordsWritten, 0),
    };
  });
}

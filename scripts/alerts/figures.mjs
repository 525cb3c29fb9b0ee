// The figures that Prometheus reads from a healthy service, and how an outage changes them, minute by minute in
// promtool's notation.
import { PAGED, TICKETED } from './schedules.mjs';

/** Minutes before each outage. */
export const WELL = 20;

/** In promtool's notation: a first value and the increase per minute. */
const line = (value, step, times) => `${value}${step < 0 ? '-' : '+'}${Math.abs(step)}x${times}`;

/**
 * Healthy minutes, then what `ill` states: a value, `GONE`, or `by(x)`, which adds x per minute.
 * @param {number[]} well
 * @param {number | symbol | { by: number }} [ill]
 */
export function minutes([well, step = 0], ill = by(step), lasting = 0) {
  const before = line(well, step, WELL - 1);
  if (ill === GONE) return `${before} stale _x${lasting}`;
  const last = well + step * WELL;
  return `${before} ${typeof ill === 'object' ? line(last, ill.by, lasting) : line(ill, 0, lasting)}`;
}

const GONE = Symbol('gone');
export const by = (step) => ({ by: step });
/** A series that begins with the outage. */
export const begins =
  (value, step = 0) =>
  (lasting) =>
    `_x${WELL} ${line(value, step, lasting)}`;

export const API = 'job="racing-odds-api",instance="api"';
export const [ONE, OTHER] = ['one', 'other'].map((name) => `job="racing-odds-worker",instance="${name}"`);
const QUEUES = ['workflows', 'poll', 'io', 'webhooks'];
const SCHEDULE_IDS = [...PAGED.values(), ...TICKETED.values()].flat();
const DISK = 'job="node",instance="database",mountpoint="/data",fstype="ext4"';

/** Every figure that a rule reads, while the service is healthy. */
export const HEALTHY = {
  ...Object.fromEntries([API, ONE, OTHER].map((target) => [`up{${target}}`, [1]])),
  ...Object.fromEntries(
    [API, ONE, OTHER].flatMap((target) => [
      [`racing_ready{need="database",${target}}`, [1]],
      [`racing_answer_time{need="database",${target}}`, [0.01]],
      [`racing_redis_up{${target}}`, [1]],
      [`racing_clock_ahead{${target}}`, [0]],
      [`racing_certificate_left{server="database",${target}}`, [4e6]],
      [`racing_live_races_unpolled{${target}}`, [0]],
      [`db_client_connection_pending_requests{${target}}`, [0]],
    ]),
  ),
  ...Object.fromEntries(
    [ONE, OTHER].flatMap((target) => [
      [`racing_ready{need="temporal",${target}}`, [1]],
      [`racing_polls_waiting{${target}}`, [0]],
      [`racing_lists_failing{book="tab",${target}}`, [0]],
      [`racing_lists_failing{book="neds",${target}}`, [0]],
      [`racing_lists_failing{book="unibet",${target}}`, [0]],
      [`racing_lists_age{book="tab",${target}}`, [200]],
      [`racing_lists_age{book="neds",${target}}`, [200]],
      [`racing_lists_age{book="unibet",${target}}`, [200]],
      [`racing_lists_races{book="tab",${target}}`, [300]],
      [`racing_lists_races{book="neds",${target}}`, [280]],
      [`racing_sports_listed{${target}}`, [12]],
      [`racing_sports_failing{${target}}`, [0]],
      [`racing_results_overdue{${target}}`, [0]],
      [`racing_fields_overdue{${target}}`, [0]],
      [`racing_registries_walled{${target}}`, [0]],
      [`racing_decisions_failing{${target}}`, [0]],
      [`racing_polls_ahead{${target}}`, [0]],
      [`racing_credits_faulty{${target}}`, [0]],
      [`racing_webhooks_oldest{${target}}`, [0]],
      [`temporal_worker_task_slots_available{worker_type="ActivityWorker",task_queue="racing-poll",${target}}`, [90]],
      ...QUEUES.map((queue) => [`racing_queue_unserved{queue="racing-${queue}",${target}}`, [0]]),
      ...SCHEDULE_IDS.map((schedule) => [`racing_schedule_age{schedule="${schedule}",${target}}`, [60]]),
    ]),
  ),
  [`racing_credits_unsettled{${API}}`]: [0],
  [`racing_mails_oldest{${API}}`]: [0],
  [`racing_price_alerts_pass_age{${API}}`]: [3],
  [`racing_billing_overdue{${API}}`]: [0],
  [`http_server_requests_total{http_response_status_code="200",${API}}`]: [0, 600],
  [`http_server_requests_total{http_response_status_code="503",${API}}`]: [0, 1],
  [`racing_rate_limit_requests_total{outcome="admitted",${API}}`]: [0, 600],
  [`racing_feed_call_duration_count{book="tab",outcome="ok",${ONE}}`]: [0, 60],
  [`racing_feed_call_duration_count{book="tab",outcome="unchanged",${ONE}}`]: [0, 80],
  [`racing_feed_call_duration_count{book="tab",outcome="timeout",${ONE}}`]: [0, 1],
  [`racing_poll_lag_count{urgency="near",${ONE}}`]: [0, 300],
  [`racing_polls_thinned_total{urgency="near",${ONE}}`]: [0, 1],
  [`racing_polls_thinned_total{urgency="usual",${ONE}}`]: [0, 10],
  [`racing_backup_age{${ONE}}`]: [36_000],
  [`racing_backup_log_age{${ONE}}`]: [40],
  [`racing_database_behind{${API}}`]: [1],
  [`racing_replica_used{${API}}`]: [1],
  [`racing_database_wal_kept{${ONE}}`]: [1e8],
  [`node_filesystem_avail_bytes{${DISK}}`]: [6e11],
  [`node_filesystem_size_bytes{${DISK}}`]: [1e12],
};

const changed = (matches, change) =>
  Object.fromEntries(
    Object.keys(HEALTHY)
      .filter((series) => matches.every((text) => series.includes(text)))
      .map((series) => [series, change]),
  );
export const gone = (...matches) => changed(matches, GONE);
export const is = (value, ...matches) => changed(matches, value);
/** Figures that a process reads from the database. */
const DATABASE_FIGURES = [
  'racing_lists',
  'racing_schedule',
  'racing_results',
  'racing_fields',
  'racing_registries',
].concat([
  'racing_live_races',
  'racing_backup',
  'racing_webhooks_oldest',
  'racing_database',
  'racing_billing',
  'racing_credits_faulty',
  'racing_polls_ahead',
  'racing_sports_listed',
  'racing_sports_failing',
]);
export const databaseFiguresGone = () => Object.assign({}, ...DATABASE_FIGURES.map((name) => gone(name)));

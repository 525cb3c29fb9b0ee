// Alerts that page about processes, the servers that they need, customers' requests, webhooks and money. `of`: a
// duration in PromQL's notation.
import { NO_API, NO_WORKER, SERVER_AWAY, SERVER_SLOW, unlessAway } from './causes.mjs';
import { DAY, HOUR, MINUTE } from './durations.mjs';

/** For a counter whose first series may start above zero, which `increase` does not see. */
const grown = (counter, span) => `(sum(${counter}) or vector(0)) - (sum(${counter} offset ${span}) or vector(0)) > 0`;
/**
 * Gauges that at least one process reports while the service is healthy: a rule whose figure is missing never fires.
 */
const REPORTED = [
  'racing_live_races_unpolled',
  'racing_polls_ahead',
  'racing_clock_ahead',
  'racing_results_overdue',
  'racing_schedule_age',
  'racing_queue_unserved',
  'racing_webhooks_oldest',
  'racing_billing_overdue',
  'racing_credits_faulty',
  'racing_mails_oldest',
  'racing_price_alerts_pass_age',
  'racing_redis_up',
  'db_client_connection_pending_requests',
];
const missing = (figure) => `label_replace(absent(${figure}), "figure", "${figure}", "", "")`;
const disks = 'fstype!~"tmpfs|overlay|squashfs|ramfs"';

export const PROCESSES = [
  {
    alert: 'ProcessDown',
    why: 'Where none of its kind answers, that is one alert and not one of each.',
    expr: () => 'up{job=~"racing-odds-.*"} == 0 unless on (job) max by (job) (up) == 0',
    for: 2 * MINUTE,
    severity: 'page',
    summary: '{{ $labels.job }} at {{ $labels.instance }} does not answer',
  },
  {
    alert: 'NoApi',
    why: 'Where targets are discovered, one that is gone leaves no `up` behind.',
    expr: () => NO_API,
    for: MINUTE,
    severity: 'page',
    summary: 'no API process answers',
    section: 'no-process-answers',
  },
  {
    alert: 'NoWorker',
    expr: () => NO_WORKER,
    for: MINUTE,
    severity: 'page',
    summary: 'no worker process answers',
    section: 'no-process-answers',
  },
  {
    alert: 'ServerAway',
    expr: () => SERVER_AWAY,
    for: MINUTE,
    severity: 'page',
    summary: 'no process reaches what it needs: {{ $labels.need }}',
  },
  {
    alert: 'ServerSlow',
    why: 'Of every process: one alone that is slow is busy itself.',
    expr: () => unlessAway(SERVER_SLOW, SERVER_AWAY),
    for: MINUTE,
    severity: 'page',
    summary: 'the {{ $labels.need }} takes {{ $value | humanizeDuration }} for the least answer',
  },
  {
    alert: 'CertificateEnding',
    expr: () => `min by (server, instance) (racing_certificate_left) < ${14 * DAY}`,
    for: 5 * MINUTE,
    severity: 'ticket',
    summary:
      'the certificate that {{ $labels.server }} shows {{ $labels.instance }} ends in {{ $value | humanizeDuration }}',
  },
  {
    alert: 'CertificateEndsSoon',
    expr: () => `min by (server) (racing_certificate_left) < ${2 * DAY}`,
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'the certificate that {{ $labels.server }} shows ends in {{ $value | humanizeDuration }}',
    section: 'certificate-ending',
  },
  {
    alert: 'ProcessNotReady',
    why: 'Where no process reaches a server, that is one alert and not one of each process.',
    expr: () => `min by (need, instance) (racing_ready) == 0 unless on (need) ${SERVER_AWAY}`,
    for: 3 * MINUTE,
    severity: 'ticket',
    summary: '{{ $labels.instance }} does not reach what it needs, and others do: {{ $labels.need }}',
    section: 'server-away',
  },
  {
    alert: 'FiguresMissing',
    why: 'A rule that reads a figure which no process reports cannot fire.',
    expr: () => unlessAway(REPORTED.map(missing).join('\n  or '), NO_API, NO_WORKER, SERVER_AWAY, SERVER_SLOW),
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'no process reports {{ $labels.figure }}: its alerts cannot fire',
  },
  {
    alert: 'QueueUnserved',
    expr: () => unlessAway('max by (queue) (racing_queue_unserved) > 0', SERVER_AWAY),
    for: 2 * MINUTE,
    severity: 'page',
    summary: 'no worker has served the queue {{ $labels.queue }} for five minutes',
  },
  {
    alert: 'NoFreePollSlots',
    expr: () =>
      'min by (task_queue) (temporal_worker_task_slots_available{worker_type="ActivityWorker", task_queue="racing-poll"}) < 10',
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: 'a worker has {{ $value }} slots left for live races',
    section: 'no-free-slots',
  },
  {
    alert: 'WorkflowTasksFail',
    expr: (of) => `sum(rate(temporal_workflow_task_execution_failed_total[${of(5 * MINUTE)}])) > 0`,
    for: 3 * MINUTE,
    severity: 'page',
    summary: 'workflow tasks fail: the code that runs does not fit a history',
  },
  {
    alert: 'RedisAway',
    expr: () => 'min(racing_redis_up) == 0',
    for: MINUTE,
    severity: 'page',
    summary: 'a process cannot reach Redis',
  },
  {
    alert: 'LimitsByProcess',
    expr: (of) => `sum(rate(racing_rate_limit_requests_total{outcome=~".*_alone"}[${of(5 * MINUTE)}])) > 0`,
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: 'API processes limit customers each by itself, by its share of the limit',
  },
  {
    alert: 'CreditsDropped',
    expr: (of) => grown('racing_credits_dropped_total', of(15 * MINUTE)),
    for: 0,
    severity: 'page',
    summary: '{{ $value }} calls that failed may stay charged',
    section: 'credits-not-given-back',
  },
  {
    alert: 'CreditsDoNotAddUp',
    expr: () => 'max(racing_credits_faulty) > 0',
    for: MINUTE,
    severity: 'page',
    summary: 'the credits of {{ $value }} accounts do not add up',
  },
  {
    alert: 'CreditsUnsettled',
    expr: () => 'sum(racing_credits_unsettled) > 0',
    for: 10 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value }} calls that failed wait to be given back',
    section: 'credits-not-given-back',
  },
  {
    alert: 'MailsWaiting',
    expr: () => 'max(racing_mails_oldest) > 600',
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'a mail of sign-up or sign-in has waited for {{ $value | humanizeDuration }}',
  },
  {
    alert: 'MailsGivenUp',
    why: 'A few recipients that do not exist are usual.',
    expr: (of) => `sum(increase(racing_mails_total{outcome="given_up"}[${of(HOUR)}])) > 10
  and sum(increase(racing_mails_total{outcome="given_up"}[${of(HOUR)}])) > 0.2 * sum(increase(racing_mails_total{outcome=~"sent|given_up"}[${of(HOUR)}]))`,
    for: 15 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value }} mails were given up within an hour, more than a fifth of all',
  },
  {
    alert: 'PriceAlertsLate',
    why: 'One process that compares them is enough.',
    expr: () => unlessAway('min(racing_price_alerts_pass_age) > 60', SERVER_AWAY, SERVER_SLOW),
    for: 2 * MINUTE,
    severity: 'ticket',
    summary: 'price alerts were last compared {{ $value | humanizeDuration }} ago',
  },
  {
    alert: 'PriceAlertsFailed',
    expr: (of) => `sum(increase(racing_price_alerts_total{outcome="failed"}[${of(5 * MINUTE)}])) > 0`,
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: 'price alerts of an account cannot be mailed',
  },
  {
    alert: 'MailLinksRefused',
    expr: (of) => `sum(increase(racing_mail_links_total{outcome="refused"}[${of(5 * MINUTE)}])) > 0`,
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value }} requests for mailed links were refused within five minutes',
  },
  {
    alert: 'WebhooksBehind',
    expr: () => unlessAway('max(racing_webhooks_oldest) > 2', SERVER_SLOW),
    for: MINUTE,
    severity: 'page',
    summary: 'a webhook could have been posted {{ $value | humanizeDuration }} ago',
  },
  {
    alert: 'SecretsUnopened',
    expr: (of) => `sum by (instance, table) (increase(racing_secrets_unopened_total[${of(5 * MINUTE)}])) > 0`,
    for: 2 * MINUTE,
    severity: 'page',
    summary: '{{ $labels.instance }} cannot open secrets of {{ $labels.table }}',
  },
  {
    alert: 'DatabaseConnectionsUsedUp',
    expr: () => 'max by (instance) (db_client_connection_pending_requests) > 0',
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: 'queries of {{ $labels.instance }} wait for a connection',
  },
  {
    alert: 'StandbyBehind',
    expr: () => 'max by (instance) (racing_database_behind) > 30',
    for: 2 * MINUTE,
    severity: 'page',
    summary: '{{ $labels.instance }} reads a standby that is {{ $value | humanizeDuration }} behind',
  },
  {
    alert: 'ReplicaUnused',
    expr: (of) => `min by (instance) (avg_over_time(racing_replica_used[${of(10 * MINUTE)}])) < 0.5`,
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: '{{ $labels.instance }} reads the past from the primary: its replica is away or behind',
    section: 'standby-behind',
  },
  {
    alert: 'WalKept',
    expr: () => 'max(racing_database_wal_kept) > 20e9',
    for: 10 * MINUTE,
    severity: 'page',
    summary: 'a replication slot keeps {{ $value | humanize1024 }}B of WAL on the disk',
  },
  {
    alert: 'BackupOld',
    why: '`absent`: no backup was ever recorded (`ops backup-done`).',
    expr: () =>
      unlessAway(`max(racing_backup_age) > ${36 * HOUR} or absent(racing_backup_age)`, NO_WORKER, SERVER_AWAY),
    for: HOUR,
    severity: 'ticket',
    summary: 'the last good backup ended more than a day and a half ago, or none was recorded',
  },
  {
    alert: 'LogNotArchived',
    expr: () => `max(racing_backup_log_age) > ${15 * MINUTE}`,
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'PostgreSQL has archived no part of its log for {{ $value | humanizeDuration }}',
  },
  {
    alert: 'DiskFull',
    expr: () =>
      `min by (instance, mountpoint) (node_filesystem_avail_bytes{${disks}} / node_filesystem_size_bytes{${disks}}) < 0.1`,
    for: 5 * MINUTE,
    severity: 'page',
    summary: '{{ $labels.mountpoint }} of {{ $labels.instance }} has {{ $value | humanizePercentage }} left',
    section: 'disk-filling',
  },
  {
    alert: 'DiskFilling',
    expr: (of) =>
      `min by (instance, mountpoint) (predict_linear(node_filesystem_avail_bytes{${disks}}[${of(DAY)}], ${4 * DAY})) < 0`,
    for: HOUR,
    severity: 'ticket',
    summary: '{{ $labels.mountpoint }} of {{ $labels.instance }} will be full within four days',
  },
  {
    alert: 'DiskUnwatched',
    expr: () => 'absent(node_filesystem_avail_bytes)',
    for: HOUR,
    severity: 'ticket',
    summary: 'no node exporter reports the disks of the servers',
    section: 'disk-filling',
  },
  {
    alert: 'BillingOverdue',
    expr: () => 'max(racing_billing_overdue) > 0',
    for: 15 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value }} accounts or invoices are behind the payment provider',
  },
  {
    alert: 'RequestsFail',
    expr: (of) =>
      unlessAway(
        `sum(rate(http_server_requests_total{http_response_status_code=~"5.."}[${of(5 * MINUTE)}]))
  / sum(rate(http_server_requests_total[${of(5 * MINUTE)}])) > 0.01`,
        SERVER_AWAY,
        SERVER_SLOW,
      ),
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'one request in a hundred is answered with a server error',
  },
  {
    alert: 'Watchdog',
    why: 'A dead man’s switch: it always fires. Who gets it wakes somebody when it stops.',
    expr: () => 'vector(1)',
    for: 0,
    severity: 'none',
    summary: 'the alerts arrive',
  },
];

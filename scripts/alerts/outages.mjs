// Each outage: the figures that it changes, and the alerts that fire, which must be exactly these. The service is
// healthy for some minutes before it.
import { API, begins, by, databaseFiguresGone, gone, is, ONE, OTHER } from './figures.mjs';

/** What alerts read of a database that answers other queries. */
const FIGURES = Array.from({ length: 7 }, () => 'FiguresMissing page');

/** `fire`: by minutes since the outage began, everything that fires except the watchdog. */
export const OUTAGES = [
  { outage: 'all is well', ill: {}, fire: { 5: [], 240: [] } },
  {
    outage: 'every process is gone, and so are their targets',
    ill: { ...gone('racing-odds-') },
    fire: { 2: ['NoApi page', 'NoWorker page'], 120: ['NoApi page', 'NoWorker page'] },
  },
  {
    outage: 'the workers are gone, while the API answers and sees races unpolled',
    ill: { ...gone('racing-odds-worker'), ...is(12, 'racing_live_races_unpolled', API) },
    fire: { 2: ['NoWorker page'], 120: ['NoWorker page'] },
  },
  {
    outage: 'no worker answers, and their targets stay',
    ill: { ...gone('racing-odds-worker'), [`up{${ONE}}`]: 0, [`up{${OTHER}}`]: 0 },
    fire: { 3: ['NoWorker page'] },
  },
  {
    outage: 'one of two workers does not answer',
    ill: { ...gone(OTHER), [`up{${OTHER}}`]: 0 },
    fire: { 3: ['ProcessDown page'] },
  },
  {
    outage: 'the database is dead, at night without a customer',
    ill: { ...databaseFiguresGone(), ...is(0, 'racing_ready{need="database"') },
    fire: { 2: ['ServerAway page'], 120: ['ServerAway page'] },
  },
  {
    outage: 'the database is dead by day: every request fails',
    ill: { ...databaseFiguresGone(), ...is(0, 'racing_ready{need="database"'), ...is(by(900), '"503"') },
    fire: { 10: ['ServerAway page'] },
  },
  {
    outage: 'one process cannot reach the database',
    ill: is(0, 'racing_ready{need="database"', OTHER),
    fire: { 4: ['ProcessNotReady ticket'] },
  },
  {
    outage: 'Temporal is dead for hours: nothing is discovered, and no sweep succeeds',
    ill: {
      ...is(0, 'racing_ready{need="temporal"'),
      ...gone('racing_queue_unserved'),
      ...is(by(60), 'racing_schedule_age'),
      ...is(by(60), 'racing_lists_age'),
    },
    fire: { 2: ['ServerAway page'], 300: ['ServerAway page'] },
  },
  {
    outage: 'discovery is paused',
    ill: { ...is(by(60), 'racing_schedule_age{schedule="meeting-discovery"'), ...is(by(60), 'racing_lists_age') },
    fire: { 10: [], 25: ['ListsNotRead page', 'SweepsLate page'] },
  },
  {
    outage: 'the sweep of races fails',
    ill: is(by(60), 'schedule="race-sweep"'),
    fire: { 8: [], 12: ['SweepsLate page'] },
  },
  {
    outage: 'the archive stands still',
    ill: is(by(60), 'schedule="archive-past"'),
    fire: { 240: [], 305: ['SchedulesLate ticket'] },
  },
  {
    outage: 'no list was ever read',
    ill: gone('racing_lists_age'),
    fire: { 7: ['ListsNotRead page'] },
  },
  {
    outage: 'the lists of two books of three fail',
    ill: {
      ...is(by(1), 'racing_lists_failing{book="tab"'),
      ...is(by(60), 'racing_lists_age{book="tab"'),
      ...is(by(1), 'racing_lists_failing{book="neds"'),
      ...is(by(60), 'racing_lists_age{book="neds"'),
    },
    fire: {
      7: [],
      13: ['MostListsFailing page'],
      18: ['ListsFailing ticket', 'ListsFailing ticket', 'MostListsFailing page'],
    },
  },
  {
    outage: 'the lists of every book are empty',
    ill: is(0, 'racing_lists_races'),
    fire: { 8: [], 12: ['NothingListed page'] },
  },
  { outage: 'the list of one book is empty', ill: is(0, 'racing_lists_races{book="tab"'), fire: { 60: [] } },
  {
    outage: 'the feed of sports does not answer',
    ill: is(by(60), 'racing_sports_failing'),
    fire: { 8: [], 13: ['FeedOfSportsFailing ticket'] },
  },
  {
    outage: 'the feed of sports lists no match',
    ill: is(0, 'racing_sports_listed'),
    fire: { 17: ['FeedOfSportsEmpty ticket'] },
  },
  {
    outage: 'the certificate of the database ends within ten days',
    ill: is(864_000, 'racing_certificate_left', ONE),
    fire: { 7: ['CertificateEnding ticket'] },
  },
  {
    outage: 'the certificate of the database ends tomorrow, as every process sees',
    ill: is(86_400, 'racing_certificate_left'),
    fire: {
      7: [
        'CertificateEnding ticket',
        'CertificateEnding ticket',
        'CertificateEnding ticket',
        'CertificateEndsSoon page',
      ],
    },
  },
  {
    outage: 'no book answers, and live races are unpolled',
    ill: is(30, 'racing_live_races_unpolled'),
    fire: { 2: ['LiveRacesUnpolled page'] },
  },
  {
    outage: 'two queries of figures fail, while the database answers others',
    ill: { ...gone('racing_results_overdue'), ...gone('racing_live_races_unpolled') },
    fire: { 4: [], 7: ['FiguresMissing page', 'FiguresMissing page'] },
  },
  {
    outage: 'the database is slow: figures are missing, prices and webhooks late, requests fail',
    ill: {
      ...databaseFiguresGone(),
      ...is(2, 'racing_answer_time'),
      ...is(12, 'racing_live_races_unpolled', API),
      ...is(40, 'racing_webhooks_oldest', ONE),
      ...is(by(60), '"503"'),
    },
    fire: { 2: ['ServerSlow page'], 30: ['ServerSlow page'] },
  },
  { outage: 'the database is slow for one process', ill: is(5, 'racing_answer_time', OTHER), fire: { 10: [] } },
  {
    outage: 'every statement that reads figures fails, while the database answers others',
    ill: databaseFiguresGone(),
    fire: { 4: [], 7: FIGURES },
  },
  {
    outage: 'no worker has the role io',
    ill: is(1, 'queue="racing-io"'),
    fire: { 3: ['QueueUnserved page'] },
  },
  {
    outage: 'a release cannot replay its histories',
    ill: {},
    more: { [`temporal_workflow_task_execution_failed_total{${ONE}}`]: begins(1, 4) },
    fire: { 6: ['WorkflowTasksFail page'] },
  },
  {
    outage: 'Redis is away, and each process limits by itself',
    ill: is(0, 'racing_redis_up'),
    more: { [`racing_rate_limit_requests_total{outcome="refused_alone",${API}}`]: begins(1, 60) },
    fire: { 2: ['RedisAway page'], 12: ['LimitsByProcess ticket', 'RedisAway page'] },
  },
  {
    outage: 'three calls that failed could not be given back; the counter begins with them',
    ill: {},
    more: { [`racing_credits_dropped_total{${API}}`]: begins(3) },
    fire: { 1: ['CreditsDropped page'], 20: [] },
  },
  {
    outage: 'calls wait to be given back for long',
    ill: is(5, 'racing_credits_unsettled'),
    fire: { 12: ['CreditsUnsettled ticket'] },
  },
  {
    outage: 'the balances of two accounts differ from the ledger',
    ill: is(2, 'racing_credits_faulty'),
    fire: { 3: ['CreditsDoNotAddUp page'] },
  },
  { outage: 'webhooks are late', ill: is(40, 'racing_webhooks_oldest'), fire: { 2: ['WebhooksBehind page'] } },
  {
    outage: 'a standby has lost its primary',
    ill: is(by(60), 'racing_database_behind'),
    fire: { 5: ['StandbyBehind page'] },
  },
  {
    outage: 'a replica is away, and reads of the past run on the primary',
    ill: is(0, 'racing_replica_used'),
    fire: { 4: [], 12: ['ReplicaUnused ticket'] },
  },
  { outage: 'a slot keeps WAL', ill: is(by(1e9), 'racing_database_wal_kept'), fire: { 40: ['WalKept page'] } },
  {
    outage: 'no backup was taken for two days',
    ill: is(180_000, 'racing_backup_age'),
    fire: { 62: ['BackupOld ticket'] },
  },
  { outage: 'no backup was ever recorded', ill: gone('racing_backup_age'), fire: { 62: ['BackupOld ticket'] } },
  {
    outage: 'the log is not archived',
    ill: is(by(60), 'racing_backup_log_age'),
    fire: { 10: [], 22: ['LogNotArchived page'] },
  },
  { outage: 'a disk is at 95 %', ill: is(5e10, 'node_filesystem_avail'), fire: { 7: ['DiskFull page'] } },
  {
    outage: 'a disk fills within three days',
    ill: is(by(-3e8), 'node_filesystem_avail'),
    fire: { 150: ['DiskFilling ticket'] },
  },
  { outage: 'nothing reports the disks', ill: gone('node_filesystem'), fire: { 70: ['DiskUnwatched ticket'] } },
  {
    outage: 'a worker does not keep up',
    ill: { ...is(7, 'racing_polls_waiting', ONE), ...is(3, 'task_slots_available', ONE) },
    fire: { 12: ['NoFreePollSlots ticket', 'PollsThinned ticket'] },
  },
  {
    outage: 'a worker thins far races only',
    ill: is(by(600), 'racing_polls_thinned_total{urgency="usual"'),
    fire: { 12: [] },
  },
  {
    outage: 'of the polls near the jump a sixth is not made',
    ill: is(by(60), 'racing_polls_thinned_total{urgency="near"'),
    fire: { 5: [], 12: ['NearPollsThinned ticket'] },
  },
  { outage: 'a book fails', ill: is(by(200), 'outcome="timeout"'), fire: { 22: ['FeedFailing ticket'] } },
  {
    outage: 'results and fields do not come, and a registry refuses us',
    ill: {
      ...is(4, 'racing_results_overdue'),
      ...is(9, 'racing_fields_overdue'),
      ...is(1, 'racing_registries_walled'),
    },
    fire: {
      20: ['ResultsOverdue ticket'],
      62: ['FieldsOverdue ticket', 'RegistryWalled ticket', 'ResultsOverdue ticket'],
    },
  },
  {
    outage: 'a decision is never written',
    ill: is(1, 'racing_decisions_failing', ONE),
    fire: { 7: ['DecisionsFailing page'] },
  },
  {
    outage: 'the clock of a machine runs ahead, and prices with it',
    ill: { ...is(8, 'racing_clock_ahead', OTHER), ...is(40, 'racing_polls_ahead') },
    fire: { 7: ['ClockAhead page', 'PollsAhead page'] },
  },
  {
    outage: 'the mail server is away, links are refused',
    ill: is(by(60), 'racing_mails_oldest'),
    more: {
      [`racing_mails_total{outcome="sent",${API}}`]: begins(0, 1),
      [`racing_mails_total{outcome="given_up",${API}}`]: begins(0, 2),
      [`racing_mail_links_total{outcome="refused",${API}}`]: begins(0, 1),
    },
    fire: {
      8: ['MailLinksRefused ticket'],
      40: ['MailLinksRefused ticket', 'MailsGivenUp ticket', 'MailsWaiting page'],
    },
  },
  {
    outage: 'no pass over the price alerts ends',
    ill: is(by(60), 'racing_price_alerts_pass_age'),
    fire: { 2: [], 6: ['PriceAlertsLate ticket'] },
  },
  {
    outage: 'an account cannot be written, the others are mailed',
    ill: {},
    more: { [`racing_price_alerts_total{outcome="failed",${API}}`]: begins(0, 1) },
    fire: { 8: ['PriceAlertsFailed ticket'] },
  },
  {
    outage: 'a key of sealed secrets is missing',
    ill: {},
    more: { [`racing_secrets_unopened_total{table="webhooks",${ONE}}`]: begins(0, 3) },
    fire: { 5: ['SecretsUnopened page'] },
  },
  {
    outage: 'a process has too few connections',
    ill: is(6, 'pending_requests', API),
    fire: { 7: ['DatabaseConnectionsUsedUp ticket'] },
  },
  { outage: 'payments are not read', ill: is(2, 'racing_billing_overdue'), fire: { 17: ['BillingOverdue ticket'] } },
  { outage: 'one request in ten fails', ill: is(by(60), '"503"'), fire: { 12: ['RequestsFail page'] } },
];

// Made by `npm run clients` from the OpenAPI document: each operation that a key may call, and what needs none.
// `once`: it takes an Idempotency-Key. `paged`: its pages name the next one in the header `Link`. `file`: it has no JSON.

export const OPERATIONS = {
  racing: {
    /** Upcoming races on the live board: `GET /v1/racing/events` */
    events: { method: 'get', path: '/v1/racing/events', once: true },
    /** Next races to jump, with every book’s prices: `GET /v1/racing/next-to-go` */
    nextToGo: { method: 'get', path: '/v1/racing/next-to-go', once: true },
    /** Best price per runner across books: `GET /v1/racing/best-odds` */
    bestOdds: { method: 'get', path: '/v1/racing/best-odds', once: true },
    /** Consensus price of every runner in one race: `GET /v1/racing/consensus` */
    consensus: { method: 'get', path: '/v1/racing/consensus', once: true },
    /** How the market moved on one race: `GET /v1/racing/intelligence` */
    intelligence: { method: 'get', path: '/v1/racing/intelligence', once: true },
    /** Scan every race in the capture window for moving runners: `GET /v1/racing/intelligence/scan` */
    intelligenceScan: { method: 'get', path: '/v1/racing/intelligence/scan', once: true },
    /** Runners whose price has moved before the jump: `GET /v1/racing/movers` */
    movers: { method: 'get', path: '/v1/racing/movers', once: true },
    /** Changes since an instant: `GET /v1/racing/changes` */
    changes: { method: 'get', path: '/v1/racing/changes', once: true },
    /** A day’s track conditions and how they changed: `GET /v1/racing/track-conditions` */
    trackConditions: { method: 'get', path: '/v1/racing/track-conditions', once: true },
    /** Venue directory: `GET /v1/racing/venues` */
    venues: { method: 'get', path: '/v1/racing/venues', once: true },
    /** Results of recent races: `GET /v1/racing/results` */
    results: { method: 'get', path: '/v1/racing/results', once: true, paged: true },
    /** Completeness of results: `GET /v1/racing/results/coverage` */
    resultsCoverage: { method: 'get', path: '/v1/racing/results/coverage', once: true },
    /** Acceptances for a day’s Australian thoroughbred meetings: `GET /v1/racing/acceptances` */
    acceptances: { method: 'get', path: '/v1/racing/acceptances', once: true },
    /** Recent runs of every runner in a race: `GET /v1/racing/form` */
    form: { method: 'get', path: '/v1/racing/form', once: true },
    /** Premiership tables of jockeys: `GET /v1/racing/jockeys/stats` */
    jockeyStats: { method: 'get', path: '/v1/racing/jockeys/stats', once: true },
    /** Premiership tables of trainers: `GET /v1/racing/trainers/stats` */
    trainerStats: { method: 'get', path: '/v1/racing/trainers/stats', once: true },
    /** Score bets against the closing line: `POST /v1/racing/clv` */
    clv: { method: 'post', path: '/v1/racing/clv' },
    /** Every market on one race: `GET /v1/racing/markets` */
    markets: { method: 'get', path: '/v1/racing/markets', once: true },
    /** Captured prices of one race: `GET /v1/racing/price-history` */
    priceHistory: { method: 'get', path: '/v1/racing/price-history', once: true },
    /** Form of a thoroughbred: `GET /v1/racing/horses/form` */
    horseForm: { method: 'get', path: '/v1/racing/horses/form', once: true },
    /** Stored runs of a thoroughbred: `GET /v1/racing/horses/runs` */
    horseRuns: { method: 'get', path: '/v1/racing/horses/runs', once: true },
    /** Order the form of many horses: `POST /v1/racing/horses/backfill` */
    submitBackfill: { method: 'post', path: '/v1/racing/horses/backfill' },
    /** Where a backfill job stands: `GET /v1/racing/horses/backfill/{job_id}` */
    backfillStatus: { method: 'get', path: '/v1/racing/horses/backfill/{job_id}' },
    /** Cancel what a backfill job has not collected: `DELETE /v1/racing/horses/backfill/{job_id}` */
    cancelBackfill: { method: 'delete', path: '/v1/racing/horses/backfill/{job_id}' },
    /** What a backfill job has collected: `GET /v1/racing/horses/backfill/{job_id}/results` */
    backfillResults: { method: 'get', path: '/v1/racing/horses/backfill/{job_id}/results', paged: true },
    /** Stored runs of a greyhound: `GET /v1/racing/greyhounds/form` */
    greyhoundForm: { method: 'get', path: '/v1/racing/greyhounds/form', once: true },
    /** A greyhound’s record by track, distance, box and grade: `GET /v1/racing/greyhounds/stats` */
    greyhoundStats: { method: 'get', path: '/v1/racing/greyhounds/stats', once: true },
  },
  racingArchive: {
    /** First and last prices of past races: `GET /v1/racing/closing-lines` */
    closingLines: { method: 'get', path: '/v1/racing/closing-lines', once: true, paged: true },
    /** What the archive of closing lines has: `GET /v1/racing/closing-lines/coverage` */
    closingLinesCoverage: { method: 'get', path: '/v1/racing/closing-lines/coverage', once: true },
    /** How the market moved, per past race and runner: `GET /v1/racing/market-summary` */
    marketSummary: { method: 'get', path: '/v1/racing/market-summary', once: true, paged: true },
    /** Every captured price of past races: `GET /v1/racing/price-paths` */
    pricePaths: { method: 'get', path: '/v1/racing/price-paths', once: true, paged: true },
  },
  bulk: {
    /** Catalogue of bulk files: `GET /v1/bulk/datasets` */
    datasets: { method: 'get', path: '/v1/bulk/datasets', paged: true },
    /** One day or month of a dataset as a file: `GET /v1/bulk/{dataset}/{period}` */
    file: { method: 'get', path: '/v1/bulk/{dataset}/{period}', file: true },
    /** Signed manifest of a day or month of a dataset: `GET /v1/bulk/{dataset}/{period}/manifest` */
    manifest: { method: 'get', path: '/v1/bulk/{dataset}/{period}/manifest' },
    /** Keys that verify manifests: `GET /v1/bulk/keys` */
    keys: { method: 'get', path: '/v1/bulk/keys' },
  },
  sports: {
    /** List sports: `GET /v1/sports` */
    listSports: { method: 'get', path: '/v1/sports', once: true },
    /** Odds of a sport: `GET /v1/sports/{sport_key}/odds` */
    getSportOdds: { method: 'get', path: '/v1/sports/{sport_key}/odds', once: true },
    /** Odds of one match: `GET /v1/sports/{sport_key}/events/{event_id}/odds` */
    getEventOdds: { method: 'get', path: '/v1/sports/{sport_key}/events/{event_id}/odds', once: true },
    /** Captured prices of a sport: `GET /v1/sports/{sport_key}/odds/history` */
    getOddsHistory: { method: 'get', path: '/v1/sports/{sport_key}/odds/history', once: true, paged: true },
    /** Price movements of a sport: `GET /v1/sports/{sport_key}/odds/movements` */
    getOddsMovements: { method: 'get', path: '/v1/sports/{sport_key}/odds/movements', once: true },
    /** Closing prices and lines of a sport: `GET /v1/sports/{sport_key}/closing-lines` */
    getClosingLines: { method: 'get', path: '/v1/sports/{sport_key}/closing-lines', once: true, paged: true },
    /** Best price per selection: `GET /v1/best-odds/{sport_key}` */
    bestOdds: { method: 'get', path: '/v1/best-odds/{sport_key}', once: true },
  },
  arbitrage: {
    /** Best and worst price per selection: `GET /v1/arb/best-prices` */
    bestPrices: { method: 'get', path: '/v1/arb/best-prices', once: true },
    /** Line arbitrage and middles: `GET /v1/arb/lines` */
    linesArb: { method: 'get', path: '/v1/arb/lines', once: true },
    /** Sports arbitrage scanner: `GET /v1/arb/sports` */
    sportsArb: { method: 'get', path: '/v1/arb/sports', once: true },
  },
  health: {
    /** Freshness and failures of each connector: `GET /v1/health/connectors` */
    connectors: { method: 'get', path: '/v1/health/connectors', once: true },
    /** Last poll of each connector: `GET /v1/health` */
    connectorHealth: { method: 'get', path: '/v1/health' },
    /** Measured uptime over the last 30 days: `GET /v1/uptime` */
    uptimeStats: { method: 'get', path: '/v1/uptime' },
  },
  dataQuality: {
    /** State of the data in one view: `GET /v1/data-quality/summary` */
    dataQualitySummary: { method: 'get', path: '/v1/data-quality/summary', once: true },
    /** Newest audit of each sport: `GET /v1/data-quality/audit/latest` */
    latestAudits: { method: 'get', path: '/v1/data-quality/audit/latest' },
    /** Audit a sport now: `POST /v1/data-quality/audit/run` */
    runAudit: { method: 'post', path: '/v1/data-quality/audit/run' },
    /** What an audit found: `GET /v1/data-quality/audit/{run_id}/results` */
    auditResults: { method: 'get', path: '/v1/data-quality/audit/{run_id}/results' },
  },
  account: {
    /** Credits used and left: `GET /v1/usage` */
    usage: { method: 'get', path: '/v1/usage' },
    /** Credits by operation: `GET /v1/usage/analytics` */
    usageAnalytics: { method: 'get', path: '/v1/usage/analytics' },
    /** The account and its owner: `GET /v1/account` */
    account: { method: 'get', path: '/v1/account' },
    /** Consent to promotional mail: `POST /v1/account/marketing` */
    marketing: { method: 'post', path: '/v1/account/marketing' },
    /** Your referral link: `GET /v1/referral` */
    referral: { method: 'get', path: '/v1/referral' },
    /** Choose what your referrals earn: `POST /v1/referral` */
    referralPayout: { method: 'post', path: '/v1/referral' },
  },
  keys: {
    /** The key that is sent: `GET /v1/keys/info` */
    info: { method: 'get', path: '/v1/keys/info' },
    /** Open an account for a customer: `POST /v1/keys` */
    createKey: { method: 'post', path: '/v1/keys' },
    /** Replace the key that is sent: `POST /v1/keys/rotate` */
    rotateKey: { method: 'post', path: '/v1/keys/rotate' },
    /** Restrict the key to addresses: `POST /v1/keys/ip-whitelist` */
    setIpWhitelist: { method: 'post', path: '/v1/keys/ip-whitelist' },
    /** The keys of the account: `GET /v1/keys/team` */
    listTeamKeys: { method: 'get', path: '/v1/keys/team' },
    /** Add a key to the account: `POST /v1/keys/team` */
    createTeamKey: { method: 'post', path: '/v1/keys/team' },
    /** Change a key of the account: `PATCH /v1/keys/team/{key_id}` */
    updateTeamKey: { method: 'patch', path: '/v1/keys/team/{key_id}' },
    /** End a key of the account: `DELETE /v1/keys/team/{key_id}` */
    deleteTeamKey: { method: 'delete', path: '/v1/keys/team/{key_id}' },
  },
  billing: {
    /** Overage of this month: `GET /v1/billing/overage` */
    overage: { method: 'get', path: '/v1/billing/overage' },
    /** Switch overage on or off: `POST /v1/billing/overage` */
    overageSwitch: { method: 'post', path: '/v1/billing/overage' },
    /** Open the billing portal: `GET /v1/billing/portal` */
    portal: { method: 'get', path: '/v1/billing/portal' },
    /** Get a link to an upgrade: `POST /v1/billing/upgrade-link` */
    upgradeLink: { method: 'post', path: '/v1/billing/upgrade-link' },
    /** Cancel the subscription: `POST /v1/billing/cancel` */
    cancel: { method: 'post', path: '/v1/billing/cancel' },
  },
  webhooks: {
    /** The webhooks of the account: `GET /v1/webhooks` */
    listWebhooks: { method: 'get', path: '/v1/webhooks' },
    /** Create a webhook: `POST /v1/webhooks` */
    createWebhook: { method: 'post', path: '/v1/webhooks' },
    /** Change or pause a webhook: `PATCH /v1/webhooks/{webhook_id}` */
    updateWebhook: { method: 'patch', path: '/v1/webhooks/{webhook_id}' },
    /** Delete a webhook: `DELETE /v1/webhooks/{webhook_id}` */
    deleteWebhook: { method: 'delete', path: '/v1/webhooks/{webhook_id}' },
    /** Replace the secret of a webhook: `POST /v1/webhooks/{webhook_id}/secret/rotate` */
    rotateWebhookSecret: { method: 'post', path: '/v1/webhooks/{webhook_id}/secret/rotate' },
    /** Events of the last 30 days: `GET /v1/webhooks/events` */
    listWebhookEvents: { method: 'get', path: '/v1/webhooks/events' },
    /** What was posted to a webhook: `GET /v1/webhooks/{webhook_id}/deliveries` */
    listWebhookDeliveries: { method: 'get', path: '/v1/webhooks/{webhook_id}/deliveries', paged: true },
    /** Deliver an event again: `POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay` */
    replayWebhookDelivery: { method: 'post', path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay' },
    /** Deliver the events of a time range again: `POST /v1/webhooks/{webhook_id}/replay` */
    replayWebhook: { method: 'post', path: '/v1/webhooks/{webhook_id}/replay', once: true },
    /** Post a test to a webhook: `POST /v1/webhooks/{webhook_id}/test` */
    testWebhook: { method: 'post', path: '/v1/webhooks/{webhook_id}/test' },
  },
  widgets: {
    /** The widgets of the account: `GET /v1/widgets` */
    listWidgets: { method: 'get', path: '/v1/widgets' },
    /** Create a widget: `POST /v1/widgets` */
    createWidget: { method: 'post', path: '/v1/widgets', once: true },
    /** Get a widget: `GET /v1/widgets/{widget_id}` */
    getWidget: { method: 'get', path: '/v1/widgets/{widget_id}' },
    /** Change or pause a widget, or replace its public id: `PATCH /v1/widgets/{widget_id}` */
    updateWidget: { method: 'patch', path: '/v1/widgets/{widget_id}' },
    /** Delete a widget: `DELETE /v1/widgets/{widget_id}` */
    deleteWidget: { method: 'delete', path: '/v1/widgets/{widget_id}' },
  },
  sandbox: {
    /** Sample of best odds without a key: `GET /v1/demo/best-odds` */
    demoBestOdds: { method: 'get', path: '/v1/demo/best-odds' },
    /** Sample of one book’s prices without a key: `GET /v1/demo/book-sport` */
    demoBookSport: { method: 'get', path: '/v1/demo/book-sport' },
    /** Sample of next-to-go without a key: `GET /v1/demo/racing/next-to-go` */
    demoRacingNextToGo: { method: 'get', path: '/v1/demo/racing/next-to-go' },
  },
  ingest: {
    /** Push prices for a push-fed bookmaker: `POST /v1/ingest/{bookmaker_key}` */
    prices: { method: 'post', path: '/v1/ingest/{bookmaker_key}' },
    /** Push a bookmaker’s sports prices: `POST /v1/ingest/sports/{bookmaker_key}` */
    sportPrices: { method: 'post', path: '/v1/ingest/sports/{bookmaker_key}' },
  },
  site: {
    /** What the service covers: `GET /coverage-report.json` */
    coverageReport: { method: 'get', path: '/coverage-report.json' },
    /** Measured facts about the service: `GET /platform-facts.json` */
    platformFacts: { method: 'get', path: '/platform-facts.json' },
  },
} as const;

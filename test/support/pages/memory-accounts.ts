// The accounts behind the account pages, in memory: services that return the rows that a test sets, and record what the
// pages do. One visitor, one account, no database. Rows have only the values that pages show.
import type { AccountUse } from '../../../src/accounts/billing/account-reader';
import { NO_BILLING } from '../../../src/accounts/billing/billing';
import type { Standing } from '../../../src/accounts/billing/standing';
import type { LinkView } from '../../../src/accounts/mailed-links';
import type { Backfills } from '../../../src/api/operations/backfill/backfill';
import { createAccountPages } from '../../../src/api/pages/account/account-pages';
import { AppError, invalid } from '../../../src/errors';
import { periodAt } from '../../../src/plans/credits';
import { FREE, type Plan, planNamed } from '../../../src/plans/plans';
import { OFFERS, offerOf } from '../../../src/plans/prices';
import type { OwnedAccount } from '../../../src/store/accounts/owners';
import type { OwnedPasskey } from '../../../src/store/accounts/passkeys/passkeys';
import type { Referral } from '../../../src/store/accounts/referrals';
import type { BulkFile } from '../../../src/store/bulk-files';
import type { DayUsage, UsageBy } from '../../../src/store/credits/daily-usage';
import type { StatementMonth } from '../../../src/store/credits/statement/days';
import type { RefusedCall, RefusedSum } from '../../../src/store/keys/refused-calls';
import type { AccountKey } from '../../../src/store/keys/team-keys';
import type { StoredWebhook } from '../../../src/store/webhooks/webhooks';
import type { StoredDelivery } from '../../../src/store/webhooks/webhooks-deliveries';
import type { StoredWidget } from '../../../src/store/widgets/widgets';
import type { AccountPagesDeps } from '../../../src/web/account/deps';
import { memoryAlerts } from './memory-alerts';
import { memoryChoices } from './memory-choices';

export const ACCOUNT = '5f0c3a9e-6f4c-4b6e-9a53-3d9e4f6a7b10';
export const KEY = 'pe_live_0123456789abcdefghijklmnopqrstuv012345';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const PASSWORD = 'correct horse battery';
/** From the cookie of the session. */
export const TOKEN = 'yes';
const DAY_MS = 86_400_000;
const AT = Date.parse('2026-11-22T03:00:00Z');
const MONTH = periodAt(AT);
const instant = (ms: number): string => new Date(ms).toISOString();

/** What is stored for the account. */
export interface AccountRows {
  readonly owner: Pick<OwnedAccount, 'email' | 'passwordHash' | 'marketingOptIn' | 'creditMails' | 'alertMails'>;
  readonly plan: Plan;
  readonly passkeys: readonly OwnedPasskey[];
  readonly keys: readonly AccountKey[];
  readonly use: AccountUse;
  readonly days: readonly DayUsage[];
  readonly statements: readonly StatementMonth[];
  readonly refused: readonly RefusedSum[];
  readonly refusedCalls: readonly RefusedCall[];
  /** Null: the service takes no payments. */
  readonly standing: Standing | null;
  readonly referral: Referral;
  readonly webhooks: readonly StoredWebhook[];
  /** For each webhook. */
  readonly deliveries: readonly StoredDelivery[];
  readonly widgets: readonly StoredWidget[];
  readonly jobs: Awaited<ReturnType<Backfills['jobs']>>;
  readonly files: readonly BulkFile[];
}

const key = (over: Partial<AccountKey>) =>
  ({
    ...{
      keyId: ACCOUNT,
      last4: 'a1B2',
      label: 'My key',
      isPrimary: true,
      allowedAddresses: [],
      calls: 120,
      credits: 360,
      scopes: null,
    },
    ...{ issuedAt: instant(MONTH.startMs - 40 * DAY_MS), rotatedAt: null, previousValidUntil: null },
    lastUsedAt: instant(AT - 60_000),
    ...over,
  }) as AccountKey;

const webhook = (over: Partial<StoredWebhook>) =>
  ({
    webhookId: 'wh_000000000001',
    url: 'https://hooks.example.com/services/T0123456789/B0123456789/abcdefghijklmnopqrstuvwxyz0123456789',
    ...{ events: [], sports: [], countries: [], venues: [], bookmakers: [], minEdgePct: 2, minMovePct: 5 },
    ...{ paused: false, disabledReason: null, lastDeliveryAt: null, failureCount: 0, previousUntil: null },
    ...over,
  }) as StoredWebhook;

const PAYLOAD = `{"note":"${'x'.repeat(400)}","race_number":4,"venue":"Randwick"}`;

const delivery = (over: Partial<StoredDelivery>) =>
  ({
    ...{ deliveryId: 'dl_1', webhookId: 'wh_3f9a1c07b2d4', kind: 'race.result', test: false, replayOf: null },
    ...{ status: 'failed', attempts: [], body: PAYLOAD },
    ...over,
  }) as StoredDelivery;

const widget = (over: Partial<StoredWidget>) =>
  ({ embedId: 'we_k3v7d2mxq7hs5tnc4wzb6yprfa', shows: { type: 'racing' }, paused: false, ...over }) as StoredWidget;

const job = (over: Partial<AccountRows['jobs'][number]>) =>
  ({
    ...{ jobId: 'bf_20261121_4k9z0q', label: 'Spring <carnival>', submittedAt: instant(AT - 600_000), price: 3 },
    ...{ queued: 26, done: 12, failed: 2, cancelled: 0, blocked: false, readyAtMs: AT + 70_000 },
    upstream: { door: null, view: { state: 'ok' } },
    ...{ failedInputs: ['Quick Sixpence', 'ra:99'], notFound: Array(12).fill('No <such> horse'.padEnd(80, 'x')) },
    ...over,
  }) as AccountRows['jobs'][number];

const file = (over: Partial<BulkFile>): BulkFile => ({
  ...{ dataset: 'closing_lines', period: '2026-11-20', format: 'parquet', version: 2, name: 'one', rows: 12_345 },
  ...{ sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', bytes: 1_234_567 },
  built_at: instant(AT - DAY_MS),
  ...over,
});

const ENDPOINTS = ['best-odds', 'next-to-go', 'consensus', 'results', 'movers', 'events', 'changes'].map(
  (name) => `/v1/racing/${name}`,
);

const DAYS = Array.from({ length: 21 }, (_, i) =>
  ENDPOINTS.map((endpoint, e) => ({
    day: instant(MONTH.startMs + i * DAY_MS).slice(0, 10),
    part: endpoint,
    calls: (i * 7 + e * 3) % 11,
    credits: ((i * 7 + e * 3) % 11) * (40 - 5 * e) * (i % 7 > 4 ? 3 : 1),
  })).filter(({ calls }) => calls > 0),
).flat();
const USED = DAYS.reduce((sum, { credits }) => sum + credits, 0);

/** `projected` null: it is too early to measure. */
const useOf = (used: number, limit: number, projected: number | null) =>
  ({
    ...{ used, limit, included: limit, remaining: limit - used, period: MONTH, usage: { granted: 0 } },
    burn: { projected, measured: projected !== null },
  }) as AccountUse;

const REFUSED_SUMS: readonly RefusedSum[] = [
  { keyId: ACCOUNT, code: 'rate_limit', lastDay: 40, lastWeek: 1234 },
  { keyId: '00000000-0000-4000-8000-000000000009', code: 'validation', lastDay: 0, lastWeek: 2 },
  { keyId: ACCOUNT.replace('5', '8'), code: 'scope_required', lastDay: 1, lastWeek: 1 },
];

const REFUSED_CALL: RefusedCall = {
  ...{ accountId: ACCOUNT, keyId: ACCOUNT, code: 'validation', at: instant(AT - 5000), status: 422 },
  ...{ requestId: '0123456789abcdef0123456789abcdef', operation: 'GET /v1/racing/next-to-go' },
  detail: 'num_races: 0 is <less> than 1.',
};

const REFUSED = 'The receiver responded with status 410.';

const MAILS = { marketingOptIn: false, creditMails: true, alertMails: true };

/** An account with something in every panel. */
export const BUSY: AccountRows = {
  owner: { email: 'jo@example.com', passwordHash: '$argon2id$stored', ...MAILS },
  passkeys: ['Laptop', 'Security key'].map((label, i) => ({
    ...{ passkeyId: ACCOUNT.replace('5', String(i)), credentialId: Buffer.from(label), label },
    ...{ createdAt: instant(AT - 9 * DAY_MS), lastUsedAt: i === 0 ? instant(AT - 60_000) : null },
  })),
  plan: planNamed('platform')!,
  keys: [
    key({
      rotatedAt: instant(AT - DAY_MS / 2),
      previousValidUntil: instant(AT + DAY_MS / 2),
      allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
    }),
    key({
      keyId: ACCOUNT.replace('5', '8'),
      label: 'Backtests',
      scopes: ['read', 'archive'],
      previousValidUntil: instant(AT + DAY_MS / 2),
      isPrimary: false,
      allowedAddresses: ['198.51.100.7/32'],
    }),
  ],
  use: useOf(USED, 1_500_000, 1_650_000),
  days: DAYS,
  statements: [
    { period: '2026-11-01', through: '2026-11-20', isSummed: false },
    { period: '2026-10-01', through: '2026-11-02', isSummed: false },
    { period: '2025-09-01', through: '2025-09-30', isSummed: true },
  ],
  refused: REFUSED_SUMS,
  refusedCalls: [REFUSED_CALL],
  standing: {
    isCustomer: true,
    current: { offer: offerOf('platform', 'month')!, isCancelling: false, paidUntil: '2026-12-21T03:00:00.000Z' },
    unpaid: null,
    unpaidOverage: null,
    hasLapsed: false,
    agreed: null,
    offers: OFFERS.filter(({ plan }) => plan.id === 'scale').map((offer) => ({ ...offer, first: null })),
  },
  referral: { code: 'k7mq2xw9pd', payout: 'credits', signedUp: 3, paid: 1, creditsEarned: 5000 },
  webhooks: [
    webhook({
      webhookId: 'wh_3f9a1c07b2d4',
      url: 'https://hooks.example.com/odds?token=of-the-receiver',
      ...{ events: ['race.odds_open', 'race.result'], countries: ['AU'], venues: ['Randwick'] },
      ...{ minEdgePct: null, minMovePct: null, disabledReason: 'gone', failureCount: 1 },
      lastDeliveryAt: instant(AT - 3_600_000),
    }),
    webhook({}),
  ],
  deliveries: [
    delivery({
      ...{ replayOf: 'dl_0', status: 'cancelled', error: 'The webhook is disabled.' },
      createdAt: instant(AT - 1000),
    }),
    delivery({
      createdAt: instant(AT - 9000),
      error: REFUSED,
      attempts: [
        {
          ...{ attempt: 1, startedAt: instant(AT - 8000), durationMs: 15_000, statusCode: null },
          error: 'The receiver did not respond in time.',
        },
        { attempt: 2, startedAt: instant(AT - 2000), durationMs: 35, statusCode: 410, error: REFUSED },
      ],
    }),
  ],
  widgets: [
    widget({
      ...{ widgetId: 'wg_r4hfygr4k5fh5hyonmpqxgrnce', name: 'Home page' },
      allowedOrigins: ['https://www.example.com', 'https://a-rather-long-name-of-a-site.example.com'],
      ...{ fillsLastHour: 42, maxFillsPerHour: 120, fillsThisMonth: 1830, maxFillsPerMonth: 50_000 },
      lastFilledAt: instant(AT - 12_000),
    }),
    widget({
      ...{ widgetId: 'wg_aaaaaaaaaaaaaaaaaaaaaaaaaa', name: 'Form guide', paused: true },
      allowedOrigins: ['https://example.com'],
      ...{ fillsLastHour: 0, maxFillsPerHour: 1, fillsThisMonth: 0, maxFillsPerMonth: null, lastFilledAt: null },
    }),
  ],
  jobs: [
    job({}),
    job({ jobId: 'bf_20261120_000001', blocked: true, readyAtMs: null, failed: 0, notFound: [], label: 'Next' }),
    job({ jobId: 'bf_20261120_000000', label: null, queued: 0, cancelled: 26, failed: 0, notFound: [] }),
  ],
  files: [file({}), file({ format: 'csv', name: 'two', bytes: 812 }), file({ dataset: 'price_paths', name: 'three' })],
};

/** An account on its first day. */
export const NEW: AccountRows = {
  ...BUSY,
  owner: { ...BUSY.owner, passwordHash: null },
  passkeys: [],
  plan: FREE,
  keys: [key({ issuedAt: instant(AT), lastUsedAt: null, calls: 0, credits: 0 })],
  use: useOf(0, 3000, null),
  days: [],
  statements: [],
  refused: [],
  refusedCalls: [],
  standing: null,
  webhooks: [],
  widgets: [],
  jobs: [],
  files: [],
};

export interface MemoryAccounts {
  readonly pages: AccountPagesDeps;
  /** The calls of the pages, in order: the method and its arguments, without the visitor and its session. */
  readonly calls: [string, ...unknown[]][];
  rows: AccountRows;
  link: LinkView;
  /** The next call throws it. */
  refusal: AppError | null;
}

export function memoryAccounts(baseUrl: string, log = { error: (_: object) => {} }): MemoryAccounts {
  const link: LinkView = { purpose: 'verify', state: 'open', email: 'j…@example.com', wantedPlan: 'free' };
  const memory = { calls: [] as MemoryAccounts['calls'], rows: BUSY, link, refusal: null as AppError | null };
  /** The same methods, each of which is recorded first. */
  const recorded = <T extends object>(methods: T) =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        async (...given: unknown[]) => {
          memory.calls.push([name, ...given.filter((one) => !isOfVisitor(one))]);
          const { refusal } = memory;
          memory.refusal = null;
          if (refusal) throw refusal;
          return method(...given);
        },
      ]),
    ) as T;
  const nothing = () => undefined;
  const accounts = {
    ...recorded({
      signUp: () => ({ token: TOKEN, seconds: 1000, suggestion: null }),
      verify: () => ({ signedIn: SIGNED_IN, key: KEY, wantedPlan: 'free', hasPassword: true }),
      login({ password }: { password: string }) {
        if (password === PASSWORD) return SIGNED_IN;
        throw new AppError('unauthorized', 'The email address or the password is wrong.');
      },
      reset(_: string, password: string) {
        if (password.length >= 12) return SIGNED_IN;
        throw invalid([{ pointer: '/password', detail: '/password must have at least 12 characters.' }]);
      },
      ...{ askLogin: nothing, askReset: nothing, loginByLink: () => SIGNED_IN, replaceKey: () => REPLACED },
      ...{ setMarketing: nothing, setMails: nothing, setPassword: nothing, close: nothing },
      ...{ askAddressChange: nothing, confirmAddress: nothing, undoAddress: nothing },
      exported: () => exportedPieces(),
      statement: () => ['record,head\r\n'],
      statementHeads: () => 'month,head\r\n',
      ...{ requestNewPasskey: () => CREATION, requestPasskey: () => ({ ...KEPT, options: REQUEST }) },
      ...{ addPasskey: nothing, renamePasskey: nothing, removePasskey: nothing, loginByPasskey: () => SIGNED_IN },
    }),
    passkeys: async () => memory.rows.passkeys,
    statementMonths: async () => memory.rows.statements,
    viewLink: async () => memory.link,
    account: async () => memory.rows.owner,
  };
  const rotatePrimary = (_: string, immediate: boolean) =>
    immediate ? { key: KEY, previousValidUntil: null } : REPLACED;
  const ownedKeys = {
    ...recorded({ rotatePrimary, rotateNamed: () => REPLACED, reveal: () => REPLACED, issue: () => ({ key: KEY }) }),
    ...recorded({ change: nothing, restrict: nothing, end: nothing }),
    list: async () => memory.rows.keys,
  };
  const billing = {
    ...NO_BILLING,
    ...recorded({ upgradeLink: () => ({ url: 'https://pay.example/checkout' }) }),
    ...recorded({
      portal: () => ({ url: 'https://pay.example/portal' }),
      cameBack: nothing,
      cancel: nothing,
      setOverage: nothing,
    }),
    get sells() {
      return memory.rows.standing !== null;
    },
    returned: async (_: unknown, checkout: string) => RETURNED[checkout] ?? null,
    standing: async () => memory.rows.standing,
  };
  const referrals = { ...recorded({ choose: nothing }), read: async () => memory.rows.referral };
  const webhooks = recorded({
    create: () => [BUSY.webhooks[1], SECRET],
    rotateSecret: () => [{ ...BUSY.webhooks[1], previousUntil: instant(AT + DAY_MS) }, SECRET],
    ...{ change: nothing, remove: nothing, replay: nothing },
    test: () => ({ outcome: { status: 'failed', statusCode: 500, error: 'The receiver failed.' } }),
    deliveries: (_: object, __: string, { statuses = [] }: { statuses?: readonly string[] }) =>
      memory.rows.deliveries.filter(({ status }) => statuses.length === 0 || statuses.includes(status)),
  });
  const account = { wallMs: () => AT, read: async () => memory.rows.use };
  const sessions = recorded({ remove: nothing, removeAll: nothing });
  const session = () => ({ accountId: ACCOUNT, tokenHash: TOKEN, accountSince: instant(AT), plan: memory.rows.plan });
  const backfills = {
    ...recorded({ cancel: () => 26 }),
    jobs: async () => memory.rows.jobs,
    results: async () => {
      throw new AppError('not_found', 'Your account has no backfill job with this job_id.');
    },
  };
  const parts = {
    services: { accounts, ownedKeys, billing, referrals, account, sessions, webhooks, backfills },
    ipLimit: recorded({ take: nothing }),
    sessions: { find: async (token?: string) => (token === TOKEN ? session() : null) },
  };
  const stores = {
    dailyUsage: {
      inPeriod: async (_: string, __: string, by: UsageBy) =>
        by === 'key' ? memory.rows.days.map((one) => ({ ...one, part: ACCOUNT })) : memory.rows.days,
    },
    refusedCalls: {
      ...recorded({ newest: () => memory.rows.refusedCalls }),
      sums: async () => memory.rows.refused,
    },
    overage: { overage: async () => ({ on: false }) },
    ownedWebhooks: { list: async () => memory.rows.webhooks },
    ownedWidgets: { list: async () => memory.rows.widgets },
    bulkFiles: {
      list: async () => ({ total: 15, files: memory.rows.files }),
      downloads: async () => new Map([['two', instant(AT - DAY_MS / 2)]]),
    },
    teamKeys: { primaryHash: async () => null },
    bookmakerChoices: memoryChoices(),
  };
  const alerts = memoryAlerts(AT, recorded);
  const given = { ...alerts, ...{ ownOrigins: [baseUrl], log, now: () => AT, parts, stores, baseUrl } };
  return Object.assign(memory, { pages: createAccountPages(given as unknown as Given) });
}

async function* exportedPieces() {
  yield* ['{"format":', '"racing-odds-account"}\n'];
}

type Given = Parameters<typeof createAccountPages>[0];

const RETURNED: Readonly<Record<string, 'paid' | 'paying'>> = { cs_paid: 'paid', cs_paying: 'paying' };

const isOfVisitor = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && ('cookies' in one || 'tokenHash' in one);

const REQUEST = { challenge: 'AAAA', userVerification: 'required' };
const CREATION = { ...REQUEST, pubKeyCredParams: [] };
const KEPT = { token: TOKEN, seconds: 1000 };
const SIGNED_IN = { session: KEPT, browser: KEPT };
const REPLACED = { key: KEY, previousValidUntil: instant(AT + DAY_MS) };

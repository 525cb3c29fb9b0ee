// The accounts behind the account pages, in memory: for tests of what the pages show, which need no database. One
// visitor, one account.
import { AppError, invalid } from '../../../src/errors';
import type { AccountSource, AccountView, LinkView, OwnerConsole, Visitor } from '../../../src/web/account/source';

export const KEY = 'pe_live_0123456789abcdefghijklmnopqrstuv012345';
const DAY_MS = 86_400_000;
const MONTH = Date.parse('2026-11-01T00:00:00Z');
const AT = Date.parse('2026-11-22T03:00:00Z');

const plan = (id: string, price: number, credits: number, perMinute: number, hours: number, keys: number) => ({
  id,
  title: id[0]!.toUpperCase() + id.slice(1),
  monthlyPriceAud: price,
  monthlyCredits: credits,
  requestsPerMinute: perMinute,
  horizonHours: hours,
  keys,
});

const FREE = plan('free', 0, 3000, 30, 24, 1);
const BUSINESS = plan('business', 99, 300_000, 750, 168, 3);
const PLATFORM = plan('platform', 249, 1_500_000, 1500, 168, 5);

const key = (id: string, over = {}) => ({
  id,
  label: 'My key',
  last4: 'a1B2',
  isPrimary: true,
  createdMs: MONTH - 40 * DAY_MS,
  rotatedMs: null,
  previousValidUntilMs: null,
  lastUsedMs: AT - 60_000,
  calls: 120,
  credits: 360,
  allowed: [],
  ...over,
});

const ENDPOINTS = ['best-odds', 'next-to-go', 'consensus', 'results', 'movers', 'events', 'changes'].map(
  (name) => `/v1/racing/${name}`,
);

const DAYS = Array.from({ length: 21 }, (_, i) =>
  ENDPOINTS.map((endpoint, e) => ({
    day: new Date(MONTH + i * DAY_MS).toISOString().slice(0, 10),
    endpoint,
    calls: (i * 7 + e * 3) % 11,
    credits: ((i * 7 + e * 3) % 11) * (40 - 5 * e) * (i % 7 > 4 ? 3 : 1),
  })).filter(({ calls }) => calls > 0),
).flat();
const USED = DAYS.reduce((sum, { credits }) => sum + credits, 0);

/** An account with something in every panel. */
export const BUSY: AccountView = {
  email: 'jo@example.com',
  plan: BUSINESS,
  next: { ...PLATFORM, adds: ['White-label widgets', 'Bulk files of a month'] },
  key: key('tk_primary', {
    rotatedMs: AT - DAY_MS / 2,
    previousValidUntilMs: AT + DAY_MS / 2,
    allowed: ['203.0.113.0/24', '2001:db8::/32'],
  }),
  team: [key('tk_one', { label: 'Backtests', isPrimary: false, last4: 'Qq9z', allowed: ['198.51.100.7/32'] })],
  credits: {
    startMs: MONTH,
    resetMs: Date.parse('2026-12-01T00:00:00Z'),
    used: USED,
    limit: 300_000,
    isNear: false,
    remaining: 300_000 - USED,
    granted: 0,
    projected: 410_000,
    days: DAYS,
  },
  hasPassword: true,
  marketingOptIn: false,
  billing: {
    offers: [
      { plan: 'platform', title: 'Platform', interval: 'month', priceAud: 249 },
      { plan: 'platform', title: 'Platform', interval: 'year', priceAud: 2490 },
    ],
    hasPortal: true,
    canCancel: true,
    hasLapsed: false,
    agreedTitle: null,
    endsMs: null,
    overage: { isOn: false, pct: 50, audPerThousand: 0.33 },
  },
  referral: {
    link: 'https://api.example.com/signup?referral=k7mq2xw9pd',
    creditsEach: 5000,
    payout: 'credits',
    signedUp: 3,
    paid: 1,
    creditsEarned: 5000,
  },
  widgets: {
    isEntitled: true,
    most: 10,
    list: [
      {
        id: 'wg_r4hfygr4k5fh5hyonmpqxgrnce',
        name: 'Home page',
        isPaused: false,
        origins: ['https://www.example.com', 'https://a-rather-long-name-of-a-site.example.com'],
        markup:
          '<iframe src="https://api.example.com/widgets/we_k3v7d2mxq7hs5tnc4wzb6yprfa" title="Racing odds"></iframe>',
        fillsLastHour: 42,
        fillsThisMonth: 1830,
        maxFillsPerMonth: 50_000,
        maxFillsPerHour: 120,
        lastFilledMs: AT - 12_000,
      },
      {
        id: 'wg_aaaaaaaaaaaaaaaaaaaaaaaaaa',
        name: 'Form guide',
        isPaused: true,
        origins: ['https://example.com'],
        markup: '<iframe></iframe>',
        fillsLastHour: 0,
        fillsThisMonth: 0,
        maxFillsPerMonth: null,
        maxFillsPerHour: 1,
        lastFilledMs: null,
      },
    ],
  },
  webhooks: {
    isEntitled: true,
    list: [
      {
        id: 'wh_3f9a1c07b2d4',
        url: 'https://hooks.example.com/odds?…',
        events: ['race.odds_open', 'race.result'],
        only: ['AU', 'Randwick'],
        minEdgePct: null,
        minMovePct: null,
        pausedReason: 'gone',
        lastDeliveryMs: AT - 3_600_000,
        failures: 1,
      },
      {
        id: 'wh_000000000001',
        url: 'https://hooks.example.com/services/T0123456789/B0123456789/abcdefghijklmnopqrstuvwxyz0123456789',
        events: [],
        only: [],
        minEdgePct: 2,
        minMovePct: 5,
        pausedReason: null,
        lastDeliveryMs: null,
        failures: 0,
      },
    ],
    open: {
      id: 'wh_3f9a1c07b2d4',
      deliveries: [
        {
          id: 'dl_2',
          event: 'race.result',
          isTest: false,
          isReplay: true,
          status: 'cancelled',
          createdMs: AT - 1000,
          error: 'The webhook is disabled.',
          attempts: [],
        },
        {
          id: 'dl_1',
          event: 'race.result',
          isTest: false,
          isReplay: false,
          status: 'failed',
          createdMs: AT - 9000,
          error: 'The receiver responded with status 410.',
          attempts: [
            {
              attempt: 1,
              startedMs: AT - 8000,
              durationMs: 15_000,
              statusCode: null,
              error: 'The receiver did not respond in time.',
            },
            {
              attempt: 2,
              startedMs: AT - 2000,
              durationMs: 35,
              statusCode: 410,
              error: 'The receiver responded with status 410.',
            },
          ],
        },
      ],
    },
  },
};

/** An account on its first day. */
export const NEW: AccountView = {
  ...BUSY,
  plan: FREE,
  next: { ...plan('hobby', 9, 7500, 60, 24, 1), adds: [] },
  key: key('tk_primary', { createdMs: AT, lastUsedMs: null, calls: 0, credits: 0 }),
  team: [],
  credits: { ...BUSY.credits, used: 0, limit: 3000, remaining: 3000, projected: null, days: [] },
  hasPassword: false,
  billing: null,
  referral: null,
  webhooks: { isEntitled: false, list: [], open: null },
  widgets: { isEntitled: false, most: 0, list: [] },
};

export interface MemoryAccounts {
  readonly source: AccountSource;
  /** What the pages did, in order: the method and its arguments, without the visitor. */
  readonly calls: [string, ...unknown[]][];
  view: AccountView;
  link: LinkView;
  /** Thrown by the next call. */
  refusal: AppError | null;
}

export function memoryAccounts(baseUrl: string): MemoryAccounts {
  const open: LinkView = { purpose: 'verify', state: 'open', email: 'j…@example.com' };
  const calls: MemoryAccounts['calls'] = [];
  const memory = { calls, view: BUSY, link: open, refusal: null as AppError | null };
  const done = <T>(result: T, name: string, ...given: unknown[]): Promise<T> => {
    calls.push([name, ...given]);
    const { refusal } = memory;
    memory.refusal = null;
    return refusal ? Promise.reject(refusal) : Promise.resolve(result);
  };
  const signIn = (visitor: Visitor) => visitor.setCookie('session', 'yes', 1000);
  const minted = { key: KEY, previousValidUntilMs: null };
  const replaced = { key: KEY, previousValidUntilMs: AT + DAY_MS };

  const signedIn = (visitor: Visitor): OwnerConsole => ({
    view: async (webhook) => {
      if (webhook) calls.push(['view', webhook]);
      return memory.view;
    },
    rotateKey: (immediate) => done(immediate ? minted : replaced, 'rotateKey', immediate),
    revealKey: () => done(replaced, 'revealKey'),
    allow: (ranges) => done(undefined, 'allow', ranges),
    addTeamKey: (draft) => done(minted, 'addTeamKey', draft),
    changeTeamKey: (id, draft) => done(undefined, 'changeTeamKey', id, draft),
    endTeamKey: (id) => done(undefined, 'endTeamKey', id),
    setPassword: (change) => done(undefined, 'setPassword', change),
    setMarketing: (optIn) => done(undefined, 'setMarketing', optIn),
    upgradeUrl: (...offer) => done('https://pay.example/checkout', 'upgradeUrl', ...offer),
    portalUrl: () => done('https://pay.example/portal', 'portalUrl'),
    cancelPlan: () => done(undefined, 'cancelPlan'),
    setOverage: (isOn) => done(undefined, 'setOverage', isOn),
    choosePayout: (payout) => done(undefined, 'choosePayout', payout),
    signOut: async () => visitor.setCookie('session', '', 0),
    signOutEverywhere: async () => visitor.setCookie('session', '', 0),
  });

  const source: AccountSource = {
    baseUrl,
    ownOrigins: [baseUrl],
    freePlan: FREE,
    passwordLength: { least: 12, most: 256 },
    signUp: (_, draft) => done({ suggestion: null }, 'signUp', draft),
    viewLink: async () => memory.link,
    async verify(visitor, token) {
      const verified = await done({ ...minted, wantedPlan: null, hasPassword: true }, 'verify', token);
      signIn(visitor);
      return verified;
    },
    async logIn(visitor, email, password) {
      if (password !== 'correct horse battery')
        throw new AppError('unauthorized', 'The email address or the password is wrong.');
      signIn(visitor);
      return done(undefined, 'logIn', email);
    },
    mailLoginLink: (_, email) => done(undefined, 'mailLoginLink', email),
    mailResetLink: (_, email) => done(undefined, 'mailResetLink', email),
    async logInByLink(visitor, token) {
      await done(undefined, 'logInByLink', token);
      signIn(visitor);
    },
    async resetPassword(visitor, token, password) {
      if (password.length < 12)
        throw invalid([{ pointer: '/password', detail: '/password must have at least 12 characters.' }]);
      await done(undefined, 'resetPassword', token);
      signIn(visitor);
    },
    replaceKey: (_, token) => done(replaced, 'replaceKey', token),
    hasSession: (visitor) => visitor.cookie('session') === 'yes',
    signedIn: async (visitor) => (visitor.cookie('session') === 'yes' ? signedIn(visitor) : null),
  };
  return Object.assign(memory, { source });
}

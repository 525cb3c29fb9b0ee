// Webhooks of an account (B 4.14, D57): made, changed, tested and replayed. Workers post; a test call waits for the row that a worker attempts.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalJson } from '../../../domain/events/canonical-json';
import { AppError, invalid } from '../../../errors';
import { LIMITS, planWithMore } from '../../../plans/limits';
import type { AddressBudget } from '../../../store/redis/address-budget';
import type { StoredWebhook, WebhookFilters, WebhookSettings, WebhookStore } from '../../../store/webhooks/webhooks';
import type { DeliveryPage, StoredDelivery, TestOutcome } from '../../../store/webhooks/webhooks-deliveries';
import { resolvedProblem, urlProblem } from '../../../webhooks/address/check-url';
import type { AddressRules } from '../../../webhooks/address/public-address';
import type { Resolver } from '../../../webhooks/address/resolver';
import type { Caller } from '../../access/caller';
import { overLimit } from '../../access/ip-limit';

export interface WebhookDeps {
  readonly store: WebhookStore;
  readonly rules: AddressRules;
  readonly resolve: Resolver;
  random(bytes: number): Buffer;
  /** How long a test call waits for its attempt, wall time. Default 19 s. */
  readonly testPatienceMs?: number;
}

/** What a request wants of the filters; absent: as it is. */
type FilterChange = Partial<WebhookFilters>;

interface RangeRequest {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
  readonly statuses: readonly string[];
}

/** All but `list` and `create` throw `not_found` for a webhook of another account. */
export interface WebhookService {
  list(accountId: string): Promise<readonly StoredWebhook[]>;
  /** Resolves to the webhook and its secret. */
  create(
    caller: Pick<Caller, 'accountId' | 'plan'>,
    url: string,
    filters: FilterChange,
  ): Promise<readonly [StoredWebhook, string]>;
  change(accountId: string, webhookId: string, wanted: FilterChange, paused?: boolean): Promise<StoredWebhook>;
  rotateSecret(accountId: string, webhookId: string, immediate: boolean): Promise<readonly [StoredWebhook, string]>;
  remove(accountId: string, webhookId: string): Promise<void>;
  deliveries(accountId: string, webhookId: string, page: DeliveryPage): Promise<readonly StoredDelivery[]>;
  test(
    accountId: string,
    webhookId: string,
  ): Promise<{ readonly webhook: StoredWebhook; readonly deliveryId: string; readonly outcome: TestOutcome }>;
  replay(accountId: string, webhookId: string, deliveryId: string): Promise<StoredDelivery>;
  /** Resolves to the number of deliveries. `key`: the same order under it is made once. */
  replayRange(accountId: string, webhookId: string, range: RangeRequest, key: string | null): Promise<number>;
}

const DAY_MS = 86_400_000;
const TESTS_PER_MINUTE = 10;
/** So that the call ends within 20 s. */
const TEST_PATIENCE_MS = 19_000;
const LOOK_AGAIN_MS = 100;
const MOST_REPLAYED = 10_000;
const REPLAYED_PER_SECOND = 20;
const NO_FILTERS: WebhookFilters = { events: [], sports: [], countries: [], venues: [], minEdgePct: null };

/** `tests`: counts test calls. */
export function createWebhooks(deps: WebhookDeps, tests: AddressBudget, wallMs: () => number): WebhookService {
  const { store, rules, resolve, random } = deps;
  const now = (): string => new Date(wallMs()).toISOString();
  const newSecret = (): string => `whsec_${random(32).toString('base64')}`;
  const find = async (accountId: string, webhookId: string): Promise<StoredWebhook> =>
    found(await store.find(accountId, webhookId));

  const ended = async (deliveryId: string): Promise<TestOutcome> => {
    const { testPatienceMs = TEST_PATIENCE_MS } = deps;
    const untilMs = performance.now() + testPatienceMs;
    for (;;) {
      const outcome = await store.test(deliveryId);
      if (outcome.status !== 'pending') return outcome;
      if (performance.now() >= untilMs) break;
      await delay(Math.min(LOOK_AGAIN_MS, testPatienceMs));
    }
    const seconds = Math.ceil(testPatienceMs / 1000);
    return store.cancelTest(deliveryId, `No attempt has ended within ${seconds} seconds.`, now());
  };

  return {
    list: (accountId) => store.list(accountId),
    async create({ accountId, plan }, url, wanted) {
      const problem = urlProblem(url, rules) ?? (await resolvedProblem(url, rules, resolve));
      if (problem !== null) throw invalid([{ pointer: '/url', detail: `/url is not allowed: ${problem}.` }]);
      const filters = filtersOf(NO_FILTERS, wanted);
      const webhookId = `wh_${random(6).toString('hex')}`;
      const secret = newSecret();
      const most = LIMITS[plan.id].webhooks;
      const webhook = await store.create({ webhookId, accountId, url, secret, ...filters }, now(), most);
      if (webhook) return [webhook, secret];
      const more = planWithMore('webhooks', plan);
      const hint = more ? ` The ${more.title} plan has ${LIMITS[more.id].webhooks}.` : '';
      throw new AppError('conflict', `The account has ${most} webhooks, as many as its plan allows.${hint}`);
    },
    async change(accountId, webhookId, wanted, paused) {
      const settings = (stored: StoredWebhook): WebhookSettings => ({
        ...filtersOf(stored, wanted),
        paused: paused ?? stored.paused,
        enable: paused === false,
      });
      return found(await store.update(accountId, webhookId, now(), settings));
    },
    async rotateSecret(accountId, webhookId, immediate) {
      const secret = newSecret();
      const until = immediate ? null : new Date(wallMs() + DAY_MS).toISOString();
      return [found(await store.replaceSecret(accountId, webhookId, secret, until)), secret];
    },
    async remove(accountId, webhookId) {
      found(await store.remove(accountId, webhookId, now()));
    },
    async deliveries(accountId, webhookId, page) {
      await find(accountId, webhookId);
      return store.deliveries(webhookId, page);
    },
    async test(accountId, webhookId) {
      const webhook = await find(accountId, webhookId);
      const waitMs = await tests.take(`webhook tests of ${accountId}`, TESTS_PER_MINUTE);
      if (waitMs > 0) throw overLimit(`Each account may send ${TESTS_PER_MINUTE} test calls a minute.`, waitMs);
      const deliveryId = await store.insertTest(webhookId, testBody(now()), now());
      return { webhook, deliveryId, outcome: await ended(deliveryId) };
    },
    async replay(accountId, webhookId, deliveryId) {
      open(await find(accountId, webhookId));
      const replayed = await store.replay(webhookId, deliveryId, now());
      if (replayed.kind === 'replayed') return replayed.delivery;
      throw REFUSED[replayed.kind]();
    },
    async replayRange(accountId, webhookId, range, key) {
      const webhook = await find(accountId, webhookId);
      const lengthMs = Date.parse(range.to) - Date.parse(range.from);
      if (lengthMs <= 0) throw invalid([{ pointer: '/to', detail: '/to must be after /from.' }]);
      if (lengthMs > DAY_MS) throw invalid([{ pointer: '/to', detail: '/to must be at most 24 hours after /from.' }]);
      const request = createHash('sha256').update(canonicalJson(range)).digest('hex');
      const order = {
        accountId,
        webhookId,
        ...range,
        most: MOST_REPLAYED,
        perSecond: REPLAYED_PER_SECOND,
        at: now(),
        once: key === null ? null : { key, request },
      };
      const before = await store.replayedBefore(order);
      // What was made under this key is answered the same while the webhook is paused.
      if (!before) open(webhook);
      const replayed = before ?? (await store.replayRange(order));
      if (replayed.kind === 'replayed') return replayed.count;
      throw replayed.kind === 'other'
        ? new AppError('conflict', 'This Idempotency-Key was sent with another request.')
        : new AppError(
            'conflict',
            `At most ${MOST_REPLAYED} replayed deliveries wait at once, those of earlier replays included: send a shorter range.`,
          );
    },
  };
}

function found<T>(webhook: T | null | false): T {
  if (webhook === null || webhook === false)
    throw new AppError('not_found', 'Your account has no webhook with this webhook_id.');
  return webhook;
}

/** Throws while nothing is posted to it: a replay would be cancelled at once. */
function open({ paused, disabledReason }: StoredWebhook): void {
  const state = disabledReason !== null ? 'disabled' : paused ? 'paused' : null;
  if (state !== null) throw new AppError('conflict', `The webhook is ${state}: send \`paused\` false first.`);
}

const REFUSED = {
  missing: () => new AppError('not_found', 'The webhook has no delivery with this delivery_id.'),
  gone: () => new AppError('gone', 'The event of this delivery is no longer stored.'),
  open: () => new AppError('conflict', 'The delivery has not ended yet.'),
  stale: () => new AppError('conflict', 'Test calls and `odds.change` are not replayed.'),
} as const;

/** Throws if the least edge would filter nothing. */
function filtersOf(stored: WebhookFilters, wanted: FilterChange): WebhookFilters {
  const filters = {
    events: [...new Set(wanted.events ?? stored.events)],
    sports: [...new Set(wanted.sports ?? stored.sports)],
    countries: [...new Set(wanted.countries ?? stored.countries)],
    venues: [...new Set(wanted.venues ?? stored.venues)],
    minEdgePct: wanted.minEdgePct === undefined ? stored.minEdgePct : wanted.minEdgePct,
  };
  if (filters.minEdgePct === null || filters.events.length === 0 || filters.events.includes('arb.opportunity'))
    return filters;
  const detail = '/min_edge_pct is only for webhooks whose events include arb.opportunity.';
  throw invalid([{ pointer: '/min_edge_pct', detail }]);
}

const testBody = (at: string): string =>
  canonicalJson({ event: 'odds.change', test: true, sent_at: at, message: 'A test of this webhook.' });

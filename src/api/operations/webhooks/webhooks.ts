// Webhooks of an account (B 4.14, D57): created, changed, tested and replayed. Workers post; a test call waits for the
// row that a worker attempts.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalJson } from '../../../domain/events/canonical-json';
import { AppError, invalid } from '../../../errors';
import { LIMITS, planWithMore } from '../../../plans/limits';
import type { Plan } from '../../../plans/plans';
import type { AddressBudget } from '../../../store/redis/address-budget';
import type { StoredWebhook, WebhookSettings, WebhookStore } from '../../../store/webhooks/webhooks';
import type { DeliveryPage, StoredDelivery, TestOutcome } from '../../../store/webhooks/webhooks-deliveries';
import { resolvedProblem, urlProblem } from '../../../webhooks/address/check-url';
import type { AddressRules } from '../../../webhooks/address/public-address';
import type { Resolver } from '../../../webhooks/address/resolver';
import type { Caller } from '../../kernel/endpoint/caller';
import { overLimit } from '../../kernel/limits/ip-limit';
import { type FilterChange, filtersOf, NO_FILTERS } from '../events/filters';
import { cursorOf, outOfLog, placeOf } from '../events/log-cursor';
import { isOwner, requireMayManage, requireMayName, type WebhookManager } from '../events/primary-only';

export interface WebhookDeps {
  readonly store: WebhookStore;
  readonly rules: AddressRules;
  readonly resolve: Resolver;
  random(bytes: number): Buffer;
  /** How long a test call waits for its attempt, wall time. Default 19 s. */
  readonly testPatienceMs?: number;
}

interface MoreChange {
  readonly url?: string | undefined;
  readonly paused?: boolean | undefined;
}

interface RangeRequest {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
  readonly statuses: readonly string[];
}

interface LogRequest {
  /** The previous `next`, or an instant; absent: the oldest stored event. */
  readonly after: string | undefined;
  readonly events: readonly string[];
  readonly webhookId: string | null;
  readonly limit: number;
}

interface EventPage {
  readonly bodies: readonly string[];
  readonly next: string;
  readonly more: boolean;
}

interface WebhookDeliveries {
  deliveries(by: WebhookManager, webhookId: string, page: DeliveryPage): Promise<readonly StoredDelivery[]>;
  /** The account's; `webhookId` null: what any of its webhooks wants. */
  events(by: WebhookManager, request: LogRequest): Promise<EventPage>;
  test(
    by: WebhookManager,
    webhookId: string,
  ): Promise<{ readonly webhook: StoredWebhook; readonly deliveryId: string; readonly outcome: TestOutcome }>;
  replay(by: WebhookManager, webhookId: string, deliveryId: string): Promise<StoredDelivery>;
  /** Resolves to the number of deliveries. `key`: a repeated order under it is carried out once. */
  replayRange(by: WebhookManager, webhookId: string, range: RangeRequest, key: string | null): Promise<number>;
}

/**
 * All but `list`, `create` and `events` without a webhook throw `not_found` for a webhook of another account, and
 * `plan_required` for one that is not for keys of the team.
 */
export interface WebhookService extends WebhookDeliveries {
  list(accountId: string): Promise<readonly StoredWebhook[]>;
  /** Resolves to the webhook and its secret. */
  create(
    by: WebhookManager & Pick<Caller, 'plan'>,
    url: string,
    filters: FilterChange,
  ): Promise<readonly [StoredWebhook, string]>;
  change(by: WebhookManager, webhookId: string, wanted: FilterChange, more: MoreChange): Promise<StoredWebhook>;
  rotateSecret(by: WebhookManager, webhookId: string, immediate: boolean): Promise<readonly [StoredWebhook, string]>;
  remove(by: WebhookManager, webhookId: string): Promise<void>;
}

const DAY_MS = 86_400_000;
const TESTS_PER_MINUTE = 10;
/** So that the call ends within 20 s. */
const TEST_PATIENCE_MS = 19_000;
const LOOK_AGAIN_MS = 100;
const MOST_REPLAYED = 10_000;
const REPLAYED_PER_SECOND = 20;

/** `tests`: counts test calls. */
export const createWebhooks = (deps: WebhookDeps, tests: AddressBudget, wallMs: () => number): WebhookService => ({
  ...settingsOf(deps, wallMs),
  ...deliveriesOf(deps, tests, wallMs),
});

function settingsOf(
  { store, rules, resolve, random }: WebhookDeps,
  wallMs: () => number,
): Omit<WebhookService, keyof WebhookDeliveries> {
  const now = (): string => iso(wallMs());
  const newSecret = (): string => `whsec_${random(32).toString('base64')}`;
  const requireAllowed = async (url: string): Promise<void> => {
    const problem = urlProblem(url, rules) ?? (await resolvedProblem(url, rules, resolve));
    if (problem !== null) throw invalid([{ pointer: '/url', detail: `/url is not allowed: ${problem}.` }]);
  };

  return {
    list: (accountId) => store.list(accountId),
    async create(by, url, wanted) {
      const { accountId, plan } = by;
      requireMayName(by, wanted.events ?? []);
      await requireAllowed(url);
      const filters = filtersOf(NO_FILTERS, wanted);
      const webhookId = `wh_${random(6).toString('hex')}`;
      const secret = newSecret();
      const most = LIMITS[plan.id].webhooks;
      const webhook = await store.create({ webhookId, accountId, url, secret, ...filters }, now(), most);
      if (!webhook) throw tooManyWebhooks(plan);
      return [webhook, secret];
    },
    async change(by, webhookId, wanted, { url, paused }) {
      requireMayName(by, wanted.events ?? []);
      if (url !== undefined) {
        await managed(store, by, webhookId);
        await requireAllowed(url);
      }
      const settings = (stored: StoredWebhook): WebhookSettings => {
        requireMayManage(by, stored);
        const settings = { url: url ?? stored.url, paused: paused ?? stored.paused, enable: paused === false };
        return { ...filtersOf(stored, wanted), ...settings };
      };
      return found(await store.update(by.accountId, webhookId, now(), settings));
    },
    async rotateSecret(by, webhookId, immediate) {
      await managed(store, by, webhookId);
      const secret = newSecret();
      const until = immediate ? null : iso(wallMs() + DAY_MS);
      return [found(await store.replaceSecret(by.accountId, webhookId, secret, until)), secret];
    },
    async remove(by, webhookId) {
      await managed(store, by, webhookId);
      found(await store.remove(by.accountId, webhookId, now()));
    },
  };
}

function deliveriesOf(deps: WebhookDeps, tests: AddressBudget, wallMs: () => number): WebhookDeliveries {
  const { store } = deps;
  const now = (): string => iso(wallMs());
  const find = (by: WebhookManager, webhookId: string): Promise<StoredWebhook> => managed(store, by, webhookId);

  return {
    async deliveries(by, webhookId, page) {
      await find(by, webhookId);
      const deliveries = await store.deliveries(webhookId, page);
      if (deliveries) return deliveries;
      throw invalid([{ parameter: 'before', detail: 'before must be the id of a delivery of this webhook.' }]);
    },
    async events(by, { after, ...order }) {
      requireMayName(by, order.events);
      if (order.webhookId !== null) await find(by, order.webhookId);
      const place = placeOf(after, wallMs());
      const reader = { accountId: by.accountId, ofAccount: isOwner(by) };
      const page = place && (await store.readLog({ ...reader, after: place, ...order }));
      if (!page) throw outOfLog(wallMs());
      return { bodies: page.bodies, next: cursorOf(page.next), more: page.more };
    },
    async test(by, webhookId) {
      const webhook = await find(by, webhookId);
      const waitMs = await tests.take(`webhook tests of ${by.accountId}`, TESTS_PER_MINUTE);
      if (waitMs > 0) throw overLimit(`Each account may send ${TESTS_PER_MINUTE} test calls a minute.`, waitMs);
      const deliveryId = await store.insertTest(webhookId, testBody(now()), now());
      return { webhook, deliveryId, outcome: await ended(deps, deliveryId, now) };
    },
    async replay(by, webhookId, deliveryId) {
      open(await find(by, webhookId));
      const replayed = await store.replay(webhookId, deliveryId, now());
      if (replayed.kind === 'replayed') return replayed.delivery;
      throw REFUSED[replayed.kind]();
    },
    async replayRange(by, webhookId, range, key) {
      const webhook = await find(by, webhookId);
      requireRange(range);
      const request = createHash('sha256').update(canonicalJson(range)).digest('hex');
      const order = {
        accountId: by.accountId,
        webhookId,
        ...range,
        most: MOST_REPLAYED,
        perSecond: REPLAYED_PER_SECOND,
        at: now(),
        once: key === null ? null : { key, request },
      };
      const before = await store.replayedBefore(order);
      // A repeat under this key gets the same response while the webhook is paused.
      if (!before) open(webhook);
      const replayed = before ?? (await store.replayRange(order));
      if (replayed.kind === 'replayed') return replayed.count;
      throw REFUSED[replayed.kind]();
    },
  };
}

async function ended(
  { store, testPatienceMs = TEST_PATIENCE_MS }: WebhookDeps,
  deliveryId: string,
  now: () => string,
): Promise<TestOutcome> {
  const untilMs = performance.now() + testPatienceMs;
  for (;;) {
    const outcome = await store.test(deliveryId);
    if (outcome.status !== 'pending') return outcome;
    if (performance.now() >= untilMs) break;
    await delay(Math.min(LOOK_AGAIN_MS, testPatienceMs));
  }
  const seconds = Math.ceil(testPatienceMs / 1000);
  return store.cancelTest(deliveryId, `No attempt has ended within ${seconds} seconds.`, now());
}

const iso = (ms: number): string => new Date(ms).toISOString();

function requireRange({ from, to }: RangeRequest): void {
  const lengthMs = Date.parse(to) - Date.parse(from);
  if (lengthMs <= 0) throw invalid([{ pointer: '/to', detail: '/to must be after /from.' }]);
  if (lengthMs > DAY_MS) throw invalid([{ pointer: '/to', detail: '/to must be at most 24 hours after /from.' }]);
}

function tooManyWebhooks(plan: Plan): AppError {
  const more = planWithMore('webhooks', plan);
  const hint = more ? ` The ${more.title} plan has ${LIMITS[more.id].webhooks}.` : '';
  const detail = `The account has ${LIMITS[plan.id].webhooks} webhooks, as many as its plan allows.${hint}`;
  return new AppError('conflict', detail);
}

function found<T>(webhook: T | null | false): T {
  if (webhook === null || webhook === false)
    throw new AppError('not_found', 'Your account has no webhook with this webhook_id.');
  return webhook;
}

async function managed(store: WebhookStore, by: WebhookManager, webhookId: string): Promise<StoredWebhook> {
  const webhook = found(await store.find(by.accountId, webhookId));
  requireMayManage(by, webhook);
  return webhook;
}

/** Throws while nothing is posted to it, because a replay would be cancelled at once. */
function open({ paused, disabledReason }: StoredWebhook): void {
  const state = disabledReason !== null ? 'disabled' : paused ? 'paused' : null;
  if (state !== null) throw new AppError('conflict', `The webhook is ${state}: send \`paused\` false first.`);
}

const REFUSED = {
  missing: () => new AppError('not_found', 'The webhook has no delivery with this delivery_id.'),
  gone: () => new AppError('gone', 'The event of this delivery is no longer stored.'),
  open: () => new AppError('conflict', 'The delivery has not ended yet.'),
  stale: () => new AppError('conflict', 'Test calls and `odds.change` are not replayed.'),
  other: () => new AppError('conflict', 'This Idempotency-Key was sent with another request.'),
  full: () =>
    new AppError(
      'conflict',
      `At most ${MOST_REPLAYED} replayed deliveries wait at once, those of earlier replays included: send a shorter range.`,
    ),
} as const;

const testBody = (at: string): string =>
  canonicalJson({ event: 'odds.change', test: true, sent_at: at, message: 'A test of this webhook.' });

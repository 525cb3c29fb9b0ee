// Webhooks as their owners manage them (B 4.14). Another account's webhook is not found. Workers write what is posted,
// and the outcome.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { noticeLevel, presentAddress } from '../accounts/notices/marks';
import type { Notice } from '../accounts/notices/notice';
import { inTransaction } from '../pg/transaction';
import { NO_KEYS } from '../secrets/sealer';
import { type LogOrder, type LogPage, readLog } from './event-log';
import { placeOfSecret } from './webhook-secrets';
import {
  cancelTest,
  type DeliveryPage,
  insertTest,
  readDeliveries,
  readTest,
  type StoredDelivery,
  type TestOutcome,
} from './webhooks-deliveries';
import {
  type RangeOrder,
  type RangeReplayed,
  type Replayed,
  replayedBefore,
  replayOne,
  replayRange,
} from './webhooks-replay';

export interface WebhookFilters {
  /** Empty: all, of each. */
  readonly events: readonly string[];
  readonly sports: readonly string[];
  readonly countries: readonly string[];
  /** Names of venues, in any spelling and case. */
  readonly venues: readonly string[];
  readonly minEdgePct: number | null;
  readonly bookmakers: readonly string[];
  /** For `odds.change`. */
  readonly minMovePct: number | null;
}

export interface StoredWebhook extends WebhookFilters {
  readonly webhookId: string;
  readonly url: string;
  readonly paused: boolean;
  /** Null: it is not disabled. */
  readonly disabledReason: 'gone' | 'failing' | null;
  readonly createdAt: Instant;
  readonly lastDeliveryAt: Instant | null;
  readonly failureCount: number;
  /** Until when the previous secret signs too. */
  readonly previousUntil: Instant | null;
  /** It names events of the account, or did once: only the primary key manages it. */
  readonly primaryOnly: boolean;
}

interface WebhookDraft extends WebhookFilters {
  readonly webhookId: string;
  readonly accountId: string;
  readonly url: string;
  readonly secret: string;
}

export interface WebhookSettings extends WebhookFilters {
  /** A new one also gets the pending deliveries. */
  readonly url: string;
  readonly paused: boolean;
  /** Ends a disabling, and a wait that its receiver requested. */
  readonly enable: boolean;
}

/** A disabling that its owner has not been mailed about. */
interface DisabledWebhook {
  readonly accountId: string;
  readonly webhookId: string;
  readonly disabledAt: Instant;
  readonly reason: 'gone' | 'failing';
  /** Null: the account has no owner. */
  readonly email: string | null;
}

export interface WebhookStore {
  /** The oldest first. */
  list(accountId: string): Promise<readonly StoredWebhook[]>;
  find(accountId: string, webhookId: string): Promise<StoredWebhook | null>;
  /** Null: the account already has `most`. */
  create(draft: WebhookDraft, at: Instant, most: number): Promise<StoredWebhook | null>;
  /** `change` gets the stored values, and may throw. Null: the account has no such webhook, also for the next. */
  update(
    accountId: string,
    webhookId: string,
    at: Instant,
    change: (stored: StoredWebhook) => WebhookSettings,
  ): Promise<StoredWebhook | null>;
  /** The previous secret signs too until `previousUntil`; null: it ends now. */
  replaceSecret(
    accountId: string,
    webhookId: string,
    secret: string,
    previousUntil: Instant | null,
  ): Promise<StoredWebhook | null>;
  /** Cancels the pending deliveries. False: the account has no such webhook. */
  remove(accountId: string, webhookId: string, at: Instant): Promise<boolean>;
  /** The newest first. Null: it has no delivery `before`. */
  deliveries(webhookId: string, page: DeliveryPage): Promise<readonly StoredDelivery[] | null>;
  /** Resolves to the delivery's id. */
  insertTest(webhookId: string, body: string, at: Instant): Promise<string>;
  test(deliveryId: string): Promise<TestOutcome>;
  /** Unless it has ended. */
  cancelTest(deliveryId: string, error: string, at: Instant): Promise<TestOutcome>;
  /** Null: the place was never issued. */
  readLog(order: LogOrder): Promise<LogPage | null>;
  replay(webhookId: string, deliveryId: string, at: Instant): Promise<Replayed>;
  /** The outcome stored under the order's key; null: it is new. */
  replayedBefore(order: RangeOrder): Promise<RangeReplayed | null>;
  replayRange(order: RangeOrder): Promise<RangeReplayed>;
  /** Some, the longest disabled first. */
  unmailed(): Promise<readonly DisabledWebhook[]>;
  /** Nothing happens if another process was faster, or the webhook is enabled again. */
  mailed(webhook: Omit<DisabledWebhook, 'email' | 'reason'>, notice: Notice, at: Instant): Promise<void>;
}

const COLUMNS = `webhook_id AS "webhookId", url, events, sports, countries, venues, min_edge_pct AS "minEdgePct", bookmakers,
  min_move_pct AS "minMovePct", paused, disabled_reason AS "disabledReason", created_at AS "createdAt", last_delivery_at AS "lastDeliveryAt",
  failure_count AS "failureCount", previous_until AS "previousUntil", primary_only AS "primaryOnly"`;

const NAMES_ACCOUNT = (events: string): string =>
  `EXISTS (SELECT FROM unnest(${events}::text[]) kind WHERE starts_with(kind, 'account.'))`;

const OWN = 'account_id = $1 AND webhook_id = $2 AND deleted_at IS NULL';

const LIST = {
  name: 'webhooks-list',
  text: `SELECT ${COLUMNS} FROM webhooks WHERE account_id = $1 AND deleted_at IS NULL ORDER BY created_at, webhook_id`,
};
const FIND = { name: 'webhooks-find', text: `SELECT ${COLUMNS} FROM webhooks WHERE ${OWN}` };
const CREATE = `
  INSERT INTO webhooks (webhook_id, account_id, url, events, sports, countries, venues, min_edge_pct, bookmakers, min_move_pct, secret, created_at, primary_only)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, ${NAMES_ACCOUNT('$4')}) RETURNING ${COLUMNS}`;
/** A receiver's requests and its record do not apply to another URL. */
const UPDATE = `
  UPDATE webhooks SET events = $3, sports = $4, countries = $5, venues = $6, min_edge_pct = $7, paused = $8,
         bookmakers = $11, min_move_pct = $12, url = $13, primary_only = primary_only OR ${NAMES_ACCOUNT('$3')},
         enabled_at = CASE WHEN $9 AND disabled_at IS NOT NULL THEN $10 ELSE enabled_at END,
         slow_until = CASE WHEN NOT $9 AND url = $13 THEN slow_until END,
         failure_count = CASE WHEN url <> $13 OR $9 AND disabled_at IS NOT NULL THEN 0 ELSE failure_count END,
         url_changes = url_changes + (url <> $13)::integer, url_since = CASE WHEN url = $13 THEN url_since ELSE $10 END,
         gone_since = CASE WHEN url = $13 THEN gone_since END, lagging = lagging AND url = $13,
         pace_ms = CASE WHEN url = $13 THEN pace_ms END,
         disabled_mailed_at = CASE WHEN NOT $9 THEN disabled_mailed_at END,
         disabled_reason = CASE WHEN NOT $9 THEN disabled_reason END,
         disabled_at = CASE WHEN NOT $9 THEN disabled_at END
   WHERE ${OWN} RETURNING ${COLUMNS}`;
const REPLACE_SECRET = `
  UPDATE webhooks SET previous_secret = CASE WHEN $4::timestamptz IS NOT NULL THEN secret END, previous_until = $4, secret = $3
   WHERE ${OWN} RETURNING ${COLUMNS}`;
/** Its secrets are deleted at once. */
const REMOVE = `
  UPDATE webhooks SET deleted_at = $3, secret = '', previous_secret = NULL, previous_until = NULL WHERE ${OWN}`;
/** Attempts in progress continue to their end. */
const CANCEL = `
  UPDATE webhook_deliveries SET status = 'cancelled', settled_at = $2, error = 'The webhook is deleted.'
   WHERE delivery_id IN (SELECT delivery_id FROM webhook_queue WHERE webhook_id = $1 AND leased_until IS NULL FOR UPDATE SKIP LOCKED)`;
const UNMAILED = `
  SELECT account_id AS "accountId", webhook_id AS "webhookId", instant_text(disabled_at) AS "disabledAt", disabled_reason AS reason, email FROM webhooks LEFT JOIN account_owners USING (account_id)
   WHERE disabled_at IS NOT NULL AND disabled_mailed_at IS NULL AND deleted_at IS NULL ORDER BY disabled_at LIMIT 100`;
const MAILED = `
  UPDATE webhooks SET disabled_mailed_at = $2 WHERE webhook_id = $1 AND disabled_at IS NOT NULL AND disabled_mailed_at IS NULL AND deleted_at IS NULL`;

export function createWebhookStore(pool: Pool, sealer = NO_KEYS): WebhookStore {
  return {
    list: async (accountId) => (await pool.query<StoredWebhook>({ ...LIST, values: [accountId] })).rows,
    find: async (accountId, webhookId) =>
      (await pool.query<StoredWebhook>({ ...FIND, values: [accountId, webhookId] })).rows[0] ?? null,
    create: (draft, at, most) =>
      inTransaction(pool, async (client) => {
        const { webhookId, accountId, url, events, sports, countries, venues, ...more } = draft;
        await client.query('SELECT FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
        const { rows: counted } = await client.query<{ webhooks: number }>(
          'SELECT count(*) AS webhooks FROM webhooks WHERE account_id = $1 AND deleted_at IS NULL',
          [accountId],
        );
        if (counted[0]!.webhooks >= most) return null;
        const filters = [events, sports, countries, venues, more.minEdgePct, more.bookmakers, more.minMovePct];
        const secret = await sealer.sealed(client, placeOfSecret(webhookId), draft.secret);
        return (await client.query<StoredWebhook>(CREATE, [webhookId, accountId, url, ...filters, secret, at]))
          .rows[0]!;
      }),
    update: (accountId, webhookId, at, change) =>
      inTransaction(pool, async (client) => {
        const own = [accountId, webhookId];
        const { rows } = await client.query<StoredWebhook>(`${FIND.text} FOR NO KEY UPDATE`, own);
        if (!rows[0]) return null;
        const { events, sports, countries, venues, minEdgePct, paused, enable, ...more } = change(rows[0]);
        const { bookmakers, minMovePct, url } = more;
        const filters = [events, sports, countries, venues, minEdgePct];
        const values = [...own, ...filters, paused, enable, at, bookmakers, minMovePct, url];
        return (await client.query<StoredWebhook>(UPDATE, values)).rows[0]!;
      }),
    replaceSecret: (accountId, webhookId, plain, previousUntil) =>
      inTransaction(pool, async (client) => {
        const secret = await sealer.sealed(client, placeOfSecret(webhookId), plain);
        const values = [accountId, webhookId, secret, previousUntil];
        return (await client.query<StoredWebhook>(REPLACE_SECRET, values)).rows[0] ?? null;
      }),
    remove: (accountId, webhookId, at) =>
      inTransaction(pool, async (client) => {
        if ((await client.query(REMOVE, [accountId, webhookId, at])).rowCount === 0) return false;
        await client.query(CANCEL, [webhookId, at]);
        return true;
      }),
    deliveries: (webhookId, page) => readDeliveries(pool, webhookId, page),
    insertTest: (webhookId, body, at) => insertTest(pool, webhookId, body, at),
    test: (deliveryId) => readTest(pool, deliveryId),
    cancelTest: (deliveryId, error, at) => cancelTest(pool, deliveryId, error, at),
    readLog: (order) => readLog(pool, order),
    replay: (webhookId, deliveryId, at) => replayOne(pool, webhookId, deliveryId, at),
    replayedBefore: (order) => replayedBefore(pool, order),
    replayRange: (order) => inTransaction(pool, (client) => replayRange(client, order)),
    unmailed: async () => (await pool.query<DisabledWebhook>(UNMAILED)).rows,
    mailed: ({ accountId, webhookId, disabledAt }, notice, at) =>
      inTransaction(pool, async (client) => {
        const recipient = await presentAddress(client, accountId);
        if ((await client.query(MAILED, [webhookId, at])).rowCount === 0) return;
        const of = { accountId, recipient, fact: `webhook ${webhookId} disabled ${disabledAt}` };
        await noticeLevel(client, sealer, of, notice);
      }),
  };
}

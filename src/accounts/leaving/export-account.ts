// An account's own data as one JSON document (docs/accounts.md), as text in pieces: it is never in memory as a whole.
import { AppError } from '../../errors';
import { publicKeyId } from '../../plans/key-id';
import { EXPORTED_LISTS } from '../../store/accounts/account-export';
import type { AddressBudget } from '../../store/redis/address-budget';
import type { Stores } from '../../store/stores';
import { withoutQuery } from './without-query';

export type ExportStores = Pick<Stores, 'accountExport' | 'ownedWebhooks'>;

/** Grows with every change that could break a reader. */
const FORMAT = { format: 'racing-odds-account', format_version: 1 } as const;

const MOST_EXPORTS = 10;
const WITHIN_MS = 3_600_000;
const DELIVERIES = 200;

export function createExports(parts: ExportStores & { readonly counts: AddressBudget; wallMs(): number }) {
  return {
    /** Throws `rate_limit`, and `not_found`, before the first piece. */
    async exported(accountId: string): Promise<AsyncGenerator<string>> {
      const waitMs = await parts.counts.take(`exports of ${accountId}`, MOST_EXPORTS, WITHIN_MS);
      if (waitMs > 0) {
        const detail = `An account can be exported ${MOST_EXPORTS} times an hour.`;
        throw new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
      }
      return exportAccount(parts, accountId, parts.wallMs());
    },
  };
}

/** Throws `not_found`. */
export async function exportAccount(
  stores: ExportStores,
  accountId: string,
  nowMs: number,
): Promise<AsyncGenerator<string>> {
  const about = await stores.accountExport.about(accountId);
  if (!about) throw new AppError('not_found', 'There is no such account.');
  return pieces(stores, accountId, { ...FORMAT, exported_at: new Date(nowMs).toISOString(), ...about });
}

async function* pieces(stores: ExportStores, accountId: string, about: object): AsyncGenerator<string> {
  yield JSON.stringify(about).slice(0, -1);
  yield* list('webhooks', [(await stores.ownedWebhooks.list(accountId)).map(webhookOf)]);
  yield* list('webhook_deliveries', deliveriesOf(stores, accountId));
  for (const name of EXPORTED_LISTS) yield* list(name, stores.accountExport.pages(name, accountId));
  yield '}\n';
}

type Pages = AsyncIterable<readonly object[]> | Iterable<readonly object[]>;

async function* list(name: string, pages: Pages): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? '' : ','}\n${page.map((row) => JSON.stringify(named(row))).join(',\n')}`;
    isFirst = false;
  }
  yield ']';
}

/** By the public name of a key, as every response has it. */
const named = (row: object): object =>
  'key_id' in row && typeof row.key_id === 'string' ? { ...row, key_id: publicKeyId(row.key_id) } : row;

type Webhook = Awaited<ReturnType<Stores['ownedWebhooks']['list']>>[number];

const webhookOf = (one: Webhook) => ({
  ...{ webhook_id: one.webhookId, url: withoutQuery(one.url), events: one.events, sports: one.sports },
  ...{ countries: one.countries, venues: one.venues, bookmakers: one.bookmakers, min_edge_pct: one.minEdgePct },
  ...{ min_move_pct: one.minMovePct, paused: one.paused, disabled_reason: one.disabledReason },
  ...{ created_at: one.createdAt, last_delivery_at: one.lastDeliveryAt, failure_count: one.failureCount },
});

async function* deliveriesOf({ ownedWebhooks }: ExportStores, accountId: string) {
  for (const { webhookId } of await ownedWebhooks.list(accountId)) {
    let before: string | undefined;
    for (;;) {
      const page = (await ownedWebhooks.deliveries(webhookId, { limit: DELIVERIES, offset: 0, before })) ?? [];
      yield page.map(deliveryOf);
      if (page.length < DELIVERIES) break;
      before = page.at(-1)!.deliveryId;
    }
  }
}

type Delivery = NonNullable<Awaited<ReturnType<Stores['ownedWebhooks']['deliveries']>>>[number];

/** Without its body, which is data of races. */
const deliveryOf = (one: Delivery) => ({
  ...{ delivery_id: one.deliveryId, webhook_id: one.webhookId, event_id: one.eventId, event: one.kind, test: one.test },
  ...{ replay_of: one.replayOf, status: one.status, status_code: one.statusCode, error: one.error },
  ...{ created_at: one.createdAt, delivered_at: one.deliveredAt },
  attempts: one.attempts.map(({ startedAt, durationMs, statusCode, error }) => ({
    ...{ started_at: startedAt, duration_ms: durationMs, status_code: statusCode, error },
  })),
});

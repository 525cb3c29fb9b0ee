// The pages of webhooks and what their buttons do. A plan without webhooks may look at, pause and delete what it has.

import { withoutQuery } from '../../../accounts/leaving/without-query';
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import { mayUse, RIGHTS } from '../../../plans/rights';
import type { StoredWebhook } from '../../../store/webhooks/webhooks';
import type { AccountPagesDeps } from '../deps';
import { refused } from '../forms/filled';
import { primaryOf } from '../own-account';
import type { OwnerVisits } from '../panels/owner-visits';
import type { Visit, VisitAnswer } from '../visits';
import { secretPage, testedText, webhookPage } from './page';
import { WEBHOOK_LABELS } from './panel';

const PAGE = 20;
const DAY_MS = 86_400_000;
const ROTATES_AGAIN_AFTER_MS = 600_000;
const FAILED = ['failed', 'retrying'];

/** By the name in the address: no other text of it is shown. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['replayed', 'The delivery is queued again.'],
  ['paused', 'The webhook is paused: nothing is posted to it.'],
  ['resumed', 'The webhook is posted to again.'],
]);

export function webhookRoutes({ get, post }: OwnerVisits, deps: AccountPagesDeps): void {
  const { webhookService: service } = deps;
  const show = showing(deps);
  get('/account/webhooks/:webhook_id', (session, visit) =>
    show(session, visit, { done: DONE.get(visit.query.get('done') ?? '') ?? null }),
  );
  post(
    '/account/webhooks',
    async (session, { form }) => {
      await requireRight(deps, session);
      const url = (form.get('url') ?? '').trim();
      // A form that is sent twice makes no second webhook.
      if ((await deps.webhooks.list(session.accountId)).some((one) => one.url === url))
        throw new AppError('conflict', 'The account has a webhook of this address. The API can add another.');
      const [webhook, secret] = await service.create(session, url, {});
      return { page: secretPage(webhook, secret) };
    },
    ({ form }, error) => ({ of: 'webhook', filled: refused(form, WEBHOOK_LABELS, error) }),
  );
  /** Refused on the page of the webhook. */
  const act = (path: string, does: (session: Session, visit: Visit, id: string) => Promise<VisitAnswer>): void =>
    post(`/account/webhooks/:webhook_id/${path}`, async (session, visit) => {
      try {
        return await does(session, visit, visit.params.webhook_id!);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500 || error.status === 404) throw error;
        return { status: error.status, ...(await show(session, visit, { refusal: error.message })) };
      }
    });
  act('test', async (session, visit, id) => {
    await requireRight(deps, session);
    const { outcome } = await service.test(session, id);
    const found = testedText(outcome);
    return show(session, visit, outcome.status === 'delivered' ? { done: found } : { refusal: found });
  });
  act('replay/:delivery_id', async (session, { params }, id) => {
    await requireRight(deps, session);
    await service.replay(session, id, params.delivery_id!);
    return { to: `/account/webhooks/${id}?done=replayed` };
  });
  for (const [path, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const)
    act(path, async (session, _, id) => {
      await service.change(session, id, {}, { paused });
      return { to: `/account/webhooks/${id}?done=${path}d` };
    });
  act('rotate', async (session, _, id) => {
    const webhook = await webhookOf(deps, session.accountId, id);
    const untilMs = webhook?.previousUntil ? Date.parse(webhook.previousUntil) : 0;
    // A form that is sent twice would end the secret that the receiver still has.
    if (untilMs > deps.account.wallMs() + DAY_MS - ROTATES_AGAIN_AFTER_MS)
      throw new AppError('conflict', 'The secret was replaced within the last ten minutes: wait, or use the API.');
    const [rotated, secret] = await service.rotateSecret(session, id, false);
    return { page: secretPage(rotated, secret) };
  });
  act('delete', async (session, _, id) => {
    await service.remove(session, id);
    return { to: '/account?done=webhook-deleted' };
  });
}

type Outcome = { readonly done?: string | null; readonly refusal?: string | null };

function showing(deps: AccountPagesDeps) {
  return async (session: Session, { params, query }: Visit, { done = null, refusal = null }: Outcome) => {
    const { accountId } = session;
    const id = params.webhook_id!;
    const webhook = await webhookOf(deps, accountId, id);
    if (!webhook) throw new AppError('not_found', 'Your account has no such webhook.');
    const before = query.get('before')?.replaceAll('\0', '') || undefined;
    const read = (statuses: readonly string[]) =>
      deps.webhookService.deliveries(session, id, { limit: PAGE + 1, offset: 0, statuses, before });
    const wanted = query.get('show');
    const failed = wanted === 'all' ? [] : await read(FAILED);
    const isOfFailed = wanted === 'failed' || failed.length > 0;
    const rows = isOfFailed ? failed : await read([]);
    const deliveries = rows.slice(0, PAGE);
    const olderThan = rows.length > PAGE ? deliveries.at(-1)!.deliveryId : null;
    const isEntitled = await hasRight(deps, session);
    const shown = { webhook: shownOf(webhook), isEntitled, deliveries, isOfFailed, olderThan, done, refusal };
    return { page: webhookPage(shown) };
  };
}

const webhookOf = async (
  { webhooks }: AccountPagesDeps,
  accountId: string,
  id: string,
): Promise<StoredWebhook | undefined> => (await webhooks.list(accountId)).find(({ webhookId }) => webhookId === id);

const shownOf = (webhook: StoredWebhook): StoredWebhook => ({ ...webhook, url: withoutQuery(webhook.url) });

/** The right is that of the primary key: older keys have rights of their own. */
async function hasRight({ ownedKeys }: AccountPagesDeps, { accountId, accountSince, plan }: Session): Promise<boolean> {
  const primary = primaryOf(await ownedKeys.list(accountId));
  return mayUse('webhooks', plan, primary?.issuedAt ?? accountSince);
}

async function requireRight(deps: AccountPagesDeps, session: Session): Promise<void> {
  if (await hasRight(deps, session)) return;
  throw new AppError('plan_required', `Your plan does not include this: ${RIGHTS.webhooks.title.toLowerCase()}.`);
}

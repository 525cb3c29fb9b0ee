// Reads one horse's form page for a customer, and stores it. Any obstacle is a result, because the customer waits.
import { REGISTRY } from '../../domain/registry/registry';
import type { FeedReply } from '../../feeds/feed';
import type { FormRead } from '../../workflows/contract';
import { activitySignal } from '../activity-context';
import type { ActivityDeps } from '../deps';
import { healthOf } from '../polling/poll-book';
import { failureKind, LIMITED_FOR_MS } from './registry-failure';

type FormDeps = Pick<ActivityDeps, 'registry'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'forms' | 'health'>;
};

/** `code`: one that the horse has or had at any meeting. */
export async function readHorseForm({ registry, stores }: FormDeps, code: string): Promise<FormRead> {
  if (!registry) return { kind: 'away', retryAfterMs: LIMITED_FOR_MS };
  const signal = activitySignal();
  const reply = await registry.horseForm(code, 'form', signal && { signal });
  if (reply.kind === 'ok') await stores.forms.save(reply.value, reply.observedAt);
  await stores.health.recordPolls([healthOf({ bookmakerKey: REGISTRY }, reply, Number(reply.kind === 'ok'))]);
  return outcomeOf(reply);
}

function outcomeOf(reply: FeedReply<unknown>): FormRead {
  if (reply.kind !== 'failed') return { kind: 'stored' };
  if (reply.reason === 'not_found') return { kind: 'absent' };
  if (reply.reason === 'malformed') return { kind: 'unreadable' };
  if (failureKind(reply) === 'failed') return { kind: 'failed' };
  return { kind: 'away', retryAfterMs: reply.retryAfterMs ?? LIMITED_FOR_MS };
}

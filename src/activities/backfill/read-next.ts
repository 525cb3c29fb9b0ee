// Reads the page of the horse whose turn it is, for whichever job, and delivers it to every job that waits for it
// (D52): one read serves all.
import { BETWEEN_TRIES_MS, MOST_TRIES } from '../../domain/backfill/job';
import { REGISTRY } from '../../domain/registry/registry';
import type { LeasedHorse } from '../../store/backfill/reading';
import { type ActivityDeps, instantNow } from '../deps';
import { healthOf } from '../polling/poll-book';
import { failureKind, LIMITED_FOR_MS, type RegistryFailure } from '../registry/registry-failure';
import { type DeliveryDeps, deliverOne, needOf } from './deliver';

export type ReadDeps = DeliveryDeps &
  Pick<ActivityDeps, 'registry' | 'log'> & {
    readonly stores: Pick<ActivityDeps['stores'], 'backfill' | 'forms' | 'health'>;
  };

export type ReadEnd =
  /** Of any job. */
  | { readonly kind: 'served'; readonly delivered: number }
  | { readonly kind: 'failed' }
  /** No horse may be read now: each is under another worker's lease, or waits for its next try. */
  | { readonly kind: 'none' }
  /** Nothing can be read. Wall. */
  | { readonly kind: 'away'; readonly why: 'paused' | 'walled' | 'busy' | 'no_answer'; readonly inMs: number };

/** Turn and page. A lease outlasts them: after it ends, another worker takes the horse of a dead one. */
const READ_WITHIN_MS = 10_000;
const LEASED_FOR_MS = 15_000;
const BUSY_FOR_MS = 5000;
const WALLED_FOR_MS = 600_000;
/** The registry did not answer: this is not a try of the horse, but others come first. Race time. */
const UNANSWERED_FOR_MS = 5 * 60_000;

const instantOf = (ms: number): string => new Date(ms).toISOString();

/** `signal`: ends the attempt. Rejects when our own servers are away: the lease then ends by itself. */
export async function readNext(deps: ReadDeps, signal: AbortSignal): Promise<ReadEnd> {
  const { backfill, forms } = deps.stores;
  const { registry } = deps;
  if (!registry) return { kind: 'away', why: 'no_answer', inMs: WALLED_FOR_MS };
  const wallMs = deps.wallMs();
  const leased = { wall: instantOf(wallMs), leasedUntil: instantOf(wallMs + LEASED_FOR_MS) };
  const horse = await backfill.take({ at: instantNow(deps), ...leased });
  if (!horse) return { kind: 'none' };
  const [age] = await forms.ages([horse]);
  // A customer's request has read it meanwhile, or a worker that died before it could record it.
  if (age && needOf(age, deps.now()) === 'serve') return serve(deps, horse, age.ref, null);
  const within = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]);
  const reply = await registry.horseForm(horse.refs[0]!.slice('ra:'.length), 'backfill', { signal: within });
  if (reply.kind === 'failed') return failed(deps, horse, reply, within.aborted);
  if (reply.kind !== 'ok') throw new Error('a form page is never conditional');
  await forms.save(reply.value, reply.observedAt);
  await deps.stores.health.recordPolls([healthOf({ bookmakerKey: REGISTRY }, reply, 1)]);
  return serve(deps, horse, `ra:${reply.value.runnerCode}`, reply.observedAt);
}

/** `readAt`: null if nothing had to be read. */
async function serve(deps: ReadDeps, horse: LeasedHorse, pageRef: string, readAt: string | null): Promise<ReadEnd> {
  const { backfill } = deps.stores;
  const items = await backfill.noteStored(horse, pageRef);
  await backfill.endLease(horse.key, readAt);
  let delivered = 0;
  for (const item of items) if ((await deliverOne(deps, item)) === 'delivered') delivered += 1;
  return { kind: 'served', delivered };
}

/** About the requested page. A 5xx concerns the whole site, and says nothing about a horse. */
const ANSWERS: readonly RegistryFailure['reason'][] = ['not_found', 'malformed', 'wrong_content_type', 'too_large'];

/** A reply carries its status in `detail` only. */
const isAnswer = ({ reason, detail }: RegistryFailure): boolean =>
  ANSWERS.includes(reason) || (reason === 'http_error' && /^HTTP 4\d\d$/.test(detail));

async function failed(
  deps: ReadDeps,
  horse: LeasedHorse,
  reply: RegistryFailure,
  calledOff: boolean,
): Promise<ReadEnd> {
  const { backfill, health } = deps.stores;
  const { reason, retryAfterMs } = reply;
  if (reason === 'over_budget' || calledOff) {
    await backfill.endLease(horse.key, null);
    return { kind: 'away', why: 'busy', inMs: retryAfterMs ?? BUSY_FOR_MS };
  }
  await health.recordPolls([healthOf({ bookmakerKey: REGISTRY }, reply, 0)]);
  const kind = failureKind(reply);
  if (kind !== 'failed') {
    await backfill.endLease(horse.key, null);
    const usualMs = kind === 'walled' ? WALLED_FOR_MS : LIMITED_FOR_MS;
    return { kind: 'away', why: kind, inMs: retryAfterMs ?? usualMs };
  }
  const counts = isAnswer(reply);
  const nextTryAt = instantOf(deps.now() + (counts ? BETWEEN_TRIES_MS : UNANSWERED_FOR_MS));
  await backfill.noteFailed(horse, { at: instantNow(deps), nextTryAt, counts, mostTries: MOST_TRIES });
  await backfill.endLease(horse.key, instantNow(deps));
  deps.log.warn({ horse: horse.key, reason, counts }, 'no form page for a horse of a backfill job');
  return counts ? { kind: 'failed' } : { kind: 'away', why: 'no_answer', inMs: LIMITED_FOR_MS };
}

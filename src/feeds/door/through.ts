// One call through a registry's door. A refusal by the door becomes a failure that readers know: `blocked` behind a
// wall, `rate_limited` during a pause, `over_budget` if no turn came in time. Nothing was sent in any of these cases.
import type { CallEnd, FeedCall } from '../feed';
import { endOf, type HttpFailure, type HttpReply } from '../transport/http';
import type { Door, DoorEntry, DoorPurpose } from './door';

export interface DoorCall {
  readonly door: Door;
  readonly purpose: DoorPurpose;
  readonly call: FeedCall | undefined;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

const UNKNOWN: CallEnd = { failure: null, status: null, retryAfterMs: null, calledOff: true };

export async function throughDoor<T>(
  { door, purpose, call, now }: DoorCall,
  send: () => Promise<HttpReply<T>>,
): Promise<HttpReply<T>> {
  const entry = await door.enter(purpose, call?.signal);
  if (entry.kind === 'refused') return failureOf(entry, now());
  let end = UNKNOWN;
  try {
    const reply = await send();
    end = endOf(reply);
    return reply;
  } finally {
    await entry.left(end);
  }
}

const FAILURES = {
  walled: ['blocked', 'the registry refuses us: nothing was sent'],
  paused: ['rate_limited', 'the registry requested a pause: nothing was sent'],
  busy: ['over_budget', 'other pages took every turn: nothing was sent'],
  called_off: ['network', 'called off by the caller'],
} as const;

function failureOf(
  { reason, retryAfterMs }: Extract<DoorEntry, { readonly kind: 'refused' }>,
  nowMs: number,
): HttpFailure {
  const [failure, detail] = FAILURES[reason];
  const observedAt = new Date(nowMs).toISOString();
  if (reason === 'called_off') {
    return { kind: 'failed', reason: failure, detail, retryAfterMs: null, observedAt, calledOff: true };
  }
  return { kind: 'failed', reason: failure, detail, retryAfterMs, observedAt, notSent: true };
}

// One attempt of a leased delivery, from its post to its row. The lanes and the retries make theirs here.
import { setTimeout as delay } from 'node:timers/promises';
import type { Claimed } from '../store/webhooks/claims';
import type { DeliveryStore } from '../store/webhooks/deliveries';
import type { Settled } from '../store/webhooks/settle';
import { recordAttempt } from './delivery-metrics';
import { afterAttempt } from './schedule';
import type { AttemptResult, Sender } from './send';

export interface PostDeps {
  readonly deliveries: DeliveryStore;
  readonly sender: Sender;
  /** The wall clock, epoch milliseconds. */
  readonly wallMs: () => number;
  /** In [0, 1): jitter only. */
  readonly random: () => number;
}

export type Posted = Settled & {
  /** Whether this attempt decided: another may have been made after its lease had ended. */
  readonly decided: boolean;
};

/** Wall time. A lease has this for it; after that another worker repeats the attempt. */
const SETTLE_WITHIN_MS = 10_000;
const AGAIN_MS = 500;

/** `sent` is called as soon as the receiver has answered, or not. Rejects only if its end could not be written. */
export async function post(deps: PostDeps, claimed: Claimed, sent = (_delivered: boolean) => {}): Promise<Posted> {
  const result = await send(deps, claimed).then(
    (one) => {
      sent(one.delivered);
      return one;
    },
    (error: unknown) => {
      sent(false);
      throw error;
    },
  );
  const nowMs = deps.wallMs();
  const { deliveryId, webhookId, url, attempt, test, kind, goneBefore } = claimed;
  const attempted = { ...claimed, createdMs: Date.parse(claimed.createdAt) };
  const settled: Settled = {
    deliveryId,
    webhookId,
    url,
    attempt,
    test,
    at: new Date(nowMs).toISOString(),
    statusCode: result.statusCode,
    error: result.error,
    durationMs: Math.round(result.durationMs),
    ...afterAttempt(attempted, result, nowMs, deps.random()),
  };
  recordAttempt(kind, result.delivered);
  const end = async (): Promise<boolean> => {
    // First: once the end is written, nothing would make up for a disabling that failed.
    if (result.gone && goneBefore && !test) await deps.deliveries.disable(webhookId, 'gone', settled.at, url);
    return deps.deliveries.settle(settled);
  };
  const decided = await within(deps, end, nowMs + SETTLE_WITHIN_MS);
  return { ...settled, decided };
}

const NO_BODY: AttemptResult = {
  delivered: false,
  statusCode: null,
  error: 'The event is no longer stored.',
  durationMs: 0,
  retryAfterMs: null,
  gone: false,
  slow: false,
};

async function send(
  { sender, wallMs }: PostDeps,
  { url, eventId, kind, body, secrets }: Claimed,
): Promise<AttemptResult> {
  if (body === null) return NO_BODY;
  return sender.send({ url, eventId, kind, body, secrets, at: new Date(wallMs()) });
}

/** The database may be away for a moment: a received event is not posted again if that can be avoided. */
async function within<T>({ wallMs }: PostDeps, work: () => Promise<T>, untilMs: number): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (wallMs() >= untilMs) throw error;
      await delay(AGAIN_MS);
    }
  }
}

// The leased deliveries of a process, and the path of each: it waits for a turn at its endpoint and for one of the
// process, is posted, and handed on after its last attempt here. If its endpoint fails meanwhile, or it waits too long,
// it is given back.
import type { Log } from '../log';
import type { Claimed } from '../store/webhooks/claims';
import { type PostDeps, type Posted, post } from './post';
import { createPostSlots, type PostSlots } from './post-slots';
import { LANE_ATTEMPTS } from './schedule';

export interface LeaseDeps extends PostDeps {
  /** Starts the fourth and later attempts of a delivery. A sweep makes up for a missed start. */
  readonly retry: (delivery: {
    readonly deliveryId: string;
    readonly webhookId: string;
    readonly kind: string;
  }) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** Posts of an endpoint in progress at once. */
export const AT_ENDPOINT = 4;
/**
 * Wall time. A delivery that has waited longer for its endpoint is given back: a newer price may have come, or another
 * worker be free.
 */
const AHEAD_WITHIN_MS = 1000;
/** Wall. The rest of a lease is for the post and its end. */
const TURN_WITHIN_MS = 5000;

interface Endpoint {
  readonly turns: PostSlots;
  leased: number;
  /** The last failed post, until its end is written: the database does not know of it. */
  unsettled: Promise<unknown> | null;
  /** When the end of its last failed post was written, as a `LeaseMoment`. */
  failed: LeaseMoment;
}

const newEndpoint = (): Endpoint => ({ turns: createPostSlots(AT_ENDPOINT), leased: 0, unsettled: null, failed: 0 });

/** Orders claims and the written ends of failed posts: how many of these there were. */
type LeaseMoment = number;

interface LeaseCounts {
  /** Waits for its endpoint. */
  ahead: number;
  /** First attempts of failing endpoints. */
  failing: number;
  /** Later attempts in progress. */
  retries: number;
  /** Those of them at failing endpoints. */
  retriesFailing: number;
}

export interface Leases {
  readonly counts: Readonly<LeaseCounts>;
  /** Before a claim of first attempts, which may miss what is written from here on. One claim at a time. */
  claiming(): LeaseMoment;
  /** `since`: when it was claimed. Resolves when the delivery is settled, handed on or given back. */
  take(claimed: Claimed, since: LeaseMoment): Promise<void>;
}

/** `turns`: the process's. `isClosed`: a waiting delivery is given back when its turn comes. */
export function createLeases(deps: LeaseDeps, turns: PostSlots, isClosed: () => boolean): Leases {
  const { deliveries, wallMs, log } = deps;
  /** With a lease here, or a failure since the last claim began. */
  const endpoints = new Map<string, Endpoint>();
  let moment: LeaseMoment = 0;
  const counts: LeaseCounts = { ahead: 0, failing: 0, retries: 0, retriesFailing: 0 };

  const count = (endpoint: Endpoint, { webhookId, again, failing }: Claimed, by: 1 | -1): void => {
    if (again) {
      counts.retries += by;
      counts.retriesFailing += by * Number(failing);
    } else if (failing) counts.failing += by;
    endpoint.leased += by;
    if (endpoint.leased === 0 && endpoint.failed === 0 && endpoint.unsettled === null) endpoints.delete(webhookId);
  };

  const claiming = (): LeaseMoment => {
    for (const [webhookId, { leased }] of endpoints) if (leased === 0) endpoints.delete(webhookId);
    return moment;
  };

  const nextMoment = (): LeaseMoment => ++moment;

  const take = async (claimed: Claimed, since: LeaseMoment): Promise<void> => {
    const isApart = claimed.test || claimed.again;
    const endpoint = endpoints.get(claimed.webhookId) ?? newEndpoint();
    endpoints.set(claimed.webhookId, endpoint);
    count(endpoint, claimed, 1);
    const claimedMs = wallMs();
    const waitedFor = (ms: number): boolean => wallMs() > claimedMs + ms;
    const hasFailed = (): boolean => !isApart && (endpoint.failed > since || endpoint.unsettled !== null);
    const endTurns = (): void => {
      turns.end();
      if (!isApart) endpoint.turns.end();
    };
    try {
      counts.ahead += 1;
      if (!isApart) await endpoint.turns.begin();
      counts.ahead -= 1;
      const wasAhead = waitedFor(AHEAD_WITHIN_MS);
      await turns.begin();
      if (isClosed() || wasAhead || hasFailed() || waitedFor(TURN_WITHIN_MS)) {
        endTurns();
        if (!isApart) await endpoint.unsettled?.catch(() => undefined);
        await deliveries.giveBack(claimed, new Date(wallMs()).toISOString());
        return;
      }
      const posting = post(deps, claimed, (isDelivered) => {
        if (!isDelivered && !isApart) noteFailure(endpoint, posting, nextMoment);
        endTurns();
      });
      handOn(deps, claimed, await posting);
    } catch (err) {
      log.warn({ err, deliveryId: claimed.deliveryId }, 'the end of a post was not written; it is made again');
    } finally {
      count(endpoint, claimed, -1);
    }
  };

  return { counts, claiming, take };
}

function noteFailure(endpoint: Endpoint, posting: Promise<unknown>, nextMoment: () => LeaseMoment): void {
  endpoint.unsettled = posting;
  const settled = (): void => {
    endpoint.failed = nextMoment();
    if (endpoint.unsettled === posting) endpoint.unsettled = null;
  };
  posting.then(settled, settled);
}

function handOn({ retry }: LeaseDeps, claimed: Claimed, { decided, status }: Posted): void {
  const { deliveryId, webhookId, kind, attempt, cutOff } = claimed;
  if (decided && status === 'retrying' && attempt - cutOff >= LANE_ATTEMPTS) retry({ deliveryId, webhookId, kind });
}

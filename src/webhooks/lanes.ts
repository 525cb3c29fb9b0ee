// The lanes of a process: they lease deliveries that may be posted, make the first three attempts of each, and hand
// what failed by then to a workflow (D55, D65). A slow endpoint costs its own turns only: four posts of each are under
// way at most, one while it fails, and failing ones together fill half of the lanes. What was leased ahead is given
// back when its endpoint fails. A test neither waits for its endpoint nor counts as its failure, nor does a later
// attempt; of those a quarter of the lanes make some, with a look of their own, and half of these of failing endpoints.
import { randomUUID } from 'node:crypto';
import type { Log } from '../log';
import type { Claimed } from '../store/webhooks/claims';
import { recordSuperseded } from './delivery-metrics';
import { startLaterAttempts } from './later-attempts';
import { startLoop } from './loop';
import { type PostDeps, type Posted, post } from './post';
import { createPostSlots, type PostSlots } from './post-slots';
import { LANE_ATTEMPTS } from './schedule';
import { startSetAside } from './set-aside';

export interface LanesDeps extends PostDeps {
  /** Posts under way at once. */
  readonly slots: number;
  /** Plans whose accounts get webhooks. */
  readonly plans: readonly string[];
  /** Begins the fourth attempt of a delivery and those after it. Whatever it misses, a sweep makes up for. */
  readonly retry: (delivery: {
    readonly deliveryId: string;
    readonly webhookId: string;
    readonly kind: string;
  }) => void;
  readonly log: Pick<Log, 'warn'>;
  /** Wall, between two looks while nothing rings. Default 200 ms. */
  readonly idleMs?: number;
  /** Wall, that a delivery is kept from everybody when its secret cannot be opened. Default 10 s. */
  readonly asideMs?: number;
}

export interface Lanes {
  /** There is something new. */
  ring(): void;
  /** Takes nothing more; resolves when what is under way has ended. */
  close(): Promise<void>;
}

const IDLE_MS = 200;
/** Shorter than a lease, and long enough that what cannot be posted costs next to nothing. */
const ASIDE_MS = 10_000;
/** Wall. Many that end together are followed by one claim. */
const SPACING_MS = 5;
const TIDY_EVERY_MS = 5000;
const FEWEST_ENDPOINTS = 16;
/** Posts of an endpoint under way at once. */
const AT_ENDPOINT = 4;
/** For each lane, what waits for its endpoint included. */
const MOST_LEASED = 4;
/**
 * Wall. What has waited longer for its endpoint is given back: a newer price may have come, or another worker be free.
 */
const AHEAD_WITHIN_MS = 1000;
/** Wall. The rest of a lease is for the post and its end. */
const TURN_WITHIN_MS = 5000;

interface Endpoint {
  readonly turns: PostSlots;
  leased: number;
  failures: number;
  /** The last post that was not delivered, until its end is written: the database does not know of it. */
  unsettled: Promise<unknown> | null;
}

const newEndpoint = (): Endpoint => ({ turns: createPostSlots(AT_ENDPOINT), leased: 0, failures: 0, unsettled: null });

function noteFailure(endpoint: Endpoint, posting: Promise<unknown>): void {
  endpoint.failures += 1;
  endpoint.unsettled = posting;
  const settled = (): void => {
    if (endpoint.unsettled === posting) endpoint.unsettled = null;
  };
  posting.then(settled, settled);
}

export function startLanes(deps: LanesDeps): Lanes {
  const { deliveries, slots, plans, wallMs, log, idleMs = IDLE_MS, asideMs = ASIDE_MS } = deps;
  const underWay = new Set<Promise<void>>();
  const turns = createPostSlots(slots);
  const aside = startSetAside({ deliveries, wallMs, log, forMs: asideMs });
  /** Of which something is leased here. */
  const endpoints = new Map<string, Endpoint>();
  const worker = randomUUID();
  let isClosed = false;
  /** Leased ahead. */
  let waiting = 0;
  /** Deliveries of an endpoint in the last claim. */
  let each = 1;
  let failing = 0;
  /** Later attempts under way. */
  let retries = 0;
  /** Of these, of failing endpoints. */
  let retriesFailing = 0;
  let after = '';
  let foundInRound = 0;
  let tidiedMs = 0;

  const lane = async (claimed: Claimed): Promise<void> => {
    const { webhookId, again } = claimed;
    const isApart = claimed.test || again;
    const endpoint = endpoints.get(webhookId) ?? newEndpoint();
    endpoints.set(webhookId, endpoint);
    endpoint.leased += 1;
    if (again) {
      retries += 1;
      retriesFailing += Number(claimed.failing);
    } else if (claimed.failing) failing += 1;
    const { failures } = endpoint;
    const claimedMs = wallMs();
    const waitedFor = (ms: number): boolean => wallMs() > claimedMs + ms;
    const hasFailed = (): boolean => !isApart && (endpoint.failures !== failures || endpoint.unsettled !== null);
    const endTurns = (): void => {
      turns.end();
      if (!isApart) endpoint.turns.end();
    };
    try {
      waiting += 1;
      if (!isApart) await endpoint.turns.begin();
      waiting -= 1;
      const wasAhead = waitedFor(AHEAD_WITHIN_MS);
      await turns.begin();
      if (isClosed || wasAhead || hasFailed() || waitedFor(TURN_WITHIN_MS)) {
        endTurns();
        if (!isApart) await endpoint.unsettled?.catch(() => undefined);
        await deliveries.giveBack(claimed, new Date(wallMs()).toISOString());
        return;
      }
      const posting = post(deps, claimed, (isDelivered) => {
        if (!isDelivered && !isApart) noteFailure(endpoint, posting);
        endTurns();
      });
      handOn(claimed, await posting);
    } catch (err) {
      log.warn({ err, deliveryId: claimed.deliveryId }, 'the end of a post was not written; it is made again');
    } finally {
      if (again) {
        retries -= 1;
        retriesFailing -= Number(claimed.failing);
      } else if (claimed.failing) failing -= 1;
      endpoint.leased -= 1;
      if (endpoint.leased === 0) endpoints.delete(webhookId);
    }
  };
  const handOn = ({ deliveryId, webhookId, kind, attempt, cutOff }: Claimed, { decided, status }: Posted): void => {
    if (decided && status === 'retrying' && attempt - cutOff >= LANE_ATTEMPTS)
      deps.retry({ deliveryId, webhookId, kind });
  };
  const begin = (claimed: Claimed): void => {
    const running = lane(claimed).finally(() => {
      underWay.delete(running);
      loop.ring();
    });
    underWay.add(running);
  };

  /**
   * Resolves to whether there may be more to take. Goes round all endpoints that have something pending, some at a
   * time.
   */
  const look = async (): Promise<boolean> => {
    // As many ahead as posts have ended meanwhile: what is claimed waits for no more than one such time, and not at all
    // while posts hang.
    const free = slots - turns.taken() + Math.min(slots, turns.ended());
    // Of an endpoint that gives many in a claim only some begin.
    const ahead = Math.ceil(free * Math.max(1, each / AT_ENDPOINT));
    const most = Math.min(ahead, MOST_LEASED * slots - waiting - turns.taken());
    if (most <= 0) return false;
    const now = new Date(wallMs()).toISOString();
    const room = Math.max(0, Math.ceil(slots / 2) - failing);
    const some = Math.max(FEWEST_ENDPOINTS, Math.ceil(most / each));
    const order = { worker, after, endpoints: some, most, failing: room, plans, now };
    const { claimed, unsigned, last } = await deliveries.claim(order);
    unsigned.forEach(aside.take);
    each = claimed.length === 0 ? 1 : claimed.length / new Set(claimed.map(({ webhookId }) => webhookId)).size;
    claimed.forEach(begin);
    after = last ?? '';
    foundInRound += claimed.length;
    if (last !== null) return true;
    const found = foundInRound;
    foundInRound = 0;
    return found > 0;
  };
  const tidy = async (): Promise<void> => {
    if (wallMs() < tidiedMs + TIDY_EVERY_MS) return;
    tidiedMs = wallMs();
    recordSuperseded((await deliveries.tidy(new Date(tidiedMs).toISOString())).expired);
  };
  const loop = startLoop({
    idleMs,
    spacingMs: SPACING_MS,
    log,
    failed: 'webhooks were not claimed',
    work: async () => {
      await tidy();
      return look();
    },
  });
  const later = startLaterAttempts({
    deliveries,
    plans,
    wallMs,
    log,
    idleMs,
    room: () => ({
      most: Math.ceil(slots / 4) - retries,
      failing: Math.max(0, Math.ceil(slots / 8) - retriesFailing),
    }),
    begin,
    setAside: aside.take,
  });
  return {
    ring: loop.ring,
    close: async () => {
      isClosed = true;
      await Promise.all([loop.close(), later.close()]);
      await Promise.all([aside.close(), ...underWay]);
    },
  };
}

// The lanes of a process: they lease deliveries that may be posted, make the first three attempts of each, and hand the
// ones that failed by then to a workflow (D55, D65). A slow endpoint costs only its own turns: at most four posts of
// each are in progress, one while it fails, and failing ones together fill half of the lanes. Deliveries leased ahead
// are given back when their endpoint fails. A test neither waits for its endpoint nor counts as its failure, nor does a
// later attempt; a quarter of the lanes make some of those, looked up separately, half of these of failing endpoints.
import { randomUUID } from 'node:crypto';
import type { Claimed, Unsigned } from '../store/webhooks/claims';
import { recordSuperseded } from './delivery-metrics';
import { startLaterAttempts } from './later-attempts';
import { AT_ENDPOINT, createLeases, type LeaseDeps, type Leases } from './leases';
import { startLoop } from './loop';
import { createPostSlots, type PostSlots } from './post-slots';
import { startSetAside } from './set-aside';

export interface LanesDeps extends LeaseDeps {
  /** Posts in progress at once. */
  readonly slots: number;
  /** Plans whose accounts get webhooks. */
  readonly plans: readonly string[];
  /** Wall time between two checks without a ring. Default 200 ms. */
  readonly idleMs?: number;
  /** Wall time for which a delivery is withheld from all workers when its secret cannot be opened. Default 10 s. */
  readonly asideMs?: number;
}

export interface Lanes {
  /** There is something new. */
  ring(): void;
  /** Takes nothing more; resolves when everything in progress has ended. */
  close(): Promise<void>;
}

const IDLE_MS = 200;
/** Shorter than a lease, and long enough that deliveries that cannot be posted cost almost nothing. */
const ASIDE_MS = 10_000;
/** Wall time. One claim follows many that end together. */
const SPACING_MS = 5;
const TIDY_EVERY_MS = 5000;
const FEWEST_ENDPOINTS = 16;
/** For each lane, including those that wait for their endpoint. */
const MOST_LEASED = 4;

export function startLanes(deps: LanesDeps): Lanes {
  const { deliveries, slots, plans, wallMs, log, idleMs = IDLE_MS, asideMs = ASIDE_MS } = deps;
  const underWay = new Set<Promise<void>>();
  const turns = createPostSlots(slots);
  const leases = createLeases(deps, turns, () => isClosed);
  const aside = startSetAside({ deliveries, wallMs, log, forMs: asideMs });
  let isClosed = false;
  let tidiedMs = 0;

  const begin = (claimed: Claimed, since = Number.POSITIVE_INFINITY): void => {
    const running = leases.take(claimed, since).finally(() => {
      underWay.delete(running);
      loop.ring();
    });
    underWay.add(running);
  };
  const look = createRound({ ...deps, turns, leases, begin, setAside: aside.take });
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
      most: Math.ceil(slots / 4) - leases.counts.retries,
      failing: Math.max(0, Math.ceil(slots / 8) - leases.counts.retriesFailing),
    }),
    begin: (claimed) => begin(claimed),
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

interface RoundDeps extends LanesDeps {
  readonly turns: PostSlots;
  readonly leases: Leases;
  readonly begin: (claimed: Claimed, since: number) => void;
  readonly setAside: (unsigned: Unsigned) => void;
}

/** Goes round all endpoints that have something pending, some at a time. */
function createRound({ deliveries, slots, plans, wallMs, turns, leases, begin, setAside }: RoundDeps) {
  const worker = randomUUID();
  /** Deliveries of an endpoint in the last claim. */
  let each = 1;
  let after = '';
  let foundInRound = 0;

  const most = (): number => {
    // As many ahead as posts have ended meanwhile: a claimed delivery waits no more than one such time, and not at all
    // while posts hang.
    const free = slots - turns.taken() + Math.min(slots, turns.ended());
    // Only some start for an endpoint that gives many in a claim.
    const ahead = Math.ceil(free * Math.max(1, each / AT_ENDPOINT));
    return Math.min(ahead, MOST_LEASED * slots - leases.counts.ahead - turns.taken());
  };

  /** Resolves to whether there may be more to take. */
  return async (): Promise<boolean> => {
    const wanted = most();
    if (wanted <= 0) return false;
    const now = new Date(wallMs()).toISOString();
    const failing = Math.max(0, Math.ceil(slots / 2) - leases.counts.failing);
    const endpoints = Math.max(FEWEST_ENDPOINTS, Math.ceil(wanted / each));
    const order = { worker, after, endpoints, most: wanted, failing, plans, now };
    const since = leases.claiming();
    const { claimed, unsigned, last } = await deliveries.claim(order);
    unsigned.forEach(setAside);
    each = claimed.length === 0 ? 1 : claimed.length / new Set(claimed.map(({ webhookId }) => webhookId)).size;
    for (const one of claimed) begin(one, since);
    after = last ?? '';
    foundInRound += claimed.length;
    if (last !== null) return true;
    const found = foundInRound;
    foundInRound = 0;
    return found > 0;
  };
}

// Limits of processor time, in addition to those of requests: for requests without a key, for pushes, and for what a
// key gets for free. Paid work is never refused here, only queued behind other accounts (`fair-turns.ts`). A request
// that blocks the thread too long is logged by name, and its caller waits a minute for that route.
import { metrics } from '@opentelemetry/api';
import type { Context, Middleware } from 'koa';
import { createBoundedMap } from '../../../cache';
import { ExpectedRefusal } from '../../../errors';
import { headersOf } from '../http/response-headers';
import { createWorkBudget, type WorkBudget } from './work-budget';
import { Work, type WorkMeter } from './work-meter';

export interface WorkLog {
  warn(facts: object, message: string): void;
}

/** Milliseconds of processor time per minute. */
export interface WorkBounds {
  readonly keyless: number;
  readonly pusher: number;
  readonly free: number;
}

/** A request without a key may take 2 ms on average. */
const KEYLESS_MS = 2;

/** `keylessPerMinute`: requests of an address. */
export const workBounds = (keylessPerMinute: number): WorkBounds => ({
  keyless: keylessPerMinute * KEYLESS_MS,
  pusher: 12_000,
  free: 6000,
});

/** Per turn of the thread. */
const NAMED_MS = 200;
const SHED_MS = 2000;
const SHED_FOR_SECONDS = 60;
const MOST_SHED = 10_000;

export interface WorkLimits {
  readonly measured: Middleware;
  /**
   * Throws `rate_limit`, or `unavailable` after a request that blocked the thread too long. `route`: of an operation.
   */
  admitKeyless(ctx: Context, network: string, route?: string): void;
  /** The same for a key. */
  admit(ctx: Context, caller: KeyHolder, route: string): void;
  /** For a request under a key that costs nothing, or turns out to after its work. Throws `rate_limit`. */
  requireFree(ctx: Context): void;
  /** Counts work of another thread for this request. */
  spend(ctx: Context, ms: number): void;
}

/** Whose key it is. */
interface KeyHolder {
  readonly role: 'customer' | 'internal' | 'pusher';
  readonly keyId: string;
  readonly accountId: string;
}

interface Payer {
  readonly id: string;
  readonly route: string;
  /** Null: nothing is counted. */
  readonly budget: WorkBudget | null;
  /** Only work that costs no credits is counted. */
  readonly freeOnly: boolean;
}

const worked = metrics.getMeter('racing-odds/api').createCounter('racing.api.work', {
  unit: 's',
  description: 'Processor time of the thread that serves requests, by route',
});

const OVER = {
  keyless: 'The requests of this address without a key took all of the processor time that they may take in a minute.',
  pusher: 'The pushes of this key took all of the processor time that they may take in a minute.',
  free: 'HEAD, conditional requests, repeats, replays gone on with and refusals of this account took all of the processor time that they may take in a minute. Requests that cost credits are answered.',
};

/** Nothing is measured or limited. */
export const NO_WORK_LIMITS: WorkLimits = {
  measured: (_, next) => next(),
  admitKeyless: () => {},
  admit: () => {},
  requireFree: () => {},
  spend: () => {},
};

export function createWorkLimits(
  meter: WorkMeter,
  log: WorkLog,
  bounds: WorkBounds,
  nowMs: () => number = () => performance.now(),
): WorkLimits {
  const budgets = {
    keyless: createWorkBudget(bounds.keyless, OVER.keyless, nowMs),
    pusher: createWorkBudget(bounds.pusher, OVER.pusher, nowMs),
    free: createWorkBudget(bounds.free, OVER.free, nowMs),
  };
  const payers = new WeakMap<Context, Payer>();
  /** Asked for as free work. */
  const required = new WeakSet<Context>();
  /** Milliseconds on other threads. */
  const elsewhere = new WeakMap<Context, number>();
  /** Until when a caller waits for a route. */
  const shed = createBoundedMap<number>(MOST_SHED);
  const enter = (ctx: Context, payer: Payer): void => {
    payers.set(ctx, payer);
    const untilMs = shed.get(`${payer.id} ${payer.route}`) ?? 0;
    const seconds = Math.ceil((untilMs - nowMs()) / 1000);
    if (seconds > 0) throw new ExpectedRefusal('unavailable', SHED, { retry_after_seconds: seconds });
  };
  const settle = (ctx: Context, work: Work): void => {
    const route = typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : 'none';
    worked.add(work.ms / 1000, { 'http.route': route });
    const payer = payers.get(ctx);
    if (payer?.budget && (!payer.freeOnly || isFree(ctx, required.has(ctx))))
      payer.budget.spend(payer.id, work.ms + (elsewhere.get(ctx) ?? 0));
    if (work.longestTurnMs < NAMED_MS) return;
    log.warn({ route, ms: Math.round(work.longestTurnMs), ...sizesOf(ctx) }, 'a request took the thread of the API');
    if (work.longestTurnMs >= SHED_MS && payer)
      shed.set(`${payer.id} ${payer.route}`, nowMs() + SHED_FOR_SECONDS * 1000);
  };
  return {
    async measured(ctx, next) {
      const work = new Work();
      try {
        await meter.measure(work, next);
      } finally {
        settle(ctx, work);
      }
    },
    admitKeyless(ctx, network, route = 'page') {
      budgets.keyless.require(network);
      enter(ctx, { id: network, route, budget: budgets.keyless, freeOnly: false });
    },
    admit(ctx, { role, keyId, accountId }, route) {
      if (role === 'internal') return;
      const [id, budget] = role === 'pusher' ? [keyId, budgets.pusher] : [accountId, budgets.free];
      // Whether a conditional request is free is known only after the work.
      if (role === 'pusher' || ctx.method === 'HEAD' || ctx.req.headers['if-none-match'] !== undefined)
        budget.require(id);
      enter(ctx, { id, route, budget, freeOnly: role !== 'pusher' });
    },
    requireFree(ctx) {
      required.add(ctx);
      const payer = payers.get(ctx);
      payer?.budget?.require(payer.id);
    },
    spend: (ctx, ms) => void elsewhere.set(ctx, (elsewhere.get(ctx) ?? 0) + ms),
  };
}

const SHED =
  'An earlier request of this kind took this process too long. Send it again later, and ask for less at once.';

function isFree(ctx: Context, isRequired: boolean): boolean {
  const { statusCode } = ctx.res;
  return (
    ctx.method === 'HEAD' ||
    statusCode === 304 ||
    (statusCode >= 400 && statusCode < 500) ||
    isUncharged(ctx, isRequired)
  );
}

/** Under the charge of another call (D68), or of an earlier connection (D69). */
function isUncharged(ctx: Context, isRequired: boolean): boolean {
  if (!isRequired && ctx.req.headers['idempotency-key'] === undefined) return false;
  const headers = headersOf(ctx);
  return headers[headers.indexOf('X-Credits-Cost') + 1] === '0';
}

/** Bytes, as they were sent. */
function sizesOf({ req }: Context) {
  const head = req.rawHeaders.reduce((sum, one) => sum + one.length, req.url?.length ?? 0);
  return { headBytes: head, bodyBytes: Number(req.headers['content-length'] ?? 0) };
}

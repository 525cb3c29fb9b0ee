// Connections that take over each other's place pay for a minute once between them, in any order of taking, paying,
// failing and ending: no minute that another continues is refunded, and none is free.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import type { Caller } from '../../../../src/api/kernel/endpoint/caller';
import type { MeteredCall } from '../../../../src/api/kernel/endpoint/meter';
import { minutesOf } from '../../../../src/api/kernel/stream/minutes';
import { type PaidPlace, paidPlace } from '../../../../src/api/kernel/stream/paid-place';
import { PLANS } from '../../../../src/plans/plans';
import { createRedis } from '../../../../src/store/redis/redis';
import { createStreamLeases, type StreamLeases } from '../../../../src/store/redis/stream-leases';
import { PATIENT_MS } from '../../../support/patient';
import { runs } from '../../../support/property';

/** `of`: counts back from the newest connection. */
type Step =
  | { readonly kind: 'connect'; readonly of: number }
  /** Its charge, which waits for the account's, is made, or fails. */
  | { readonly kind: 'paid' | 'unpaid'; readonly of: number }
  /** Its process stops. */
  | { readonly kind: 'stop'; readonly of: number }
  /** The process fails before the first event. */
  | { readonly kind: 'never'; readonly of: number }
  | { readonly kind: 'look'; readonly of: number }
  /** Redis is unavailable during the next step. */
  | { readonly kind: 'away'; readonly of: number };

const KINDS = ['connect', 'connect', 'paid', 'paid', 'unpaid', 'stop', 'never', 'look'] as const;
const aStep = (...others: readonly 'away'[]): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constantFrom(...KINDS, ...others), of: fc.constantFrom(0, 0, 0, 1, 2) });

let redis: Redis;
beforeAll(() => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
});
afterAll(() => redis.disconnect());

interface Connection {
  readonly id: string;
  readonly place: PaidPlace;
  /** Streams, or waits for its charge. */
  isOpen: boolean;
  settleCharge: ((isPaid: boolean) => void) | null;
  begun: Promise<void>;
}

const plan = PLANS.find(({ id }) => id === 'platform')!;

/** One client, within one minute. */
class World {
  private readonly accountId = randomUUID();
  private readonly caller = {
    accountId: this.accountId,
    keyId: randomUUID(),
    role: 'customer',
    plan,
  } as unknown as Caller;
  private readonly leases: StreamLeases;
  private readonly all: Connection[] = [];
  private isAway = false;
  /** Minutes charged, without refunded ones. */
  charged = 0;

  constructor() {
    const real = createStreamLeases(redis, `paid-place ${randomUUID()}`);
    const reached = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        if (this.isAway) throw new Error('Redis is away');
        return call(...args);
      };
    };
    this.leases = {
      take: reached(real.take),
      renew: reached(real.renew),
      confirm: reached(real.confirm),
      unpay: reached(real.unpay),
      returnPaid: reached(real.returnPaid),
      giveBack: reached(real.giveBack),
    };
  }

  async take({ kind, of }: Step): Promise<void> {
    if (kind === 'away') {
      this.isAway = true;
      return;
    }
    if (kind === 'connect') await this.connect();
    else {
      const one = this.all.at(-1 - of);
      if (one?.isOpen) await this.act(one, kind);
    }
    this.isAway = false;
  }

  private async act(one: Connection, kind: Exclude<Step['kind'], 'connect' | 'away'>): Promise<void> {
    if (kind === 'paid' || kind === 'unpaid') {
      one.settleCharge?.(kind === 'paid');
      await one.begun;
    } else if (one.settleCharge) return;
    else if (kind === 'look') await one.place.renew().catch(() => this.end(one));
    else {
      await (kind === 'stop' ? one.place.giveBack() : one.place.neverBegan());
      this.end(one);
    }
  }

  private end(one: Connection): void {
    one.isOpen = false;
    one.place.leave();
  }

  /** The client comes back with the id of its newest connection. */
  private async connect(): Promise<void> {
    const id = randomUUID();
    const earlier = this.all.at(-1)?.id ?? null;
    const one: Connection = { id, place: this.placeOf(id), isOpen: true, settleCharge: null, begun: Promise.resolve() };
    this.all.push(one);
    const isDue = Promise.withResolvers<void>();
    this.onCharge = (settle) => {
      one.settleCharge = settle;
      isDue.resolve();
    };
    one.begun = this.begin(one, earlier);
    await Promise.race([isDue.promise, one.begun]);
  }

  private async begin(one: Connection, earlier: string | null): Promise<void> {
    try {
      await one.place.take(earlier);
      await one.place.charge(this.caller);
    } catch {
      await one.place.neverBegan();
      this.end(one);
    } finally {
      one.settleCharge = null;
    }
  }

  private onCharge: (settle: (isPaid: boolean) => void) => void = () => {};

  private placeOf(connection: string): PaidPlace {
    const { accountId, keyId } = this.caller;
    const charge = async (): Promise<() => void> => {
      const settled = Promise.withResolvers<boolean>();
      this.onCharge(settled.resolve);
      if (!(await settled.promise)) throw new Error('no credits');
      this.charged++;
      return () => void this.charged--;
    };
    const minutes = minutesOf({} as MeteredCall, connection, {
      meter: { charge } as unknown as Parameters<typeof minutesOf>[2]['meter'],
      wallMs: () => 0,
      elapsedMs: () => 0,
    });
    return paidPlace({
      stream: { accountId, keyId, connection },
      minutes,
      leases: this.leases,
      caller: () => this.caller,
    });
  }

  async settle(): Promise<void> {
    for (const one of this.all) {
      one.settleCharge?.(true);
      await one.begun;
    }
  }

  /** The newest connection streams. */
  get isServed(): boolean {
    return this.all.at(-1)?.isOpen ?? false;
  }
}

const settled = async (steps: readonly Step[]): Promise<World> => {
  const world = new World();
  for (const step of steps) await world.take(step);
  await world.settle();
  return world;
};

test('a minute is paid once by all streams that take it over, and never refunded by one that another continues', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep(), { minLength: 3, maxLength: 14 }), async (steps) => {
      const world = await settled(steps);
      expect(world.charged).toBeLessThanOrEqual(1);
      if (world.isServed) expect(world.charged).toBe(1);
    }),
    {
      numRuns: runs(300),
      examples: [
        // A connection that is replaced, and does not know it yet, when its process stops.
        [
          [
            { kind: 'connect', of: 0 },
            { kind: 'paid', of: 0 },
            { kind: 'connect', of: 0 },
            { kind: 'stop', of: 1 },
          ],
        ],
      ],
    },
  );
});

test('no minute is free while Redis is away at any step, except one that a stopping process refunds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep('away'), { minLength: 3, maxLength: 14 }), async (steps) => {
      const mayGiveBack = steps.some(
        ({ kind }, i) => kind === 'away' && ['stop', 'never'].includes(steps[i + 1]?.kind ?? ''),
      );
      const world = await settled(steps);
      if (world.isServed && !mayGiveBack) expect(world.charged).toBeGreaterThanOrEqual(1);
    }),
    { numRuns: runs(200) },
  );
});

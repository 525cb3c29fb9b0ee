// The place of one connection among the streams of its account, and the minutes that it pays for. Connections that take
// over each other's place pay for a minute once between them, and none refunds a minute that another continues (D64).
import { AppError, ExpectedRefusal } from '../../../errors';
import { LIMITS } from '../../../plans/limits';
import type { Renewed, StreamLeases, StreamOf } from '../../../store/redis/stream-leases';
import type { Caller } from '../endpoint/caller';
import type { SetHeader } from '../endpoint/meter';
import type { Minutes } from './minutes';

export interface PaidPlace {
  /** The place of the connection that its `Last-Event-ID` names, or a free one. */
  take(earlier: string | null): Promise<void>;
  renew(): Promise<void>;
  leave(): void;
  /** For how many milliseconds it is paid; 0 or less: a minute has started that is not. */
  paidForMs(): number;
  /** Charges the started minute, unless it is paid. Throws to refuse, which ends the stream. */
  charge(caller: Caller, setHeader?: SetHeader): Promise<void>;
  /** For a minute that the service itself cuts short. Never rejects. */
  giveBack(): Promise<void>;
  /** Its client got nothing, and comes back with the id that it has. */
  neverBegan(): Promise<void>;
}

interface PlaceDeps {
  readonly stream: StreamOf;
  readonly minutes: Minutes;
  /** Null: streams are not counted. */
  readonly leases: StreamLeases | null;
  /** As last identified. */
  caller(): Caller;
}

const COME_BACK_SECONDS = 15;

/** While Redis is away. */
const keepPlace = (): boolean => true;
const KEPT = Promise.resolve(true);

export function paidPlace({ stream, minutes, leases, caller }: PlaceDeps): PaidPlace {
  let replaces: string | null = null;

  /** While Redis is away, streams are not counted. Resolves to the rest of a paid minute. */
  const takeUp = async (): Promise<number> => {
    const { role, plan } = caller();
    if (!leases || role !== 'customer') return 0;
    const most = LIMITS[plan.id].streams;
    const taken = await leases.take(stream, most, { replaces }).catch(() => ({ paidMs: 0 }) as const);
    if (taken === 'full') throw tooMany(caller());
    if (taken === 'replaced') throw replaced();
    return taken.paidMs;
  };

  /** False: another connection has its place. If Redis cannot answer, none has. */
  const isOwn = async (what: 'confirm' | 'unpay'): Promise<boolean> =>
    leases === null || (await leases[what](stream).catch(() => true));

  const giveBack = async (): Promise<void> => {
    // A minute that it continues is another's charge, and stays paid for the next.
    if (minutes.isCharged() && (await isOwn('unpay'))) minutes.giveBack();
  };

  const renew = (paysMs?: number): Promise<boolean> => {
    const { role, plan } = caller();
    if (!leases || role !== 'customer') return KEPT;
    return leases.renew(stream, LIMITS[plan.id].streams, paysMs).then((one) => isKept(one, caller()), keepPlace);
  };

  return {
    async take(earlier) {
      replaces = earlier;
      const paidMs = await takeUp();
      if (paidMs > 0) minutes.carryOn(paidMs);
    },
    renew: () => renew().then(() => {}),
    leave: () => void leases?.giveBack(stream).catch(() => {}),
    paidForMs: minutes.paidForMs,
    async charge(caller, setHeader) {
      const paysMs = minutes.due();
      if (paysMs === null) return;
      // Its client has gone: no minute starts.
      if (!(await renew(paysMs))) return;
      try {
        await minutes.charge(caller, setHeader);
      } catch (error) {
        await isOwn('unpay');
        throw error;
      }
      // A connection that took the place meanwhile could not know whether this charge would succeed, and has paid
      // itself.
      if (await isOwn('confirm')) return;
      minutes.giveBack();
      throw replaced();
    },
    giveBack,
    async neverBegan() {
      await giveBack();
      if (replaces !== null) await leases?.returnPaid(stream, replaces).catch(() => {});
    },
  };
}

/** Whether it is still a stream of its account. */
function isKept(renewed: Renewed, caller: Caller): boolean {
  if (renewed === 'full') throw tooMany(caller);
  if (renewed === 'replaced') throw replaced();
  return renewed === 'kept';
}

export function tooMany({ plan }: Caller): AppError {
  const { streams } = LIMITS[plan.id];
  const open = `The ${plan.title} plan allows ${streams} ${streams === 1 ? 'stream' : 'streams'} at a time`;
  const detail = `${open}, which this account has open. A client that went without closing its stream counts for up to 15 minutes, unless it connects again with its \`Last-Event-ID\`.`;
  return new AppError('rate_limit', detail, { retry_after_seconds: COME_BACK_SECONDS });
}

export const replaced = (): AppError =>
  new ExpectedRefusal('conflict', 'Another connection took the place of this one, with its `Last-Event-ID`.', {
    reason: 'replaced',
  });

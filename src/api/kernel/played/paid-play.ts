// Who has paid for what a connection plays (D69): it is charged once, ahead, and an id of the last ten minutes goes on
// for free, after what its client has read, on one connection at a time. Counted with the streams of the account (D61).
import { ExpectedRefusal } from '../../../errors';
import { LIMITS } from '../../../plans/limits';
import type { PaidPlays, PlayOf } from '../../../store/redis/paid-plays';
import type { StreamLeases, StreamOf } from '../../../store/redis/stream-leases';
import type { Caller } from '../endpoint/caller';
import type { OpenedPlay } from '../http/response/reply';
import { replaced, tooMany } from '../stream/paid-place';

export interface PaidPlay {
  /** In the ids of its events. */
  readonly play: string;
  readonly isPaid: boolean;
  /** Throws if another connection has its place, or plays the same. Redis away: none has. */
  keep(readUpTo: string): Promise<void>;
  /** Renews its place among the streams. */
  renew(): Promise<void>;
  /** Nothing of it goes on for free from now on. False: another connection plays it already. Never rejects. */
  forget(): Promise<boolean>;
  /** Never rejects. */
  leave(readUpTo: string): void;
}

interface PlayDeps {
  readonly stream: StreamOf;
  /** Null: streams are not counted. */
  readonly leases: StreamLeases | null;
  /** Null: nothing goes on for free. */
  readonly plays: PaidPlays | null;
  caller(): Caller;
}

export async function takePlay(deps: PlayDeps, { earlier, credits }: OpenedPlay): Promise<PaidPlay> {
  const { stream, leases, plays, caller } = deps;
  const { accountId, connection } = stream;
  const before =
    earlier && plays ? await resumed(plays, { accountId, play: earlier.play }, connection, earlier.id) : null;
  const take = async (replaces: string | null): Promise<void> => {
    const { role, plan } = caller();
    if (!leases || role !== 'customer') return;
    const taken = await leases.take(stream, LIMITS[plan.id].streams, { replaces }).catch(() => null);
    if (taken === 'full') throw tooMany(caller());
    if (taken === 'replaced') throw replaced();
  };
  await take(before);
  const own = { accountId, play: before === null ? connection : earlier!.play };
  let isForgotten = false;
  const keep = async (readUpTo: string): Promise<boolean> =>
    plays === null || isForgotten || (await plays.keep(own, connection, readUpTo).catch(() => true));
  return {
    play: own.play,
    isPaid: before !== null || credits === 0,
    async keep(readUpTo) {
      if (!(await keep(readUpTo))) throw replaced();
    },
    renew: () => take(null),
    async forget() {
      isForgotten = true;
      return plays === null || (await plays.forget(own, connection).catch(() => true));
    },
    leave(readUpTo) {
      void keep(readUpTo);
      leases?.giveBack(stream).catch(() => {});
    },
  };
}

/** An account that has paid is not charged again because Redis is away. */
async function resumed(plays: PaidPlays, play: PlayOf, connection: string, id: string): Promise<string | null> {
  try {
    return await plays.resume(play, connection, id);
  } catch {
    throw cannotTell();
  }
}

const cannotTell = (): ExpectedRefusal =>
  new ExpectedRefusal(
    'unavailable',
    'The service cannot look up now what this id has paid for. Send the request again.',
    {
      retry_after_seconds: 1,
    },
  );

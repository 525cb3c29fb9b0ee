// Who has paid for what a connection plays (D69): it is charged ahead, and an id of the last ten minutes goes on for
// free, after what its client has read, on one connection at a time. What has come to it since is charged before it
// goes on. Counted with the streams of the account (D61).
import { ExpectedRefusal } from '../../../errors';
import { LIMITS } from '../../../plans/limits';
import type { FoundPlay, PaidPlays, PlayBill, PlayOf, PlayRecord } from '../../../store/redis/paid-plays';
import type { StreamLeases, StreamOf } from '../../../store/redis/stream-leases';
import type { Caller } from '../endpoint/caller';
import type { PlayRequest } from '../http/response/reply';
import { replaced, tooMany } from '../stream/paid-place';

export interface PaidPlay {
  /** In the ids of its events. */
  readonly play: string;
  /** What was paid for. */
  readonly before: PlayRecord;
  /** Whether it goes on with what was paid for: then it takes the place of the connection that plays it. */
  readonly goesOn: boolean;
  /** Credits of this bill that are not paid. */
  due(bill: PlayBill): number;
  /** Its place among the streams, and again to renew it. */
  takePlace(): Promise<void>;
  /** Once the bill is paid. Throws if another connection has taken the play meanwhile. */
  begin(bill: PlayBill, readUpTo: string): Promise<void>;
  /** Throws if another connection has its place, or plays the same. Redis away: none has. */
  keep(readUpTo: string): Promise<void>;
  /** Its charge is given back: no more than before is paid. False: another connection plays it. Never rejects. */
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

/** After so many, what is left is paid again. */
const FREE_RESUMPTIONS = 20;

/** Changes nothing yet. */
export async function findPlay(deps: PlayDeps, request: PlayRequest): Promise<PaidPlay> {
  const { stream, leases, plays, caller } = deps;
  const { accountId, connection } = stream;
  const { earlier, filters } = request;
  const found =
    earlier && plays ? await foundPlay(plays, { accountId, play: earlier.play }, earlier.id, filters) : null;
  const own = { accountId, play: found ? earlier!.play : connection };
  const countsAnew = found !== null && found.resumptions >= FREE_RESUMPTIONS;
  const before: PlayRecord = found && !countsAnew ? found.record : { filters, fromMs: request.fromMs, paid: {} };
  let replaces = found?.holder ?? null;
  /** Null: nothing of it is kept. */
  let record: PlayRecord | null = null;
  const keep = async (readUpTo: string): Promise<boolean> =>
    plays === null ||
    record === null ||
    (await plays.keep(own, connection, placeIn(readUpTo), record).catch(() => true));
  return {
    play: own.play,
    before,
    goesOn: found !== null,
    due: (bill) =>
      Object.entries(bill).reduce((sum, [of, credits]) => sum + Math.max(0, credits - paidFor(before, of)), 0),
    async takePlace() {
      const { role, plan } = caller();
      if (!leases || role !== 'customer') return;
      const taken = await leases.take(stream, LIMITS[plan.id].streams, { replaces }).catch(() => null);
      if (taken === 'full') throw tooMany(caller());
      if (taken === 'replaced') throw replaced();
      replaces = null;
    },
    async begin(bill, readUpTo) {
      record = { ...before, paid: together(before, bill) };
      const taken = plays?.take(own, connection, { record, read: placeIn(readUpTo), found, countsAnew });
      if ((await taken?.catch(() => found === null)) ?? true) return;
      record = null;
      // It may have been taken without a reply.
      await plays?.correct(own, connection, before).catch(() => {});
      throw cannotTell();
    },
    async keep(readUpTo) {
      if (!(await keep(readUpTo))) throw replaced();
    },
    async forget() {
      if (record === null) return true;
      record = before;
      return plays === null || (await plays.correct(own, connection, before).catch(() => true));
    },
    leave(readUpTo) {
      void keep(readUpTo);
      leases?.giveBack(stream).catch(() => {});
    },
  };
}

/** Of an id. */
const placeIn = (id: string): string => id.split(' ', 1)[0]!;

const paidFor = ({ paid }: PlayRecord, of: string): number => paid[of] ?? 0;

function together(before: PlayRecord, bill: PlayBill): PlayBill {
  const raised = Object.entries(bill).map(([of, credits]) => [of, Math.max(credits, paidFor(before, of))]);
  return { ...before.paid, ...Object.fromEntries(raised) };
}

/**
 * An id can be made up: it goes on with what was paid for under the same filters alone. An account that has paid is not
 * charged again because Redis is away.
 */
async function foundPlay(plays: PaidPlays, play: PlayOf, id: string, filters: string): Promise<FoundPlay | null> {
  const found = await plays.find(play, placeIn(id)).catch(() => {
    throw cannotTell();
  });
  return found?.record.filters === filters ? found : null;
}

const cannotTell = (): ExpectedRefusal =>
  new ExpectedRefusal(
    'unavailable',
    'The service cannot look up now what this id has paid for. Send the request again.',
    {
      retry_after_seconds: 1,
    },
  );

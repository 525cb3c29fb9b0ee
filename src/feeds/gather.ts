// Combines polls of many races at one book into one call, if the book supports it.
// Every caller gets its own reply and can cancel separately. A single race is fetched as for any other book.
import type { BookSnapshot } from '../domain/race/feed-race';
import type { BulkFeed, Feed, FeedCall, FeedReply, Urgency } from './feed';
import { isTimeUp } from './transport/deadline';

/** How long the first call waits for others: pollers on a shared beat wake within a few tens of milliseconds. Wall. */
const GATHER_MS = 100;
/** The most races recorded: the cards of several days. */
const MOST_RECORDED = 20_000;

type Reply = FeedReply<BookSnapshot>;

interface Caller {
  readonly sourceRaceId: string;
  readonly call: FeedCall;
  readonly settle: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
  /** Reports a cancellation; set while the batch is under way. */
  gone: () => void;
  settled: boolean;
}

/** The same feed, with `fetchRace` combined if the book has bulk calls. `now`: epoch milliseconds in race time. */
export function gathered(feed: Feed, now: () => number, gatherMs = GATHER_MS): Feed {
  const { bulk } = feed;
  if (!bulk) return feed;
  const gather = new Gather(feed, bulk, now, gatherMs);
  return { ...feed, bulk, fetchRace: (id, call = {}) => gather.fetchRace(id, call) };
}

class Gather {
  private waiting: Caller[] = [];
  /**
   * The batch of the last reply, by race id: only the same batch may be fetched conditionally, because a 304 stands for
   * all of its races.
   */
  private readonly lastBatch = new Map<string, string>();

  constructor(
    private readonly feed: Feed,
    private readonly bulk: BulkFeed,
    private readonly now: () => number,
    private readonly gatherMs: number,
  ) {}

  fetchRace(sourceRaceId: string, call: FeedCall): Promise<Reply> {
    if (call.signal?.aborted) return Promise.resolve(this.calledOff(call.signal));
    // Kept apart from the batches of pollers, which store every reply.
    if (call.unstored) return this.feed.fetchRace(sourceRaceId, call);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        caller.settle(this.calledOff(call.signal!));
        caller.gone();
      };
      const end = (settle: () => void) => {
        if (caller.settled) return;
        caller.settled = true;
        call.signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const caller: Caller = {
        sourceRaceId,
        call,
        settle: (reply) => end(() => resolve(reply)),
        fail: (error) => end(() => reject(error as Error)),
        gone: () => undefined,
        settled: false,
      };
      call.signal?.addEventListener('abort', onAbort, { once: true });
      if (this.waiting.push(caller) === 1) setTimeout(() => this.send(), this.gatherMs);
    });
  }

  /** Sorts the ids, so that the same races make the same request. */
  private send(): void {
    const callers = this.waiting.filter((caller) => !caller.settled);
    this.waiting = [];
    const ids = [...new Set(callers.map((caller) => caller.sourceRaceId))].sort();
    for (let i = 0; i < ids.length; i += this.bulk.maxRaces) {
      const chunk = ids.slice(i, i + this.bulk.maxRaces);
      const mine = new Set(chunk);
      void this.sendChunk(
        chunk,
        callers.filter((caller) => mine.has(caller.sourceRaceId)),
      );
    }
  }

  private async sendChunk(ids: readonly string[], callers: readonly Caller[]): Promise<void> {
    const controller = new AbortController();
    for (const caller of callers)
      caller.gone = () => {
        if (callers.every((each) => each.settled)) controller.abort();
      };
    const batch = ids.join('\n');
    const whole = callers.some(({ call }) => call.whole) || ids.some((id) => this.lastBatch.get(id) !== batch);
    try {
      const replies = await this.fetch(ids, { signal: controller.signal, urgency: most(callers), whole });
      this.record(replies, batch);
      for (const caller of callers) caller.settle(replies.get(caller.sourceRaceId) ?? this.leftOut());
    } catch (error) {
      for (const caller of callers) caller.fail(error);
    }
  }

  private async fetch(ids: readonly string[], call: FeedCall): Promise<ReadonlyMap<string, Reply>> {
    const [first, ...others] = ids as [string, ...string[]];
    return others.length > 0
      ? this.bulk.fetchRaces(ids, call)
      : new Map([[first, await this.feed.fetchRace(first, call)]]);
  }

  private record(replies: ReadonlyMap<string, Reply>, batch: string): void {
    if (this.lastBatch.size > MOST_RECORDED) this.lastBatch.clear();
    for (const [id, reply] of replies) if (reply.kind === 'ok') this.lastBatch.set(id, batch);
  }

  private calledOff(signal: AbortSignal): Reply {
    return isTimeUp(signal)
      ? this.failed('timeout', `no reply: ${(signal.reason as Error).message}`)
      : this.failed('network', 'called off by the caller');
  }

  private leftOut(): Reply {
    return this.failed('not_found', 'left out of the reply');
  }

  private failed(reason: 'timeout' | 'network' | 'not_found', detail: string): Reply {
    return { kind: 'failed', reason, detail, retryAfterMs: null, observedAt: new Date(this.now()).toISOString() };
  }
}

const URGENCIES: readonly Urgency[] = ['near', 'usual', 'idle'];

const most = (callers: readonly Caller[]): Urgency =>
  URGENCIES.find((urgency) => callers.some(({ call }) => (call.urgency ?? 'usual') === urgency))!;

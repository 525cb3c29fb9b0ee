// Reports races whose prices a process has just written to the API processes of the same database, through Redis.
// Published after the commit: unlike NOTIFY, which takes one lock for the whole server at each commit, it costs a
// writer nothing that others wait for. A notice may be lost, and nothing relies on one: it only starts a reading
// earlier that comes anyway.
import type { Redis } from 'ioredis';
import type { RaceClock } from '../../domain/time/clock';
import type { QuoteStore } from '../polls/quotes';
import { createReach, repliesToPing } from './redis';

export interface BoardNotices {
  follow(written: (raceIds: readonly string[]) => void): void;
}

export interface NoticeSender {
  /** Its prices are committed. */
  written(raceId: string): void;
}

/** Whose notices: those of processes with the same database and clock. */
export interface NoticeScope {
  readonly databaseDirectUrl: string;
  readonly clock: RaceClock;
}

/**
 * The name of the database, as the server has it and not a pooler, without its address, which may differ between
 * processes. Readers leave out the races of another database of this name.
 */
const channelOf = ({ databaseDirectUrl, clock: { anchorMs, speed } }: NoticeScope): string =>
  `board-written:${new URL(databaseDirectUrl).pathname.slice(1)}:${anchorMs}:${speed}`;

/** Wall time. */
const PING_EVERY_MS = 5000;

/** Races that are written in the same turn are one notice. */
export function createNoticeSender(redis: Redis, scope: NoticeScope): NoticeSender {
  const channel = channelOf(scope);
  const reach = createReach(redis);
  let waiting = new Set<string>();
  const send = (): void => {
    const text = [...waiting].join();
    waiting = new Set();
    reach(() => redis.publish(channel, text)).catch(() => undefined);
  };
  return {
    written(raceId) {
      if (waiting.size === 0) setImmediate(send);
      waiting.add(raceId);
    },
  };
}

/** The same store; each poll that moved a win price is reported. */
export const withNotices = (quotes: QuoteStore, notices: NoticeSender): QuoteStore => ({
  ...quotes,
  async savePoll(poll) {
    const verdict = await quotes.savePoll(poll);
    if (verdict.changed > 0) notices.written(poll.raceId);
    return verdict;
  },
});

/**
 * `redis`: a connection for this alone. It is opened at once, and again whenever it is lost or a ping has no reply: on
 * a dead connection nothing comes, and nothing shows that it is dead.
 */
export function followNotices(redis: Redis, scope: NoticeScope, pingEveryMs = PING_EVERY_MS): BoardNotices {
  const channel = channelOf(scope);
  redis.on('ready', () => void redis.subscribe(channel).catch(() => undefined));
  redis.connect().catch(() => undefined);
  const pings = setInterval(async () => {
    if (redis.status === 'ready' && !(await repliesToPing(redis))) redis.disconnect(true);
  }, pingEveryMs).unref();
  redis.once('end', () => clearInterval(pings));
  return {
    follow(written) {
      redis.on('message', (of, text) => {
        if (of === channel) written(text.split(','));
      });
    },
  };
}

// Lists of the simulated books as of an instant of the past. A failed list is read again, and ends as a failure: never
// as an empty list. A few at a time, because a simulator that has just started takes long to list a day.
import { setTimeout as delay } from 'node:timers/promises';
import { callFeed } from '../../activities/polling/call-feed';
import type { BookListing } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { pastPolls } from '../../wiring/past';
import type { Wiring } from '../../wiring/service';
import { AGAIN_AFTER_MS } from './again';

export interface PastList {
  readonly bookmakerKey: string;
  readonly day: Day;
  readonly listed: readonly BookListing[];
}

export interface PastLists {
  /** In the order of the requests. */
  readonly lists: readonly PastList[];
  /** `tab of 2026-11-23 (timeout)` */
  readonly failed: readonly string[];
}

type Wanted = Omit<PastList, 'listed'>;

const DEADLINE_MS = 30_000;
const AT_ONCE = 4;

/** Failed ones are read again together. */
export async function readPastLists(wiring: Wiring, atMs: number, wanted: readonly Wanted[]): Promise<PastLists> {
  const read = new Map<Wanted, Read>();
  const isUnread = (one: Wanted): boolean => typeof read.get(one) !== 'object';
  for (const waitMs of [0, ...AGAIN_AFTER_MS]) {
    const unread = wanted.filter(isUnread);
    if (unread.length === 0) break;
    await delay(waitMs);
    const next = unread.values();
    const lane = async (): Promise<void> => {
      for (const one of next) read.set(one, await readOne(wiring, atMs, one));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }
  const lists = wanted.flatMap((one) => {
    const listed = read.get(one);
    return typeof listed === 'object' ? [{ ...one, listed }] : [];
  });
  const failed = wanted.filter(isUnread).map((one) => `${one.bookmakerKey} of ${one.day} (${read.get(one)})`);
  return { lists, failed };
}

/** The same, all or none. */
export async function readAllPastLists(wiring: Wiring, atMs: number, wanted: readonly Wanted[]) {
  const { lists, failed } = await readPastLists(wiring, atMs, wanted);
  if (failed.length > 0) throw unreadLists(failed);
  return lists;
}

export const unreadLists = (failed: readonly string[]): Error =>
  new Error(`Lists could not be read: ${failed.join(', ')}.`);

/** A text is the reason why there is no list. */
type Read = readonly BookListing[] | string;

async function readOne(wiring: Wiring, atMs: number, { bookmakerKey, day }: Wanted): Promise<Read> {
  const deps = pastPolls(wiring, atMs);
  const query = { bookmakerKey, deadlineMs: DEADLINE_MS };
  const reply = await callFeed(deps, { ...query, send: (feed, call) => feed.listRaces(day, call) });
  if (reply.kind === 'ok') return reply.value;
  return reply.kind === 'failed' ? reply.reason : 'not_modified';
}

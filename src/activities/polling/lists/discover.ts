// Reads every book's list for the coming Sydney days in one activity. All books are called at once, each within its own
// deadline; their lists are placed in the order of `factsRank`. Since `list-per-book` runs read each list in a separate
// activity: this one is for those that an older version started.
import { addDays, aetDay } from '../../../domain/time/aet';
import { stillWanted } from '../../activity-context';
import type { ActivityDeps } from '../../deps';
import { signalAllUnseen } from '../../races/signal-unseen';
import { factsRank } from '../race-books';
import { fetchList, type ListReport, type ListToRead, placeList } from './read-list';

export interface DiscoveryReport {
  readonly listed: number;
  readonly created: number;
  readonly startsMoved: number;
  readonly refused: number;
  readonly failedLists: number;
}

const NOTHING: DiscoveryReport = { listed: 0, created: 0, startsMoved: 0, refused: 0, failedLists: 0 };

/** `days` from today on, Sydney time. */
export async function discover(deps: ActivityDeps, { days }: { days: number }): Promise<DiscoveryReport> {
  const today = aetDay(deps.now());
  const dates = Array.from({ length: days }, (_, i) => addDays(today, i));
  const books = [...deps.feeds.keys()].sort((a, b) => factsRank(a) - factsRank(b));
  const fetched = (await Promise.all(books.map((book) => fetchAll(deps, book, dates)))).flat();
  let report = NOTHING;
  const refusals: unknown[] = [];
  for (const { list, reply } of fetched) {
    stillWanted();
    const placed = await placeList(deps, list, reply).catch((error: unknown) => void refusals.push(error));
    report = sum(report, placed ?? null, reply.kind === 'failed' || !placed);
  }
  // Not one list could be placed: our database is away, and the whole run is repeated.
  if (refusals.length > 0 && refusals.length === fetched.length) throw refusals[0];
  await signalAllUnseen(deps);
  return report;
}

/** One day after another: lists are not urgent. */
async function fetchAll(deps: ActivityDeps, bookmakerKey: string, days: readonly string[]) {
  const fetched: { readonly list: ListToRead; readonly reply: Awaited<ReturnType<typeof fetchList>> }[] = [];
  for (const day of days) {
    stillWanted();
    const list = { bookmakerKey, day };
    fetched.push({ list, reply: await fetchList(deps, list) });
  }
  return fetched;
}

const sum = (all: DiscoveryReport, one: ListReport | null, failed: boolean): DiscoveryReport => ({
  listed: all.listed + (one?.listed ?? 0),
  created: all.created + (one?.created ?? 0),
  startsMoved: all.startsMoved + (one?.startsMoved ?? 0),
  refused: all.refused + (one?.refused ?? 0),
  failedLists: all.failedLists + Number(failed),
});

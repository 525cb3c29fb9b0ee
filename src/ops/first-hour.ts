// The past of a simulated day: polls the simulated books about the next races as of instants of the last hour, by the
// ordinary write path; for a race that a worker already polls, the hour is put before its polls. Only the simulator can
// answer for the past, so a book with its own address is left out, and so are the books that push.
import type { PollDeps } from '../activities/deps';
import { type BookReport, pollBook } from '../activities/polling/poll-book';
import { factsRank, listedBooks, pollTargets } from '../activities/polling/race-books';
import type { Instant } from '../domain/race/race';
import { addDays, aetDay } from '../domain/time/aet';
import type { Fence } from '../store/card/book-poll';
import { placeCard } from '../store/card/place-card';
import { pastPolls } from '../wiring/past';
import type { Wiring } from '../wiring/service';
import { kept } from './command';
import { readPastLists, unreadLists } from './past-days/past-lists';
import { polledInHour } from './past-days/poll-plan';
import { prependHour } from './past-days/prepend-hour';

const HOUR_MS = 3_600_000;
const MOST_RACES = 6;

interface PastPoll {
  readonly atMs: number;
  /** A poll of this instant or later is stored, as after a restart with kept data. */
  readonly stored: boolean;
  /** Ticks written, none if a newer poll is stored; null: the book did not answer. */
  readonly run: (deps: PollDeps) => Promise<number | null>;
}

/**
 * Returns one line for the operator: `kept: …` if the hour was stored, `note: …` if there was nothing to poll. Rejects
 * if a list or most polls failed, once the rest is done. A race without a worker's polls is left alone if it has been
 * polled at that instant or later.
 */
export async function firstHour(wiring: Wiring): Promise<string> {
  const untilMs = wiring.now();
  const days = [aetDay(untilMs - HOUR_MS), aetDay(untilMs + HOUR_MS)];
  const failed = await listCard(wiring, untilMs - HOUR_MS, [...new Set(days)]);
  const around = [addDays(days[0]!, -1), ...new Set(days), addDays(days[1]!, 1)];
  const races = (await wiring.stores.races.joinCandidates(around))
    .filter(({ startTime }) => Date.parse(startTime) > untilMs && Date.parse(startTime) < untilMs + HOUR_MS)
    .sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime))
    .slice(0, MOST_RACES);
  const hours = { wanted: 0, missing: 0, answered: 0, ticks: 0 };
  for (const hour of await hoursOf(wiring, races, untilMs)) {
    hours.wanted += hour.wanted;
    hours.missing += hour.missing;
    hours.answered += hour.answered;
    hours.ticks += hour.ticks;
  }
  const { wanted, missing, answered, ticks } = hours;
  if (failed.length > 0) throw unreadLists(failed);
  if (wanted === 0) return 'note: no race that books list starts within the hour, so there was nothing to poll';
  if (answered * 2 < missing) throw new Error(`Of ${missing} polls of the last hour ${answered} were answered.`);
  if (missing === 0) return kept('the next races have their last hour');
  return `${races.length} races, ${answered} polls of the last hour, ${ticks} ticks`;
}

interface Hour {
  /** Polls, of which `missing` were not stored. */
  readonly wanted: number;
  readonly missing: number;
  readonly answered: number;
  readonly ticks: number;
}

type NextRace = { readonly raceId: string; readonly startTime: Instant };

/** Those that a worker polls, one after another, because it continues meanwhile. */
async function hoursOf(wiring: Wiring, races: readonly NextRace[], untilMs: number): Promise<readonly Hour[]> {
  const { control } = wiring.stores;
  const hours: Hour[] = [];
  const alone: NextRace[] = [];
  for (const race of races)
    if ((await control.readControl(race.raceId)) === null) alone.push(race);
    else hours.push(await prependHour(wiring, race));
  const polls = (await Promise.all(alone.map((race) => pollsOf(wiring, race, untilMs)))).flat();
  const missing = polls.filter(({ stored }) => !stored);
  return [...hours, { wanted: polls.length, missing: missing.length, ...(await pollAll(wiring, missing)) }];
}

async function pollAll(wiring: Wiring, polls: readonly PastPoll[]) {
  const sum = { answered: 0, ticks: 0 };
  for (const [atMs, due] of byInstant(polls)) {
    const deps = pastPolls(wiring, atMs);
    for (const ticks of await Promise.all(due.map((poll) => poll.run(deps)))) {
      sum.answered += Number(ticks !== null);
      sum.ticks += ticks ?? 0;
    }
  }
  return sum;
}

/** Only if there is no card yet: later it is discovery's. Returns the lists that could not be read. */
async function listCard(wiring: Wiring, atMs: number, days: readonly string[]): Promise<readonly string[]> {
  const { races } = wiring.stores;
  if ((await races.joinCandidates(days)).length > 0) return [];
  const books = [...pastPolls(wiring, atMs).feeds.keys()].sort((a, b) => factsRank(a) - factsRank(b));
  const wanted = books.flatMap((bookmakerKey) => days.map((day) => ({ bookmakerKey, day })));
  const { lists, failed } = await readPastLists(wiring, atMs, wanted);
  const at = new Date(atMs).toISOString();
  for (const { bookmakerKey, day, listed } of lists) await placeCard(races, bookmakerKey, day, listed, at);
  return failed;
}

async function pollsOf(wiring: Wiring, { raceId, startTime }: NextRace, untilMs: number): Promise<readonly PastPoll[]> {
  const startMs = Date.parse(startTime);
  const deps = pastPolls(wiring, untilMs);
  const control = await wiring.stores.control.readControl(raceId);
  const fence: Fence = { epoch: control?.epoch ?? 0, attempt: control?.holderAttempt ?? 0 };
  const books = await listedBooks(deps, raceId);
  const storedMs = new Map(books.map(({ bookmakerKey, polledAt }) => [bookmakerKey, Date.parse(polledAt ?? '')]));
  return pollTargets(raceId, startTime, books).flatMap((target) =>
    polledInHour(startMs, untilMs, target.bookmakerKey).map((atMs) => ({
      atMs,
      stored: storedMs.get(target.bookmakerKey)! >= atMs,
      run: async (past) => ticksOf(await pollBook(past, target, fence, { whole: true })),
    })),
  );
}

/** The worker may have polled the book meanwhile: a past reply that is then discarded still counts as an answer. */
function ticksOf(report: BookReport): number | null {
  if (report.kind === 'answered') return report.verdict.ticks;
  return report.reason === 'out_of_order' ? 0 : null;
}

/** Earliest first: a book's older report is refused after a newer one. */
function byInstant(polls: readonly PastPoll[]): [number, PastPoll[]][] {
  const groups = new Map<number, PastPoll[]>();
  for (const poll of polls) groups.set(poll.atMs, [...(groups.get(poll.atMs) ?? []), poll]);
  return [...groups].sort(([a], [b]) => a - b);
}

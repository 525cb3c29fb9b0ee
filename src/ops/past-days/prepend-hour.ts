// The last hour of a race that a worker polls: the books' prices before their first captured poll, put before it in one
// go.
import { fetchRace, joinRunners, type PollTarget } from '../../activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../activities/polling/race-books';
import type { Instant } from '../../domain/race/race';
import type { BookPoll } from '../../store/card/book-poll';
import { firstCaptured, prependPolls } from '../../store/polls/prepend-polls';
import { pastPolls } from '../../wiring/past';
import type { Wiring } from '../../wiring/service';
import { polledInHour } from './poll-plan';

interface Due {
  readonly atMs: number;
  readonly target: PollTarget;
}

/** A book without a captured poll is left to the worker. */
export async function prependHour(
  wiring: Wiring,
  { raceId, startTime }: { readonly raceId: string; readonly startTime: Instant },
) {
  const firsts = await firstCaptured(wiring.pool, raceId);
  const books = await listedBooks(pastPolls(wiring, wiring.now()), raceId);
  const targets = pollTargets(raceId, startTime, books).filter(({ bookmakerKey }) => firsts.has(bookmakerKey));
  const due = targets.flatMap((target): Due[] =>
    polledInHour(Date.parse(startTime), Date.parse(firsts.get(target.bookmakerKey)!), target.bookmakerKey).map(
      (atMs) => ({ atMs, target }),
    ),
  );
  const polls: BookPoll[] = [];
  for (const [atMs, together] of Map.groupBy(due, (one) => one.atMs)) {
    const read = await Promise.all(together.map(({ target }) => readPoll(wiring, atMs, target)));
    polls.push(...read.filter((poll) => poll !== null));
  }
  polls.sort((a, b) => (a.observedAt < b.observedAt ? -1 : 1));
  const isEnough = polls.length > 0 && polls.length * 2 >= due.length;
  const ticks = isEnough ? await prependPolls(wiring.pool, raceId, polls) : 0;
  return { wanted: targets.length, missing: due.length, answered: polls.length, ticks };
}

/** Null: the book did not answer, or answered for another race. */
async function readPoll(wiring: Wiring, atMs: number, target: PollTarget): Promise<BookPoll | null> {
  const deps = pastPolls(wiring, atMs);
  const reply = await fetchRace(deps, target, { whole: true });
  if (reply.kind !== 'ok') return null;
  const joined = await joinRunners(deps, target, reply);
  if (joined === 'another_race') return null;
  const { raceId, bookmakerKey } = target;
  const { observedAt, bookAt, value: snapshot } = joined;
  return {
    raceId,
    bookmakerKey,
    fence: { epoch: 0, attempt: 0 },
    observedAt,
    bookAt,
    snapshot,
    marketStateSource: false,
    startSource: false,
  };
}

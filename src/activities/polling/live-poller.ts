// The live tier of one race: polls every listed book when it is due, writes under the fence, and ends with the first
// sighting that the workflow needs. Does not use Temporal: its host supplies attempt, heartbeat, cancellation and
// waiting. A book's failure never ends it.
import type { RaceControl } from '../../store/polls/control';
import { type ActivityDeps, instantNow } from '../deps';
import { createUnseenSignals } from '../races/unseen-signals';
import { BookRound } from './book-round';
import type { HealthTally } from './health-tally';
import { PollQueue } from './load/poll-queue';
import {
  type ControlEnd,
  endByControl,
  fenceOf,
  type PolledRace,
  type PollerHost,
  type PollerProgress,
  refusal,
} from './poller';
import type { PollerEnd } from './sightings';

/**
 * Wall; more often on a fast clock. All races of a process read on the same beat, so that their reads share a
 * statement. A late read is safe: every write is fenced.
 */
const CONTROL_EVERY_MS = 1000;
/**
 * Beats between two reads of a race that is not near its jump, while the process does not keep up: what its races cost
 * without a poll must not grow with what it cannot poll. A few, drawn, so that they do not all share a beat.
 */
const SPARING_BEATS = 4;
/** Reads that may fail before the attempt does: one silent connection does not end a poller. */
const MISSES = 2;

/** Wall milliseconds to a beat of all races of the process, at least one. */
const untilMs = (beat: number, everyMs: number): number => Math.max(1, Math.ceil(beat * everyMs - performance.now()));

const isControlEnd = (end: PollerEnd): end is ControlEnd => end.kind === 'superseded' || end.kind === 'fenced';

export async function runLivePoller(
  deps: ActivityDeps,
  race: PolledRace,
  host: PollerHost,
  tally: HealthTally,
  resume?: PollerProgress,
  queue = new PollQueue(deps.now),
): Promise<PollerEnd> {
  const { control } = deps.stores;
  const fence = fenceOf(race, host.attempt);
  if (!(await control.claim(race.raceId, fence.epoch, fence.attempt, instantNow(deps))))
    return refusal(deps, race, { kind: 'fenced' });
  const round = new BookRound(deps, race, fence, host, tally, queue, resume);
  const readEveryMs = Math.min(CONTROL_EVERY_MS, (10 * CONTROL_EVERY_MS) / deps.clock.speed);
  const unseen = createUnseenSignals(deps, race.raceId);
  let row: RaceControl | null = null;
  let nextBeat = Number.NEGATIVE_INFINITY;
  let missed = 0;
  const readRow = async (last: RaceControl | null): Promise<RaceControl | null> => {
    try {
      const read = await control.readControl(race.raceId);
      missed = 0;
      return read;
    } catch (error) {
      missed += 1;
      if (last === null || missed > MISSES) throw error;
      return last;
    }
  };
  try {
    for (;;) {
      const beat = Math.floor(performance.now() / readEveryMs);
      if (round.startMoved() || beat >= nextBeat) {
        row = await readRow(row);
        const isSpared = row !== null && queue.isShort && !round.isNear(row.advertisedStart);
        nextBeat = beat + 1 + (isSpared ? Math.floor(deps.random() * SPARING_BEATS) : 0);
        unseen.signal(row?.unseen ?? null);
      }
      const end = endByControl(row, fence) ?? round.end();
      if (end) await unseen.settled();
      if (end) return isControlEnd(end) ? await refusal(deps, race, end) : end;
      await round.refreshBooks();
      const { advertisedStart } = row!;
      round.pollDue(advertisedStart);
      host.heartbeat(round.progress());
      await tally.flush(performance.now());
      // What the polls have seen is taken up at each beat, whether or not the row is read.
      await host.wait(round.waitMs(advertisedStart, untilMs(beat + 1, readEveryMs)));
    }
  } finally {
    await round.stop();
    await tally.flush(performance.now(), true);
  }
}

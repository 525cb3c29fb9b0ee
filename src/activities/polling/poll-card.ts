// The card tier: every attempt polls each listed book once and stores its prices. It completes only with a sighting
// that the workflow needs; otherwise it fails with the delay to the next attempt (D21).
import type { Context } from '@temporalio/activity';
import { bookmaker } from '../../domain/bookmakers';
import { pollIntervalMs } from '../../domain/time/cadence';
import type { Fence } from '../../store/card/book-poll';
import type { ConnectorPoll } from '../../store/health';
import type { RaceControl } from '../../store/polls/control';
import { type ActivityDeps, instantNow } from '../deps';
import { signalUnseen } from '../races/signal-unseen';
import { callAgainIn } from '../wait';
import { jitterOf } from './due-books';
import { type PollTarget, pollBook } from './poll-book';
import { endByControl, fenceOf, type PolledRace, refusal } from './poller';
import { listedBooks, pollTargets } from './race-books';
import { type PollerEnd, type Sighting, sightingOf, strongest } from './sightings';

export async function pollCard(deps: ActivityDeps, race: PolledRace, context: Context): Promise<PollerEnd> {
  const { raceId } = race;
  const fence = fenceOf(race, context.info.attempt);
  const control = await deps.stores.control.readControl(raceId);
  const end = endByControl(control, fence);
  if (end) return refusal(deps, race, end);
  if (!(await deps.stores.control.claim(raceId, fence.epoch, fence.attempt, instantNow(deps))))
    return refusal(deps, race, { kind: 'fenced' });
  const targets = pollTargets(raceId, control!.advertisedStart, await listedBooks(deps, raceId));
  const sighting = strongest(await pollBooks(deps, race, fence, targets, context.cancellationSignal));
  await followUp(deps, raceId);
  if (sighting) return sighting;
  throw callAgainIn(deps, cardDelayMs(deps, control!, targets), `polled ${targets.length} books`);
}

/**
 * Polls every book at once, each within its own deadline. The first sighting cancels the polls still in flight: the
 * poller that follows repeats them.
 */
async function pollBooks(
  deps: ActivityDeps,
  race: PolledRace,
  fence: Fence,
  targets: readonly PollTarget[],
  cancelled: AbortSignal,
): Promise<readonly Sighting[]> {
  const sightings: Sighting[] = [];
  const health: ConnectorPoll[] = [];
  const stop = new AbortController();
  // Never accept a 304 here: card polls are so far apart that a cached ETag proves little.
  const call = { signal: AbortSignal.any([cancelled, stop.signal]), whole: true, urgency: 'idle' } as const;
  const pollOne = async (target: PollTarget): Promise<void> => {
    const report = await pollBook(deps, target, fence, call, true);
    if (call.signal.aborted && report.kind === 'failed') return;
    health.push(report.health);
    const sighting = sightingOf(target.bookmakerKey, report, race);
    if (!sighting) return;
    sightings.push(sighting);
    stop.abort();
  };
  await Promise.all(targets.map(pollOne));
  await deps.stores.health.recordPolls(health);
  return sightings;
}

/** These polls, or others, may have moved the start. */
async function followUp(deps: ActivityDeps, raceId: string): Promise<void> {
  const row = await deps.stores.control.readControl(raceId);
  if (row?.unseen) await signalUnseen(deps, raceId, row.unseen);
}

const USUAL_CARD_BOOK = bookmaker('ladbrokes_au')!;

function cardDelayMs(deps: ActivityDeps, control: RaceControl, targets: readonly PollTarget[]): number {
  const secsToJump = (Date.parse(control.advertisedStart) - deps.now()) / 1000;
  const books = targets.length > 0 ? targets.map((each) => bookmaker(each.bookmakerKey)!) : [USUAL_CARD_BOOK];
  return Math.min(...books.map((book) => pollIntervalMs(secsToJump, book))) * jitterOf(deps.random());
}

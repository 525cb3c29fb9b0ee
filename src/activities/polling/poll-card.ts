// The card tier: every attempt asks each listed book once and stores what it says; it completes only when the workflow must know
// something, else it asks to be called again at the card cadence (D21).
import type { Context } from '@temporalio/activity';
import { bookmaker } from '../../domain/bookmakers';
import { pollIntervalMs } from '../../domain/time/cadence';
import type { Fence } from '../../store/card/book-poll';
import type { ConnectorPoll } from '../../store/health';
import type { RaceControl } from '../../store/polls/control';
import { type ActivityDeps, instantNow } from '../deps';
import { signalStartMoved } from '../races/signal-race';
import { callAgainIn } from '../wait';
import { jitterOf } from './due-books';
import { type BookReport, type PollTarget, pollBook } from './poll-book';
import { endByControl, fenceOf, type PolledRace } from './poller';
import { listedBooks, pollTargets } from './race-books';
import { type PollerEnd, type Sighting, sightingOf, strongest } from './sightings';

export async function pollCard(deps: ActivityDeps, race: PolledRace, context: Context): Promise<PollerEnd> {
  const { raceId } = race;
  const fence = fenceOf(race, context.info.attempt);
  const control = await deps.stores.control.readControl(raceId);
  const end = endByControl(control, fence);
  if (end) return end;
  if (!(await deps.stores.control.claim(raceId, fence.epoch, fence.attempt, instantNow(deps))))
    return { kind: 'fenced' };
  const targets = pollTargets(raceId, control!.advertisedStart, await listedBooks(deps, raceId));
  const sighting = strongest(await pollBooks(deps, race, fence, targets, context.cancellationSignal));
  if (sighting) return sighting;
  throw callAgainIn(deps, cardDelayMs(deps, control!, targets), `asked ${targets.length} books`);
}

/**
 * Every book at once, each within its own deadline and each acted on as it answers. The first that has something to tell the workflow
 * calls off those that have not answered: whatever poller comes next asks them again.
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
  // So far apart that a held ETag proves little: whole replies, always.
  const call = { signal: AbortSignal.any([cancelled, stop.signal]), whole: true, urgency: 'idle' } as const;
  const pollOne = async (target: PollTarget): Promise<void> => {
    const report = await pollBook(deps, target, fence, call, true);
    if (call.signal.aborted && report.kind === 'failed') return;
    health.push(report.health);
    await reportMove(deps, target, report);
    const sighting = sightingOf(target.bookmakerKey, report, race);
    if (!sighting) return;
    sightings.push(sighting);
    stop.abort();
  };
  await Promise.all(targets.map(pollOne));
  await deps.stores.health.recordPolls(health);
  return sightings;
}

async function reportMove(deps: ActivityDeps, { raceId }: PollTarget, report: BookReport): Promise<void> {
  if (report.kind !== 'answered' || !report.verdict.startMoved || !report.startTime) return;
  await signalStartMoved(deps, raceId, report.startTime, report.verdict.startVersion);
}

const USUAL_CARD_BOOK = bookmaker('ladbrokes_au')!;

function cardDelayMs(deps: ActivityDeps, control: RaceControl, targets: readonly PollTarget[]): number {
  const secsToJump = (Date.parse(control.advertisedStart) - deps.now()) / 1000;
  const books = targets.length > 0 ? targets.map((each) => bookmaker(each.bookmakerKey)!) : [USUAL_CARD_BOOK];
  return Math.min(...books.map((book) => pollIntervalMs(secsToJump, book))) * jitterOf(deps.random());
}

// The card tier: every attempt asks each listed book once and stores what it says; it completes only when the workflow must know
// something, else it asks to be called again at the card cadence (D21).
import type { Context } from '@temporalio/activity';
import { bookmaker } from '../../domain/bookmakers';
import { pollIntervalMs } from '../../domain/time/cadence';
import type { Fence } from '../../store/card/book-poll';
import type { ConnectorPoll } from '../../store/health';
import type { RaceControl } from '../../store/polls/control';
import { type ActivityDeps, instantNow } from '../deps';
import { tellStartMoved } from '../races/tell-race';
import { callAgainIn } from '../wait';
import { jitterOf } from './due-books';
import { type BookAnswer, type PollTarget, pollBook } from './poll-book';
import { fenceOf, type PolledRace, refusal } from './poller';
import { listedBooks, pollTargets } from './race-books';
import { type PollOutcome, type Sighting, sightingOf, strongest } from './sightings';

export async function pollCard(deps: ActivityDeps, race: PolledRace, context: Context): Promise<PollOutcome> {
  const { raceId } = race;
  const fence = fenceOf(race, context.info.attempt);
  const control = await deps.stores.control.readControl(raceId);
  const end = refusal(control, fence);
  if (end) return end;
  if (!(await deps.stores.control.claim(raceId, fence.epoch, fence.attempt, instantNow(deps))))
    return { kind: 'fenced' };
  const targets = pollTargets(raceId, control!.advertisedStart, await listedBooks(deps, raceId));
  const sighting = strongest(await askBooks(deps, race, fence, targets, context.cancellationSignal));
  if (sighting) return sighting;
  throw callAgainIn(deps, cardDelayMs(deps, control!, targets), `asked ${targets.length} books`);
}

/**
 * Every book at once, each within its own deadline and each acted on as it answers. The first that has something to tell the workflow
 * calls off those that have not answered: whatever poller comes next asks them again.
 */
async function askBooks(
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
  const askOne = async (target: PollTarget): Promise<void> => {
    const answer = await pollBook(deps, target, fence, call, true);
    if (call.signal.aborted && answer.kind === 'failed') return;
    health.push(answer.health);
    await reportMove(deps, target, answer);
    const sighting = sightingOf(target.bookmakerKey, answer, race);
    if (!sighting) return;
    sightings.push(sighting);
    stop.abort();
  };
  await Promise.all(targets.map(askOne));
  await deps.stores.health.recordPolls(health);
  return sightings;
}

async function reportMove(deps: ActivityDeps, { raceId }: PollTarget, answer: BookAnswer): Promise<void> {
  if (answer.kind !== 'answered' || !answer.outcome.startMoved || !answer.startTime) return;
  await tellStartMoved(deps, raceId, answer.startTime, answer.outcome.startVersion);
}

const USUAL_CARD_BOOK = bookmaker('ladbrokes_au')!;

function cardDelayMs(deps: ActivityDeps, control: RaceControl, targets: readonly PollTarget[]): number {
  const secsToJump = (Date.parse(control.advertisedStart) - deps.now()) / 1000;
  const books = targets.length > 0 ? targets.map((each) => bookmaker(each.bookmakerKey)!) : [USUAL_CARD_BOOK];
  return Math.min(...books.map((book) => pollIntervalMs(secsToJump, book))) * jitterOf(deps.random());
}

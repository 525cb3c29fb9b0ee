// The card tier: every attempt asks each listed book once and stores what it says; it completes only when the workflow must know
// something, else it asks to be called again at the card cadence (D21).
import type { Context } from '@temporalio/activity';
import { bookmaker } from '../domain/bookmakers';
import { pollIntervalMs } from '../domain/cadence';
import type { RaceControl } from '../store/store';
import { type ActivityDeps, instantNow } from './deps';
import { jitterOf } from './due-books';
import { type BookAnswer, type PollTarget, pollBook } from './poll-book';
import { fenceOf, type PolledRace, type PollOutcome, refusal } from './poller';
import { listedBooks, pollTargets } from './race-books';
import { sightingOf, strongest } from './sightings';
import { tellStartMoved } from './tell-race';
import { callAgainIn } from './wait-and-retry';

export async function pollCard(deps: ActivityDeps, race: PolledRace, context: Context): Promise<PollOutcome> {
  const { raceId } = race;
  const fence = fenceOf(race, context.info.attempt);
  const control = await deps.stores.control.readControl(raceId);
  const end = refusal(control, fence);
  if (end) return end;
  if (!(await deps.stores.control.claim(raceId, fence.epoch, fence.attempt, instantNow(deps))))
    return { kind: 'fenced' };
  const targets = pollTargets(raceId, control!.advertisedStart, await listedBooks(deps, raceId));
  // So far apart that a held ETag proves little: whole replies, always.
  const call = { signal: context.cancellationSignal, whole: true };
  const answers = await Promise.all(targets.map((target) => pollBook(deps, target, fence, call)));
  await deps.stores.health.recordPolls(answers.map((answer) => answer.health));
  await reportMoves(deps, targets, answers);
  const sighting = strongest(answers.map((answer, i) => sightingOf(targets[i]!.bookmakerKey, answer, race.marketShut)));
  if (sighting) return sighting;
  throw callAgainIn(deps, cardDelayMs(deps, control!, targets), `asked ${targets.length} books`);
}

async function reportMoves(deps: ActivityDeps, targets: readonly PollTarget[], answers: readonly BookAnswer[]) {
  for (const [i, answer] of answers.entries()) {
    if (answer.kind !== 'answered' || !answer.outcome.startMoved || !answer.startTime) continue;
    await tellStartMoved(deps, targets[i]!.raceId, answer.startTime, answer.outcome.startVersion);
  }
}

const USUAL_CARD_BOOK = bookmaker('ladbrokes_au')!;

function cardDelayMs(deps: ActivityDeps, control: RaceControl, targets: readonly PollTarget[]): number {
  const secsToJump = (Date.parse(control.advertisedStart) - deps.now()) / 1000;
  const books = targets.length > 0 ? targets.map((each) => bookmaker(each.bookmakerKey)!) : [USUAL_CARD_BOOK];
  return Math.min(...books.map((book) => pollIntervalMs(secsToJump, book))) * jitterOf(deps.random());
}

// The true state of a race at an instant, as the stewards know it, read from its story. Pure. Each book shows it late
// and in its own way (books/view.ts).
import type { Conditions, Meeting, Placing, Promotion, Race, WorldScratching } from '../race';
import { placesPaid } from './truth';

export type RaceStage = 'open' | 'running' | 'judging' | 'interim' | 'final' | 'abandoned';

export interface OfficialState {
  readonly stage: RaceStage;
  readonly advertisedStartMs: number;
  /** Announced by then. */
  readonly scratchings: readonly WorldScratching[];
  readonly promotions: readonly Promotion[];
  readonly conditions: Conditions;
  readonly placesPaid: number;
  /** Empty until the placings are posted, and for a race that did not run. */
  readonly placings: readonly Placing[];
  readonly protestPending: boolean;
  readonly straightDividends: boolean;
  readonly exoticDividends: boolean;
}

export function raceAt(race: Race, atMs: number): OfficialState {
  const { story } = race;
  const stage = stageAt(race, atMs);
  const scratchings = story.scratchings.filter((scratching) => scratching.atMs <= atMs);
  const promotions = story.promotions.filter((promotion) => promotion.atMs <= atMs);
  const resulted = stage === 'interim' || stage === 'final';
  const decided = story.protest === null || atMs >= story.protest.decidedMs;
  const right = decided && (story.correctedMs === null || atMs >= story.correctedMs);
  return {
    stage,
    advertisedStartMs: story.advertised.findLast((start) => start.fromMs <= atMs)!.startMs,
    scratchings,
    promotions,
    conditions: conditionsAt(race.meeting, atMs),
    placesPaid: placesPaid(runnersIn(race, scratchings, promotions)),
    placings: resulted ? (right ? story.settled : story.crossed) : [],
    protestPending: resulted && story.protest !== null && atMs >= story.protest.lodgedMs && !decided,
    straightDividends: resulted && atMs >= story.straightDividendsMs,
    exoticDividends: resulted && atMs >= story.exoticDividendsMs,
  };
}

function stageAt({ story }: Race, atMs: number): RaceStage {
  if (story.abandoned && atMs >= story.abandoned.atMs) return 'abandoned';
  if (atMs < story.jumpMs || story.abandoned) return 'open';
  if (atMs < story.finishMs) return 'running';
  if (atMs < story.interimMs) return 'judging';
  return atMs < story.finalMs ? 'interim' : 'final';
}

export function conditionsAt(meeting: Meeting, atMs: number): Conditions {
  return meeting.conditions.findLast((conditions) => conditions.fromMs <= atMs)!;
}

/** Starters still in: the drawn field without scratched runners, with the emergencies that have a start. */
function runnersIn(race: Race, scratchings: readonly WorldScratching[], promotions: readonly Promotion[]): number {
  const gone = new Set(scratchings.map((scratching) => scratching.number));
  const started = new Set(promotions.map((promotion) => promotion.number));
  return race.runners.filter((r) => !gone.has(r.number) && (!r.emergency || started.has(r.number))).length;
}

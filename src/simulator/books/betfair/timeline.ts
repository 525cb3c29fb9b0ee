// When each event of a race shows at the exchange, as in the saved files: a scratching suspends for 27 s and removes
// the runner after 20, the off suspends and reconciles the starting prices, horses' WIN markets then run in play,
// settlement closes. Computed all at once, so that a market's version is a count. Pure in (race, market).
import type { Race, WorldScratching } from '../../world/race';
import { unit } from '../../world/random';
import { placesPaid } from '../../world/story/truth';
import { BETFAIR } from '../profiles';
import { closesAtMs, scratchesAtMs, stateLagMs } from '../view';

export type MarketType = 'WIN' | 'PLACE';

const REMOVED_AFTER_MS = 20_000;
const REOPENS_AFTER_MS = 27_000;
/** Devonport, 1 March 2022: every runner was removed two and a half minutes after the suspension. */
const CALLED_OFF_AFTER_MS = 146_000;

export interface MarketTimeline {
  /** Suspensions before the off, each until it reopens. */
  readonly pauses: readonly { readonly fromMs: number; readonly untilMs: number }[];
  /** By saddlecloth number: when the removal shows. */
  readonly removals: ReadonlyMap<number, number>;
  readonly offMs: number;
  /** Null if this market has no starting prices, or the race is called off. */
  readonly bspMs: number | null;
  /** Null if it is never in play. */
  readonly inPlayMs: number | null;
  readonly runOverMs: number;
  readonly closedMs: number;
  readonly calledOff: boolean;
  /** Ascending; each change makes a new version. */
  readonly changes: readonly number[];
}

export function timelineOf(race: Race, type: MarketType): MarketTimeline {
  const { story } = race;
  const offMs = closesAtMs(race, BETFAIR);
  const scratched = story.scratchings
    .filter((row) => isListed(race, row))
    .map((row) => ({ number: row.number, atMs: scratchesAtMs(race, BETFAIR, row) }));
  const calledOff = story.abandoned !== null;
  const bspMs =
    calledOff || !hasStartingPrices(race, type) ? null : offMs + 100 + Math.round(900 * unit(race.seed, 950));
  const inPlayMs = !calledOff && turnsInPlay(race, type) ? offMs + 3000 : null;
  const judgedMs = Math.max(story.interimMs, story.protest?.decidedMs ?? 0);
  const closedMs = calledOff ? offMs + CALLED_OFF_AFTER_MS : judgedMs + 20_000;
  const pauses = [...scratched.map(({ atMs }) => ({ fromMs: atMs, untilMs: atMs + REOPENS_AFTER_MS })), ...story.shut];
  const lagMs = stateLagMs(race, BETFAIR);
  const updates = [
    ...story.advertised.slice(1).map((each) => each.fromMs),
    ...story.promotions.map((each) => each.atMs),
  ];
  const removals = new Map(scratched.map(({ number, atMs }) => [number, atMs + REMOVED_AFTER_MS]));
  const changes = [
    ...pauses.flatMap((pause) => [pause.fromMs, pause.untilMs]),
    ...removals.values(),
    ...updates.map((atMs) => atMs + lagMs),
    ...[offMs, bspMs, inPlayMs, closedMs].filter((each) => each !== null),
    ...(inPlayMs === null ? [] : [story.finishMs]),
  ];
  changes.sort((a, b) => a - b);
  return { pauses, removals, offMs, bspMs, inPlayMs, runOverMs: story.finishMs, closedMs, calledOff, changes };
}

/** Reserves are listed once they get a start, empty boxes never are. */
const isListed = (race: Race, { number }: WorldScratching): boolean => {
  const runner = race.runners.find((each) => each.number === number);
  return runner !== undefined && !runner.vacant && !runner.emergency;
};

/** PLACE markets in New Zealand had none, although the WIN markets did. */
export const hasStartingPrices = (race: Race, type: MarketType): boolean =>
  type === 'WIN' || race.meeting.track.country === 'AU';

/** Only horses' WIN markets: greyhounds never run in play, and harness is undocumented. */
export const turnsInPlay = (race: Race, type: MarketType): boolean =>
  type === 'WIN' && race.meeting.track.category === 'horse';

/** By the declared field: scratchings do not lower it (Addington R11 paid three with seven left). */
export function winnersOf(race: Race, type: MarketType): number {
  if (type === 'WIN') return 1;
  return placesPaid(race.runners.filter((runner) => !runner.emergency && !runner.vacant).length);
}

// Resolves a bet to its race, the time of its jump, its runner and its settlement. Never guesses between two
// candidates.
import type { Static } from '@sinclair/typebox';
import { jumpMsOf } from '../../../domain/clv/closing-line';
import { type CandidateRunner, findRunner } from '../../../domain/clv/find-runner';
import { boardState } from '../../../domain/race/board-state';
import { areDifferentRunners } from '../../../domain/race/other-race';
import { withoutVacantBoxes } from '../../../domain/race/runner';
import { type SettledRace, type Settlement, settleBet } from '../../../domain/settlement/settle-bet';
import { startOf } from '../../../domain/settlement/started';
import { nearestVenue } from '../../../store/reads/races/venue-match';
import type { BetRace, BetRacesQuery } from '../../../store/reads/results/bet-races';
import { CUSTOMERS, marketStateFor } from '../../kernel/endpoint/visibility';
import { UUID } from '../../kernel/input/ajv';
import type { UnscoredReason } from './clv-report-schema';
import type { ClvRequest } from './clv-schema';

type SentBet = Static<typeof ClvRequest>['bets'][number];
export type Bet = { readonly [M in keyof SentBet]: Exclude<SentBet[M], null> };

/** A member that is null is absent. */
export const withoutNulls = (sent: SentBet): Bet =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Bet;

export interface BetSubject {
  readonly bet: Bet;
  readonly stake: number;
  readonly market: 'win' | 'place';
  /** The book that the bet names, by its key. */
  readonly bookmaker: string | null;
  /** Null if no race matches, or more than one. */
  readonly race: BetRace | null;
  /** The matching races, if there are several. */
  readonly candidates: readonly BetRace[] | null;
  /** Null if the race has not jumped, or never will. */
  readonly jumpMs: number | null;
  readonly runner: CandidateRunner | null;
  /** Why the bet has no close; null if one is looked up. */
  readonly reason: UnscoredReason | null;
  /** Null without a race, a runner or a result. */
  readonly settlement: Settlement | null;
}

/** An id that is not a UUID belongs to no race. */
export const isUuid = (id: string): boolean => UUID.test(id);

const numbered = (bet: Bet) => ({ venue: bet.venue!, day: bet.meeting_date!, raceNumber: bet.race_number! });

const nameOf = ({ venue, day, raceNumber }: BetRacesQuery['named'][number]): string =>
  `${day} ${raceNumber} ${venue.toLowerCase()}`;

/** The races that these bets name, without repetition. */
export function racesNamed(bets: readonly Bet[]): BetRacesQuery {
  const named = bets.filter(({ race_id }) => race_id === undefined).map(numbered);
  return {
    raceIds: [...new Set(bets.flatMap(({ race_id = '' }) => (isUuid(race_id) ? race_id.toLowerCase() : [])))],
    named: [...new Map(named.map((name) => [nameOf(name), name])).values()],
  };
}

/** In the order of the bets. */
export function subjectsOf(bets: readonly Bet[], races: readonly BetRace[], nowMs: number): readonly BetSubject[] {
  const byName = new Map<string, BetRace[]>();
  for (const race of races) {
    const spelled = [race.venue, ...race.spellings].map((venue) =>
      nameOf({ venue, day: race.meeting_date, raceNumber: race.race_number }),
    );
    for (const key of new Set([race.race_id, ...spelled])) byName.set(key, [...(byName.get(key) ?? []), race]);
  }
  return bets.map((bet) => {
    if (bet.race_id !== undefined) return subjectOf(bet, byName.get(bet.race_id.toLowerCase()) ?? [], nowMs);
    return subjectOf(bet, nearestVenue(byName.get(nameOf(numbered(bet))) ?? [], bet.venue!), nowMs);
  });
}

function subjectOf(bet: Bet, found: readonly BetRace[], nowMs: number): BetSubject {
  const [race, ...others] = found;
  const { stake = 1, market = 'win' } = bet;
  const own = { bet, stake, market, bookmaker: bet.bookmaker?.toLowerCase() ?? null, candidates: null };
  const nothing = { ...own, race: null, jumpMs: null, runner: null, settlement: null };
  if (race === undefined) return { ...nothing, reason: 'race_not_found' };
  if (others.length > 0) return { ...nothing, candidates: found, reason: 'race_ambiguous' };
  const jumpMs = jumpOf(race, nowMs);
  const runners = namedRunners(race);
  if (runners.length === 0) return { ...nothing, race, jumpMs, reason: 'no_card' };
  const number = findRunner(runners, { runnerRef: bet.runner_ref, number: bet.runner_number, name: bet.runner_name });
  if (typeof number === 'string') return { ...nothing, race, jumpMs, reason: `runner_${number}` };
  const runner = runnerAs(runners, number);
  const settled = settledRace(race, runner);
  const { price, placed_at: placedAt = null } = bet;
  return {
    ...own,
    race,
    jumpMs,
    runner,
    reason: reasonOf(settled, number, jumpMs),
    settlement:
      race.outcome || isAbandoned(race) ? settleBet({ market, number, price, stake, placedAt }, settled) : null,
  };
}

const isAbandoned = ({ status, outcome }: BetRace): boolean =>
  status === 'abandoned' || outcome?.status === 'abandoned';

/**
 * The jump by the market state that customers may see (A 1), for every audience. The recorded jump may come from an
 * exchange, so it counts only once the time shown to customers has passed.
 */
function jumpOf(race: BetRace, nowMs: number): number | null {
  if (isAbandoned(race)) return null;
  if (race.archived_jump_at !== null) return Date.parse(race.archived_jump_at);
  const { market_closed_at } = marketStateFor(CUSTOMERS, race);
  const jumpMs = jumpMsOf(race.start_time, market_closed_at);
  const hasRun = race.outcome !== null || boardState({ ...race, left_board_at: null }, nowMs) !== 'ahead';
  return nowMs >= jumpMs && hasRun ? jumpMs : null;
}

/** Runners of the card first, then of the field, then placegetters that are on neither. */
function namedRunners(race: BetRace): readonly CandidateRunner[] {
  const { runners, placings = [] } = race.outcome ?? {};
  const field = runners?.map(({ number, name, runner_ref }) => ({ number, name, runnerRef: runner_ref })) ?? [];
  const listed = [...withoutVacantBoxes(race.runners), ...field];
  const others = placings.filter((placing) => !listed.some(({ number }) => number === placing.number));
  return [...listed, ...others.flatMap(({ number, name }) => (name ? [{ number, name, runnerRef: null }] : []))];
}

/** Merges the entries of one number: the first name, and the first registry id. */
function runnerAs(runners: readonly CandidateRunner[], number: number): CandidateRunner {
  const same = runners.filter((one) => one.number === number);
  return {
    number,
    name: same[0]!.name,
    runnerRef: same.find(({ runnerRef }) => runnerRef !== null)?.runnerRef ?? null,
  };
}

/** The race as it settles a bet on this runner, without a placing that has its number but names a different runner. */
function settledRace(race: BetRace, runner: CandidateRunner): SettledRace {
  const { outcome, places_paid: placesPaid } = race;
  const card = withoutVacantBoxes(race.runners);
  const { runners = null, deductions = [] } = outcome ?? {};
  const placings = (outcome?.placings ?? []).filter(
    ({ number, name }) => number !== runner.number || !name || !areDifferentRunners(name, runner.name),
  );
  const status = isAbandoned(race) ? 'abandoned' : (outcome?.status ?? 'interim');
  return {
    status,
    startTime: race.start_time,
    placings,
    runners,
    card: card.length === 0 ? null : card,
    deductions,
    placesPaid,
  };
}

function reasonOf(race: SettledRace, number: number, jumpMs: number | null): UnscoredReason | null {
  if (race.status === 'abandoned') return 'race_abandoned';
  const start = startOf(number, race);
  if (start === 'scratched' || start === 'reserve') return 'runner_scratched';
  return jumpMs === null ? 'not_jumped' : null;
}

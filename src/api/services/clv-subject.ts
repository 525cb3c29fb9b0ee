// What a bet is on: its race, whether that has jumped and when, its runner, and what the result says of it. Never guesses between two.
import type { Static } from '@sinclair/typebox';
import { jumpMsOf } from '../../domain/clv/closing-line';
import { type CandidateRunner, findRunner } from '../../domain/clv/find-runner';
import { hasJumped } from '../../domain/market/consensus-status';
import { areDifferentRunners } from '../../domain/race/other-race';
import type { MarketStatus } from '../../domain/race/race';
import { isVacantBox } from '../../domain/race/runner';
import { type SettledRace, type Settlement, settleBet } from '../../domain/settlement/settle-bet';
import { startOf } from '../../domain/settlement/started';
import type { BetRace, BetRacesQuery } from '../../store/reads/results/bet-races';
import { CUSTOMERS, marketStateFor } from '../access/visibility';
import type { ClvRequest, UnscoredReason } from '../schemas/market/clv';

export type Bet = Static<typeof ClvRequest>['bets'][number];

export interface BetSubject {
  readonly bet: Bet;
  readonly stake: number;
  /** The book that the bet names, by its key. */
  readonly bookmaker: string | null;
  /** Null: none has this name, or more than one. */
  readonly race: BetRace | null;
  /** The races of this name, where they are several. */
  readonly candidates: readonly BetRace[] | null;
  /** Null: not yet, or never. */
  readonly jumpMs: number | null;
  readonly runner: CandidateRunner | null;
  /** Why no close is to be looked for; null: one is. */
  readonly reason: UnscoredReason | null;
  /** Null: no race, no runner or no result. */
  readonly settlement: Settlement | null;
}

const numbered = (bet: Bet) => ({ venue: bet.venue!, day: bet.meeting_date!, raceNumber: bet.race_number! });

const nameOf = ({ venue, day, raceNumber }: BetRacesQuery['named'][number]): string =>
  `${day} ${raceNumber} ${venue.toLowerCase()}`;

/** Each race that these bets name, once. */
export function racesNamed(bets: readonly Bet[]): BetRacesQuery {
  const named = bets.filter(({ race_id }) => race_id === undefined).map(numbered);
  return {
    raceIds: [...new Set(bets.flatMap(({ race_id }) => race_id?.toLowerCase() ?? []))],
    named: [...new Map(named.map((name) => [nameOf(name), name])).values()],
  };
}

/** In the order of the bets. */
export function subjectsOf(bets: readonly Bet[], races: readonly BetRace[], nowMs: number): readonly BetSubject[] {
  const byName = new Map<string, BetRace[]>();
  for (const race of races) {
    const name = nameOf({ venue: race.venue, day: race.meeting_date, raceNumber: race.race_number });
    for (const key of [race.race_id, name]) byName.set(key, [...(byName.get(key) ?? []), race]);
  }
  return bets.map((bet) => {
    const found = byName.get(bet.race_id?.toLowerCase() ?? nameOf(numbered(bet))) ?? [];
    return subjectOf(bet, found, nowMs);
  });
}

function subjectOf(bet: Bet, found: readonly BetRace[], nowMs: number): BetSubject {
  const [race, ...others] = found;
  const { stake = 1 } = bet;
  const own = { bet, stake, bookmaker: bet.bookmaker?.toLowerCase() ?? null, candidates: null };
  const nothing = { ...own, race: null, jumpMs: null, runner: null, settlement: null };
  if (race === undefined) return { ...nothing, reason: 'race_not_found' };
  if (others.length > 0) return { ...nothing, candidates: found, reason: 'race_ambiguous' };
  const jumpMs = jumpOf(race, nowMs);
  const known = namedRunners(race);
  const number = findRunner(known, { runnerRef: bet.runner_ref, number: bet.runner_number, name: bet.runner_name });
  if (typeof number === 'string') return { ...nothing, race, jumpMs, reason: `runner_${number}` };
  const runner = runnerAs(known, number);
  const settled = settledRace(race, runner);
  const { price, placed_at: placedAt = null } = bet;
  return {
    ...own,
    race,
    jumpMs,
    runner,
    reason: reasonOf(settled, number, jumpMs),
    settlement:
      race.outcome || isAbandoned(race) ? settleBet({ market: 'win', number, price, stake, placedAt }, settled) : null,
  };
}

const isAbandoned = ({ status, outcome }: BetRace): boolean =>
  status === 'abandoned' || outcome?.status === 'abandoned';

/**
 * By the market as customers may see it (A 1), whoever asks. A jump that was recorded may be an exchange's word, so it is none before the
 * instant that customers are told.
 */
function jumpOf(race: BetRace, nowMs: number): number | null {
  if (isAbandoned(race)) return null;
  const { market_status, market_closed_at } = marketStateFor(CUSTOMERS, race);
  const jumpMs = jumpMsOf(race.start_time, market_closed_at);
  const signs = {
    startMs: Date.parse(race.start_time),
    jumped: race.jumped_at !== null || race.outcome !== null,
    marketStatus: market_status as MarketStatus | null,
  };
  return nowMs >= jumpMs && hasJumped(signs, nowMs) ? jumpMs : null;
}

/** An empty box is nobody's bet, and nobody who came out. */
const cardOf = ({ runners }: BetRace): BetRace['runners'] => runners.filter(({ name }) => !isVacantBox(name));

/** The card's word on a name comes before the result's. Who is on neither card nor field may still have been placed. */
function namedRunners(race: BetRace): readonly CandidateRunner[] {
  const { runners, placings = [] } = race.outcome ?? {};
  const field = runners?.map(({ number, name, runner_ref }) => ({ number, name, runnerRef: runner_ref })) ?? [];
  const listed = [...cardOf(race), ...field];
  const others = placings.filter((placing) => !listed.some(({ number }) => number === placing.number));
  return [...listed, ...others.flatMap(({ number, name }) => (name ? [{ number, name, runnerRef: null }] : []))];
}

function runnerAs(known: readonly CandidateRunner[], number: number): CandidateRunner {
  const words = known.filter((one) => one.number === number);
  return {
    number,
    name: words[0]!.name,
    runnerRef: words.find(({ runnerRef }) => runnerRef !== null)?.runnerRef ?? null,
  };
}

/** As it settles a bet on this runner: a placing that names quite another one under its number is not its own. */
function settledRace(race: BetRace, runner: CandidateRunner): SettledRace {
  const { outcome, places_paid: placesPaid } = race;
  const card = cardOf(race);
  const { runners = null, deductions = [] } = outcome ?? {};
  const placings = (outcome?.placings ?? []).filter(
    ({ number, name }) => number !== runner.number || name === null || !areDifferentRunners(name, runner.name),
  );
  const status = isAbandoned(race) ? 'abandoned' : (outcome?.status ?? 'interim');
  return { status, placings, runners, card: card.length === 0 ? null : card, deductions, placesPaid };
}

function reasonOf(race: SettledRace, number: number, jumpMs: number | null): UnscoredReason | null {
  if (race.status === 'abandoned') return 'race_abandoned';
  const start = startOf(number, race);
  if (start === 'scratched' || start === 'reserve') return 'runner_scratched';
  return jumpMs === null ? 'not_jumped' : null;
}

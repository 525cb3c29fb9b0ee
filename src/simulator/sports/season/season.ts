// The matches of the season, one day of a league at a time: nothing is built before it is needed, and nothing is kept.
import type { Day } from '../../../domain/race/race';
import { hashText, mix, unit } from '../../world/random';
import { type Fixture, fixturesOf, startAt } from '../fixtures';
import { KNOWN_SEASON, SEASON, type SeasonLeague } from './season.data';

export interface SeasonMatch {
  readonly league: SeasonLeague;
  readonly fixture: Fixture;
  /**
   * `abandoned`: it began and was called off. `walkover`: a player withdrew before it. From `atMs` on no book lists it.
   */
  readonly end: { readonly kind: 'played' | 'abandoned' | 'walkover'; readonly atMs: number };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PLAYED_FOR_MS = 2 * HOUR_MS;
const ABANDONED_SHARE = 0.04;
const WALKOVER_SHARE = 0.06;

export const EVERY_LEAGUE: readonly SeasonLeague[] = [...KNOWN_SEASON, ...SEASON];

/** The matches of one Sydney day. */
export function seasonOf(seed: number, league: SeasonLeague, day: Day): readonly SeasonMatch[] {
  return fixturesIn(seed, league, day).map((fixture) => ({ league, fixture, end: endOf(league, fixture) }));
}

function fixturesIn(seed: number, league: SeasonLeague, day: Day): readonly Fixture[] {
  if (KNOWN_SEASON.includes(league)) return known(seed, league.sportKey, day);
  if (league.womenOf !== undefined) return known(seed, league.womenOf, day).map((men) => womenBefore(men, league));
  const own = fixturesOf(mix(seed, hashText(league.sourceKey)), day, [league]);
  return league.twice === undefined ? own : own.flatMap((one) => [one, again(one, league.twice!)]);
}

const known = (seed: number, sportKey: string, day: Day): readonly Fixture[] =>
  fixturesOf(seed, day).filter(({ league }) => league.sportKey === sportKey);

/** On the same ground; if the men's start is put back, the women's is not. */
function womenBefore(men: Fixture, league: SeasonLeague): Fixture {
  const serial = mix(men.serial, 11);
  const strength = (unit(serial, 2) - 0.45) * 2.4;
  return { ...men, league, serial, strength, startMs: men.startMs - 2 * HOUR_MS, postponed: null, withdrawnMs: null };
}

function again(first: Fixture, how: NonNullable<SeasonLeague['twice']>): Fixture {
  const serial = mix(first.serial, 12);
  const second = { ...first, serial, strength: (unit(serial, 2) - 0.45) * 2.4, postponed: null, withdrawnMs: null };
  if (how === 'doubleheader') return { ...second, startMs: first.startMs + 4 * HOUR_MS };
  const squad = (names: readonly string[]): readonly string[] => names.map((name) => `${name} (SS)`);
  return { ...second, home: squad(first.away), away: squad(first.home) };
}

function endOf({ walkovers }: SeasonLeague, { serial, startMs, postponed }: Fixture): SeasonMatch['end'] {
  const beginsMs = postponed?.startMs ?? startMs;
  if (walkovers && unit(serial, 21) < WALKOVER_SHARE)
    return { kind: 'walkover', atMs: startMs - Math.ceil(unit(serial, 22) * 180) * MINUTE_MS };
  if (unit(serial, 23) < ABANDONED_SHARE) return { kind: 'abandoned', atMs: beginsMs + 20 * MINUTE_MS };
  return { kind: 'played', atMs: beginsMs + PLAYED_FOR_MS };
}

export const startOf = ({ fixture }: SeasonMatch, nowMs: number): number => startAt(fixture, nowMs);

export const isOver = ({ end }: SeasonMatch, nowMs: number): boolean => nowMs >= end.atMs;

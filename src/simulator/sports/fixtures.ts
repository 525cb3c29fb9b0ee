// The matches of one Sydney day: who plays whom, when, and how the fixture changes. Everything is drawn from (seed,
// day), and is the same at any instant.

import type { Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import { mix, shuffled, unit } from '../world/random';
import { LEAGUES, type League } from './leagues';

export interface Fixture {
  readonly league: League;
  /** Part of the seed of all draws about it, and of books' ids. */
  readonly serial: number;
  /** Spellings of each side. */
  readonly home: readonly string[];
  readonly away: readonly string[];
  /** Logarithm of the home side's odds to win, before it moves. */
  readonly strength: number;
  readonly startMs: number;
  /** Announced at `atMs`: the start is put back. */
  readonly postponed: { readonly atMs: number; readonly startMs: number } | null;
  /** At `atMs` the first book of `books` takes the match off its list. */
  readonly withdrawnMs: number | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const POSTPONED_SHARE = 0.06;
const WITHDRAWN_SHARE = 0.15;

export function fixturesOf(seed: number, day: Day, leagues: readonly League[] = LEAGUES): readonly Fixture[] {
  const { startMs, endMs } = aetDayBounds(day);
  const dayNumber = Date.parse(day) / DAY_MS;
  return leagues.flatMap((league, at) => {
    const own = mix(seed, at);
    const { together = 1, everyMinutes, firstMinute } = league;
    const perDay = ((24 * 60) / everyMinutes) * together;
    return Array.from({ length: perDay }, (_, i) => {
      const start = startMs + (firstMinute + Math.floor(i / together) * everyMinutes) * MINUTE_MS;
      const [home, away] = pairing(shuffled(own, league.sides), dayNumber * perDay + i);
      return fixture(league, mix(own, dayNumber, i), home, away, start);
    }).filter((one) => one.startMs < endMs);
  });
}

/**
 * A round robin by the circle method: the first side stays, the others move by one place each round. If the number of
 * sides is odd, the last side has no matches.
 */
function pairing<T>(all: readonly T[], match: number): readonly [T, T] {
  const sides = all.slice(0, all.length - (all.length % 2));
  const half = sides.length / 2;
  const round = Math.floor(match / half) % (sides.length - 1);
  const place = match % half;
  const at = (seat: number): T => (seat === 0 ? sides[0]! : sides[1 + ((seat - 1 + round) % (sides.length - 1))]!);
  const pair = [at(place), at(sides.length - 1 - place)] as const;
  return round % 2 === 0 ? pair : [pair[1], pair[0]];
}

function fixture(
  league: League,
  serial: number,
  home: readonly string[],
  away: readonly string[],
  startMs: number,
): Fixture {
  const isPostponed = unit(serial, 1) < POSTPONED_SHARE;
  const hours = (low: number, high: number, draw: number) => (low + (high - low) * unit(serial, draw)) * 60 * MINUTE_MS;
  return {
    league,
    serial,
    home,
    away,
    startMs,
    strength: (unit(serial, 2) - 0.45) * 2.4,
    postponed: isPostponed ? { atMs: startMs - hours(1, 6, 3), startMs: startMs + 60 * MINUTE_MS } : null,
    withdrawnMs: unit(serial, 4) < WITHDRAWN_SHARE ? startMs - hours(0.2, 2, 5) : null,
  };
}

/** The advertised start at an instant. */
export const startAt = ({ startMs, postponed }: Fixture, nowMs: number): number =>
  postponed !== null && nowMs >= postponed.atMs ? postponed.startMs : startMs;

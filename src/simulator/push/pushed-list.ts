// A push-fed book's list at an instant, in the format of the service's ingest body: these books have no public format
// of their own. Pure.
import { BETGOLD, BOOSTBET, type BookProfile } from '../books/profiles';
import { opensAtMs, viewOf } from '../books/view';
import type { Race } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import { racesOf, type World } from '../world/world';

export interface PushFedBook {
  readonly profile: BookProfile;
  /** One of the two books omits the saddlecloth numbers, as the body allows: its runners are joined by name. */
  readonly numbers: boolean;
}

export const PUSH_FED_BOOKS: readonly PushFedBook[] = [
  { profile: BOOSTBET, numbers: true },
  { profile: BETGOLD, numbers: false },
];

interface PushedRunner {
  readonly name: string;
  readonly number?: number;
  readonly win_price: number | null;
  readonly place_price?: number;
}

export interface PushedRace {
  readonly source_id: string;
  readonly venue: string;
  readonly race_number: number;
  readonly category: string;
  readonly start_time: string;
  readonly country: string;
  readonly runners: readonly PushedRunner[];
}

/** Races on which the book takes bets now, earliest start first. */
export function openRaces(world: World, { profile }: PushFedBook, nowMs: number): Race[] {
  return world
    .listedDays(nowMs)
    .flatMap((day) => racesOf(world, day))
    .filter((race) => opensAtMs(race, profile) <= nowMs && viewOf(race, profile, nowMs).takesBets)
    .sort((a, b) => firstStartMs(a) - firstStartMs(b));
}

export const sourceIdOf = (race: Race, { profile }: Pick<PushFedBook, 'profile'>): string =>
  `${profile.key}-${race.serial}`;

export function pushedRace(race: Race, { profile, numbers }: PushFedBook, nowMs: number): PushedRace {
  const { track } = race.meeting;
  const view = viewOf(race, profile, nowMs);
  const runners = race.runners.flatMap((runner, i): PushedRunner[] => {
    if (runner.vacant || view.out.has(runner.number)) return [];
    const win = view.win[i]!;
    const place = view.place[i]!;
    const number = numbers ? { number: runner.number } : {};
    return [
      { name: runner.name, ...number, win_price: win > 0 ? win : null, ...(place > 0 && { place_price: place }) },
    ];
  });
  return {
    source_id: sourceIdOf(race, { profile }),
    venue: track.name,
    race_number: race.number,
    category: track.category,
    start_time: new Date(view.state.advertisedStartMs).toISOString(),
    country: track.country,
    runners,
  };
}

// One race as one book shows it at an instant: which runners it prices and at what, which it has scratched, whether it
// takes bets. Pure in (race, book, instant). Price lists are cached per race, so that many polls a second cost little.

import { LRUCache } from 'lru-cache';
import type { Conditions, Race, WorldScratching } from '../world/race';
import { mix, unit } from '../world/random';
import { firstStartMs } from '../world/story/race-times';
import type { OfficialState } from '../world/story/state';
import { conditionsAt, raceAt } from '../world/story/state';
import { quotes } from './abroad';
import { type PriceList, priceList } from './prices';
import type { BookProfile } from './profiles';

/** Everything except the prices: the values that lists show. */
export interface ListView {
  /** The race's state as the book shows it, some seconds late. */
  readonly state: OfficialState;
  readonly conditions: Conditions;
  /** By saddlecloth number: runners that the book has scratched. */
  readonly out: ReadonlyMap<number, WorldScratching>;
  readonly takesBets: boolean;
}

export interface BookView extends ListView {
  /** By runner index. A scratched runner keeps its last price; 0 means no price. */
  readonly win: readonly number[];
  readonly place: readonly number[];
  /** When the prices were last computed. */
  readonly pricedAtMs: number;
}

export function listViewOf(race: Race, book: BookProfile, nowMs: number): ListView {
  const stateMs = nowMs - stateLagMs(race, book);
  const state = raceAt(race, stateMs);
  const scratched = state.scratchings.filter((row) => nowMs >= scratchesAtMs(race, book, row));
  return {
    state,
    conditions: conditionsAt(race.meeting, stateMs),
    out: new Map(scratched.map((row) => [row.number, row])),
    takesBets:
      nowMs < closesAtMs(race, book) && !race.story.shut.some((gap) => nowMs >= gap.fromMs && nowMs < gap.untilMs),
  };
}

export function viewOf(race: Race, book: BookProfile, nowMs: number): BookView {
  const { state, conditions, out, takesBets } = listViewOf(race, book, nowMs);
  const shutMs = closesAtMs(race, book);
  const current = pricesAt(race, book, Math.min(nowMs, shutMs));
  const listOf = (number: number): PriceList => {
    const scratching = out.get(number);
    return scratching ? pricesAt(race, book, Math.min(scratchesAtMs(race, book, scratching) - 1, shutMs)) : current;
  };
  const lists = race.runners.map((runner) => listOf(runner.number));
  return {
    state,
    conditions,
    out,
    takesBets,
    win: lists.map((list, i) => list.win[i]!),
    place: lists.map((list, i) => list.place[i]!),
    pricedAtMs: current.atMs,
  };
}

/** A draw between the bounds, fixed for this race and book. */
function drawn(race: Race, draws: number, what: number, [low, high]: readonly [number, number]): number {
  return Math.round(low + (high - low) * unit(race.seed, 900 + what, draws));
}

export function stateLagMs(race: Race, book: BookProfile): number {
  return drawn(race, book.house, 1, book.stateLagMs);
}

/** When the book closes: around the jump, or when the race is called off. */
export function closesAtMs(race: Race, book: BookProfile): number {
  const { abandoned, jumpMs } = race.story;
  return abandoned
    ? abandoned.atMs + stateLagMs(race, book)
    : jumpMs + drawn(race, book.house, 2, book.closesAfterJumpMs);
}

/**
 * When the book scratches the runner. By mistake it overlooks one late scratching in twelve for some minutes, and the
 * runner keeps its price.
 */
export function scratchesAtMs(race: Race, book: BookProfile, scratching: WorldScratching): number {
  const usual = scratching.atMs + stateLagMs(race, book);
  if (!race.mistakes || scratching.kind !== 'late' || unit(race.seed, 903, book.house, scratching.number) >= 0.085)
    return usual;
  return usual + 60_000 * (2 + Math.floor(5 * unit(race.seed, 904, book.house, scratching.number)));
}

/** Infinite for a meeting that the book lists but does not quote. */
export function opensAtMs(race: Race, book: BookProfile): number {
  if (!quotes(race.meeting.track, book.key)) return Number.POSITIVE_INFINITY;
  const hours = book.opensHoursBefore[race.meeting.track.category];
  return firstStartMs(race) - Math.round(hours * (0.85 + 0.3 * unit(race.seed, 905, book.house)) * 3_600_000);
}

/** Above every profile's index. */
const MOST_BOOKS = 64;
const LISTS_CACHED = 480;
/** More races than a day has: otherwise the lists of a race that is over would stay as long as its card, two weeks. */
const RACES_CACHED = 480;
const cachedLists = new LRUCache<Race, Map<number, PriceList>>({ max: RACES_CACHED });

/** The price list in force at `atMs`, computed at the last repricing before it. */
export function pricesAt(race: Race, book: BookProfile, atMs: number): PriceList {
  const repricedMs = lastRepricing(race, book, Math.min(atMs, race.story.pricesStandFromMs ?? atMs));
  const lists = cachedLists.get(race) ?? new Map<number, PriceList>();
  cachedLists.set(race, lists);
  const key = repricedMs * MOST_BOOKS + book.index;
  const list = lists.get(key) ?? reprice(race, book, repricedMs);
  // Evicts the least recently used lists: those at the marks of flucs stay.
  lists.delete(key);
  lists.set(key, list);
  if (lists.size > LISTS_CACHED) lists.delete(lists.keys().next().value!);
  return list;
}

function reprice(race: Race, book: BookProfile, repricedMs: number): PriceList {
  const gone = (number: number): boolean =>
    race.story.scratchings.some((row) => row.number === number && scratchesAtMs(race, book, row) <= repricedMs);
  return priceList({
    race,
    book,
    atMs: repricedMs,
    readMs: repricedMs - drawn(race, book.index, 3, book.priceLagMs),
    open: repricedMs >= opensAtMs(race, book),
    gone,
  });
}

/**
 * Books reprice in steps: every ten minutes far out, every minute inside three hours, every 20 seconds near the jump;
 * and immediately when they scratch a runner, because the remaining prices would otherwise be worth less than the whole
 * market.
 */
function lastRepricing(race: Race, book: BookProfile, atMs: number): number {
  const toStartMs = firstStartMs(race) - atMs;
  const stepMs = toStartMs > 3 * 3_600_000 ? 600_000 : toStartMs > 15 * 60_000 ? 60_000 : 20_000;
  const offsetMs = mix(race.seed, 906, book.index) % stepMs;
  const steppedMs = Math.floor((atMs - offsetMs) / stepMs) * stepMs + offsetMs;
  return race.story.scratchings.reduce((latest, row) => {
    const scratchedMs = scratchesAtMs(race, book, row);
    return scratchedMs <= atMs && scratchedMs > latest ? scratchedMs : latest;
  }, steppedMs);
}

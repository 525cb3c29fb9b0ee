// A presented race, serialised once except for its ages, with the times that its ages are computed from. Plain data: it
// can be cached, shared between processes and completed with new ages every second.
import { createHash } from 'node:crypto';
import type { BoardBook, BoardRace } from '../../store/reads/races/board';
import { type AgedJson, agedJson, filledLength, hole, type Members, membersOf, writeFilled } from './aged-json';
import {
  type Polled,
  type QuoteFreshness,
  quoteFreshness,
  quoteMembers,
  raceFreshness,
  secsToJump,
} from './present-freshness';

/** The JSON of a race without its ages. */
export interface RaceText {
  /** One hole per book of the race, in order; the hole after them is for the race's own ages. */
  readonly json: AgedJson;
  /** Indexes of books: those that count for the race's age, and those that it shows. */
  readonly counted: readonly number[];
  readonly shown: readonly number[];
  readonly tag: string;
}

export interface AgedRace extends RaceText {
  readonly startMs: number;
  readonly books: readonly Polled[];
}

/** Holes for the ages of a race and of its quotes. */
export interface AgeHoles {
  readonly race: ReturnType<typeof raceFreshness>;
  quote(book: BoardBook): QuoteFreshness;
}

export interface PresentedRace {
  readonly wire: object;
  readonly counted: Iterable<BoardBook>;
  readonly shown: Iterable<BoardBook>;
}

export function raceText({ books }: BoardRace, present: (holes: AgeHoles) => PresentedRace): RaceText {
  const places = new Map(books.map((book, i) => [book, i]));
  const placesOf = (some: Iterable<BoardBook>) => Array.from(some, (book) => places.get(book)!);
  const holes = books.map((_, i) => hole<QuoteFreshness>(i));
  const { wire, counted, shown } = present({
    race: hole(books.length),
    quote: (book) => holes[places.get(book)!]!,
  });
  const json = JSON.stringify(wire);
  const tag = createHash('sha1').update(json).digest('base64url');
  return { json: agedJson(json), counted: placesOf(counted), shown: placesOf(shown), tag };
}

/** Adds the times that the ages are computed from. */
export function agedRace({ startMs, books }: BoardRace, text: RaceText): AgedRace {
  return { ...text, startMs, books: books.map(({ bookmaker, polledAtMs }) => ({ bookmaker, polledAtMs })) };
}

export interface SerialisedRaces {
  readonly bytes: Buffer;
  /** See `Reply`. */
  readonly tagged: string;
  readonly dataAgeSeconds: number | null;
}

/**
 * The races with their ages at `nowMs`. `cacheAgeSeconds`: how long ago they were read; null if they were read for this
 * request.
 */
export function serialiseRaces(
  races: readonly AgedRace[],
  nowMs: number,
  cacheAgeSeconds: number | null,
): SerialisedRaces {
  let dataAgeSeconds: number | null = null;
  const members = races.map((one) => {
    const fresh = one.books.map((book) => quoteFreshness(book, one.startMs, nowMs));
    const counted = one.counted.map((i) => fresh[i]!);
    const shown = new Map(one.shown.map((i) => [one.books[i]!.bookmaker, fresh[i]!]));
    const race = raceFreshness(counted, shown, secsToJump(one.startMs, nowMs), cacheAgeSeconds);
    if (race.data_age_seconds !== null) dataAgeSeconds = Math.max(dataAgeSeconds ?? 0, race.data_age_seconds);
    return [...fresh.map(quoteMembers), membersOf(race)];
  });
  const tagged = races.map(({ tag }, i) => [tag, ...members[i]!].join()).join();
  return { bytes: bytesOf(races, members), tagged, dataAgeSeconds };
}

/** A JSON array of the races. */
function bytesOf(races: readonly AgedRace[], members: readonly Members[]): Buffer {
  const lengths = races.map((race, i) => filledLength(race.json, members[i]!));
  const out = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 2 + Math.max(0, races.length - 1)));
  let at = out.write('[');
  races.forEach((race, i) => {
    if (i > 0) at += out.write(',', at);
    at = writeFilled(race.json, members[i]!, out, at);
  });
  out.write(']', at);
  return out;
}

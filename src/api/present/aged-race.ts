// A race of an answer, written once but for its ages, with all that the ages follow from. Plain data: it may be held, shared by
// processes and said again every second.
import { createHash } from 'node:crypto';
import type { BoardBook, BoardRace } from '../../store/reads/board';
import { type AgedJson, agedJson, fill, hole, membersOf } from './aged-json';
import { type Polled, type QuoteFreshness, quoteFreshness, raceFreshness, secsToJump } from './freshness';

export interface AgedRace {
  readonly startMs: number;
  /** A hole each, in this order; the race's own ages are the hole after them. */
  readonly books: readonly Polled[];
  /** Places in `books`: those that count for the race's age, and those that it shows. */
  readonly counted: readonly number[];
  readonly shown: readonly number[];
  readonly json: AgedJson;
  /** Over what is said but for the ages. */
  readonly tag: string;
}

/** Where the ages will stand. */
export interface AgeHoles {
  readonly race: ReturnType<typeof raceFreshness>;
  quote(book: BoardBook): QuoteFreshness;
}

export interface RaceText {
  readonly wire: object;
  readonly counted: Iterable<BoardBook>;
  readonly shown: Iterable<BoardBook>;
}

export function agedRace({ books, startMs }: BoardRace, present: (holes: AgeHoles) => RaceText): AgedRace {
  const places = new Map(books.map((book, i) => [book, i]));
  const placesOf = (some: Iterable<BoardBook>) => Array.from(some, (book) => places.get(book)!);
  const holes = books.map((_, i) => hole<QuoteFreshness>(i));
  const text = present({ race: hole(books.length), quote: (book) => holes[places.get(book)!]! });
  const json = agedJson(text.wire);
  return {
    startMs,
    books: books.map(({ bookmaker, polledAtMs }) => ({ bookmaker, polledAtMs })),
    counted: placesOf(text.counted),
    shown: placesOf(text.shown),
    json,
    tag: createHash('sha1').update(json.pieces.join('\n')).update(json.holes.join()).digest('base64url'),
  };
}

export interface Said {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly dataAgeSeconds: number | null;
}

/** The races with their ages at `nowMs`. `heldSeconds`: how long ago they were read; null: for this answer. */
export function sayRaces(races: readonly AgedRace[], nowMs: number, heldSeconds: number | null): Said {
  const tag = createHash('sha1');
  let oldest: number | null = null;
  const texts = races.map((one) => {
    const fresh = one.books.map((book) => quoteFreshness(book, one.startMs, nowMs));
    const counted = one.counted.map((i) => fresh[i]!);
    const shown = new Map(one.shown.map((i) => [one.books[i]!.bookmaker, fresh[i]!]));
    const race = raceFreshness(counted, shown, secsToJump(one.startMs, nowMs), heldSeconds);
    if (race.data_age_seconds !== null) oldest = Math.max(oldest ?? 0, race.data_age_seconds);
    tag.update(one.tag + race.refresh_tier + race.stale + fresh.map((quote) => quote.refresh_tier + quote.stale));
    return fill(one.json, [...fresh.map(membersOf), membersOf(race)]);
  });
  return { bytes: Buffer.from(`[${texts.join(',')}]`), tag: tag.digest('base64url'), dataAgeSeconds: oldest };
}

// What the conformance suite needs to know about a book: its replies for one plain description, and the gaps of its
// format. A book's own file composes the replies in its documented format; nothing here depends on a particular book.

export interface Served {
  readonly body: string | Buffer;
  /** Absent: JSON. */
  readonly type?: string;
  readonly status?: number;
}

/** Replies to any call of the book, by path and query (and body of a POST). */
export type Answers = (url: string, body: string) => Served;

/** Values that a book's format lacks, or cannot prove: the suite expects null there, or skips the test. */
export type Lack =
  /** Runners are joined by name. */
  | 'runnerNumber'
  | 'place'
  | 'barrier'
  | 'jockey'
  | 'trainer'
  | 'weight'
  | 'form'
  | 'tote'
  /** The race reply does not report scratchings. */
  | 'scratchings'
  | 'marketStatus'
  /** The race reply has no advertised start. */
  | 'start'
  | 'listStart'
  | 'raceNumber'
  /** The list has no country at all. */
  | 'country'
  /** The list marks Australia, but not which country a meeting abroad is in. */
  | 'countryAbroad'
  /** The list is requested by country, and only for Australia and New Zealand. */
  | 'abroad'
  /** The list has only future races. */
  | 'past'
  /** Not every place price can be proven to belong to its runner. */
  | 'everyPlace'
  /** The list has no JSON rows among which one could be unreadable. */
  | 'strayRows'
  /** The connector sends no validators: replies are never conditional, or come from several calls. */
  | 'etag'
  /** A price is neither a number nor a text of one (a fraction, an amount of ticks, a ladder). */
  | 'textPrices';

/** One runner of race 1. `win`: 0 = the book's "none", undefined = the field is missing, anything else as sent. */
export interface PlainRunner {
  readonly number: number;
  readonly name: string;
  readonly win?: unknown;
  readonly scratched?: boolean;
}

/** A meeting of one race (number 1, at `ABROAD_START`, horses); the book writes the country as it writes countries. */
export interface Abroad {
  readonly venue: string;
  /** ISO 3166 alpha-2. `XX`: no country, in the book's own notation. */
  readonly country: 'GB' | 'US' | 'JP' | 'XX';
}

export interface Book {
  readonly key: string;
  readonly sourceRaceId: string;
  /** Every path called for the list of 2026-11-21, and for race 1. */
  readonly listPaths: readonly string[];
  readonly racePaths: readonly string[];
  /** Whether the race reply itself contains its time (`STAMP`). */
  readonly stamped: boolean;
  /** It reports play in running, which no other book does. */
  readonly exchange?: true;
  readonly lacks: ReadonlySet<Lack>;
  /**
   * Races 1 and 2 at `STARTS` of 21 November 2026, Flemington, Australia, horses; `more` is appended to the races
   * unchanged, `abroad` to the meetings.
   */
  list(more?: readonly unknown[], abroad?: readonly Abroad[]): Answers;
  /** Race 1, open. Every runner has `FACTS` if the format has fields for them. */
  race(runners: readonly PlainRunner[]): Answers;
  /** The body of a page with an undocumented part. Absent: the body is JSON. */
  decorate?(body: string): string;
}

export const DAY = '2026-11-21';
export const STARTS = ['2026-11-21T04:00:00.000Z', '2026-11-21T04:40:00.000Z'] as const;
export const ABROAD_START = '2026-11-21T12:30:00.000Z';
/** The stamp of a stamped book's replies, as the service reads it. */
export const STAMP = '2026-11-21T03:59:30.123Z';

/** The values of every runner besides its win price. The barrier is its number plus one. */
export const FACTS = { place: 1.5, jockey: 'J Rider', trainer: 'T Trainer', weightKg: 57, form: '6x12' } as const;
export const barrierOf = (runner: PlainRunner): number => runner.number + 1;

/** The same JSON for every call. */
export const always =
  (value: unknown): Answers =>
  () => ({ body: JSON.stringify(value) });

export const page =
  (html: string): Answers =>
  () => ({ body: html, type: 'text/html; charset=utf-8' });

/** The first path prefix that matches answers; 404 otherwise. For books that need several calls. */
export const routes =
  (table: Readonly<Record<string, Answers>>): Answers =>
  (url, body) => {
    const found = Object.entries(table).find(([part]) => url.includes(part));
    return found ? found[1](url, body) : { body: '{"message":"no such path"}', status: 404 };
  };

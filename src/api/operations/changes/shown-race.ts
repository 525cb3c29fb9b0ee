// A race as the stream shows it: like in `next-to-go`, in parts that are compared. Its ages are not part of it. Pure.
import type { Static } from '@sinclair/typebox';
import type { BoardBook, BoardRace } from '../../../store/reads/races/board';
import { CUSTOMERS, marketStateFor } from '../../kernel/endpoint/visibility';
import { type AgeHoles, agedRace, type RaceText, raceText, serialiseRaces } from '../../wire/aged-race';
import { quoteFreshness } from '../../wire/present-freshness';
import { marketState } from '../../wire/present-race';
import { RACE_STATUS } from '../../wire/race-schema';
import type { BetslipLookup } from '../betslip/present-betslip';
import type { NextRace } from '../prices/next-to-go-schema';
import { presentNext } from '../prices/present-next-race';

type Wire = Static<typeof NextRace>;
type Quote = Wire['runners'][number]['bookmakers'][number];

interface ShownQuote {
  readonly name: string;
  readonly number: number;
  readonly quote: Quote;
  readonly text: string;
}

/** Shared by versions of a race that differ only in their ages. */
interface Content {
  /** What a change repeats, and what it adds if any of the two differs. */
  readonly head: object;
  readonly more: object;
  readonly headText: string;
  readonly runnersText: string;
  /** By number and book. */
  readonly quotes: ReadonlyMap<string, ShownQuote>;
  /** Keys of the books that quote a runner. */
  readonly quoting: ReadonlySet<string>;
  whole: RaceText | null;
}

export interface ShownRace {
  readonly race: BoardRace;
  readonly links: BetslipLookup | null;
  readonly content: Content;
}

/** `before`: the same race at an earlier reading. */
export function shownRace(race: BoardRace, links: BetslipLookup | null, before?: ShownRace): ShownRace {
  const isSame = before && before.links === links && differsInAgesOnly(before.race, race);
  return { race, links, content: isSame ? before.content : contentOf(race, links) };
}

/** The cached board shares unchanged objects. */
export function differsInAgesOnly(a: BoardRace, b: BoardRace): boolean {
  if (a === b) return true;
  if (a.books.length !== b.books.length) return false;
  for (const name in b) if (name !== 'books' && a[name as keyof BoardRace] !== b[name as keyof BoardRace]) return false;
  return b.books.every((book, i) => samePrices(a.books[i]!, book));
}

function samePrices(a: BoardBook, b: BoardBook): boolean {
  for (const name in b)
    if (name !== 'polledAtMs' && a[name as keyof BoardBook] !== b[name as keyof BoardBook]) return false;
  return true;
}

const NO_AGES: AgeHoles = { race: {} as AgeHoles['race'], quote: () => ({}) as ReturnType<AgeHoles['quote']> };

function contentOf(race: BoardRace, links: BetslipLookup | null): Content {
  const { wire, shown } = presentNext(race, CUSTOMERS, NO_AGES, links);
  const { runners, ...facts } = wire as Wire;
  const { market_status, inplay } = marketStateFor(CUSTOMERS, marketState(race));
  const { race_id, venue, race_number, category, country, start_time, scratchings, ...others } = facts;
  const { market_closed_at, inplay_at, market_state_source, ...rest } = others;
  const { track_condition_changed_at, track_condition, weather, ...more } = rest;
  const head = {
    ...{ race_id, venue, race_number, category, country, start_time, status: RACE_STATUS, market_status, inplay },
    ...{ market_closed_at, inplay_at, market_state_source, scratchings },
    ...{ track_condition_changed_at, track_condition, weather },
  };
  const quotes = new Map<string, ShownQuote>();
  for (const { name, number, bookmakers } of runners)
    for (const quote of bookmakers)
      quotes.set(`${number} ${quote.key}`, { name, number, quote, text: JSON.stringify(quote) });
  return {
    head,
    more,
    headText: JSON.stringify([head, more]),
    runnersText: JSON.stringify(runners.map(({ bookmakers: _, ...runner }) => runner)),
    quotes,
    quoting: new Set(Array.from(shown, ({ bookmaker }) => bookmaker)),
    whole: null,
  };
}

/** The JSON of the race as `next-to-go` reports it at `nowMs`. */
export function wholeText({ race, links, content }: ShownRace, nowMs: number): Buffer {
  content.whole ??= raceText(race, (holes) => presentNext(race, CUSTOMERS, holes, links));
  return serialiseRaces([agedRace(race, content.whole)], nowMs, null).bytes.subarray(1, -1);
}

/** What to send about a race that a client has: nothing, its changed rows, or all of it. */
export type Difference = { readonly kind: 'none' | 'whole' } | { readonly kind: 'rows'; readonly text: string };

const NONE: Difference = { kind: 'none' };
const WHOLE: Difference = { kind: 'whole' };

/**
 * Runners that came, went or changed in more than price make the race a new one: rows name runners that the client has.
 */
export function differenceOf(before: ShownRace, after: ShownRace, nowMs: number): Difference {
  const [was, is] = [before.content, after.content];
  if (was === is) return NONE;
  if (was.runnersText !== is.runnersText) return WHOLE;
  const rows = [...changedRows(before, after, nowMs)];
  const isSameHead = was.headText === is.headText;
  if (rows.length === 0 && isSameHead) return NONE;
  const race = { ...is.head, ...(!isSameHead && is.more), changed_runners: rows };
  return { kind: 'rows', text: JSON.stringify(race) };
}

function* changedRows(before: ShownRace, after: ShownRace, nowMs: number): Generator<object> {
  const [was, is] = [before.content.quotes, after.content.quotes];
  const isLinked = after.links !== null;
  for (const [id, shown] of is) if (was.get(id)?.text !== shown.text) yield rowOf(shown, after.race, nowMs);
  for (const [id, { name, number, quote }] of was)
    if (!is.has(id)) yield rowOf({ name, number, quote: withdrawn(quote.key, isLinked) }, after.race, nowMs);
}

const NO_LINKS = { betslip_win_url: null, betslip_place_url: null, betslip_app_only: null };

const withdrawn = (key: Quote['key'], isLinked: boolean) =>
  ({ key, win_price: null, ...(isLinked && NO_LINKS) }) as Quote;

/** An unquoted leg is null here. */
function rowOf({ name, number, quote }: Omit<ShownQuote, 'text'>, race: BoardRace, nowMs: number): object {
  const { key, win_price, place_price, top2_price, top3_price, top4_price, tote_win, source_url, ...links } = quote;
  const book = race.books.find(({ bookmaker }) => bookmaker === key) ?? { bookmaker: key, polledAtMs: nowMs };
  const { last_update, refresh_tier, age_basis } = quoteFreshness(book, race.startMs, nowMs);
  return {
    name,
    number,
    bookmaker_key: key,
    win_price,
    place_price: place_price ?? null,
    top2_price: top2_price ?? null,
    top3_price: top3_price ?? null,
    top4_price: top4_price ?? null,
    updated_at: last_update,
    ...links,
    tote_win: tote_win ?? null,
    source_url: source_url ?? null,
    refresh_tier,
    age_basis,
  };
}

/** How fresh each quoting book is, by its key, as text that changes with a poll and with the tier. */
export function freshnessOf({ race, content }: ShownRace, nowMs: number): ReadonlyMap<string, string> {
  const books = race.books.filter(({ bookmaker }) => content.quoting.has(bookmaker));
  return new Map(
    books.map((book) => {
      const { last_update, refresh_tier } = quoteFreshness(book, race.startMs, nowMs);
      return [book.bookmaker, JSON.stringify({ key: book.bookmaker, last_update, refresh_tier })];
    }),
  );
}

export const freshText = (raceId: string, books: Iterable<string>): string =>
  `{"race_id":"${raceId}","books":[${[...books].join()}]}`;

/** For all its quoting books. */
export const freshTextOf = (raceId: string, shown: ShownRace, nowMs: number): string =>
  freshText(raceId, freshnessOf(shown, nowMs).values());

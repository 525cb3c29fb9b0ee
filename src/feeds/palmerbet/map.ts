// Maps Palmerbet, pure. Anything but `Open` is closed, and a closed race has no prices.
// Only the winner of a result is documented. That is not the placings (A 2.11 wants all placegetters, and one row would
// look like all of them), so it is counted and no result is reported.
import type { BookListing, BookSnapshot, FeedRunner } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { Day } from '../../domain/race/race';
import { countryOfAlpha2, splitCountryTag } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { asRow, countOf, idOf, instantOf, type JsonObject, listOf, rowOf, textOf } from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import type { PalmerbetType } from './payload';
import { CATEGORIES, palmerbetRaceId, parsePalmerbetRaceId } from './race-id';

/** One code's list. `day`: the requested day, in the book's calendar. */
export function mapMeetings(payload: unknown, day: Day, type: PalmerbetType): Mapped<readonly BookListing[]> | null {
  const meetings = asRow(payload)?.meetings;
  if (!Array.isArray(meetings)) return null;
  const drops = countDrops();
  const value = meetings.flatMap((meeting) => racesOfMeeting(asRow(meeting), day, type, drops));
  return { value, bookAt: null, dropped: drops.counts() };
}

function racesOfMeeting(row: JsonObject | null, day: Day, type: PalmerbetType, drops: Drops): BookListing[] {
  const races = listOf(row?.races);
  const title = textOf(rowOf(row?.venue).title);
  if (!row || !title) {
    drops.add(row ? 'venue_missing' : 'meeting_unreadable', Math.max(1, races.length));
    return [];
  }
  const { country, venue } = placeOf(title, textOf(row.country));
  if (country === null) drops.add('country_unknown');
  return races.flatMap((raw) => {
    const race = raceOf(asRow(raw), { day, type, venue: title }, drops);
    return race ? [{ ...race, category: CATEGORIES[type], venue, country }] : [];
  });
}

/**
 * The list's own country, otherwise that of a foreign venue's tag: the race keeps its id if the list names the country
 * later (A 2.1). A tag that contradicts the country is part of the name.
 */
function placeOf(title: string, code: string | null): { readonly country: string | null; readonly venue: string } {
  const tagged = splitCountryTag(title);
  const country = countryOfAlpha2(code) ?? tagged.country;
  return { country, venue: tagged.country === country ? tagged.venue : title };
}

type RacePart = Omit<BookListing, 'category' | 'venue' | 'country'>;

function raceOf(
  row: JsonObject | null,
  meeting: { day: Day; type: PalmerbetType; venue: string },
  drops: Drops,
): RacePart | null {
  const raceNumber = countOf(row?.number);
  const startTime = instantOf(row?.startTime);
  if (!row || !raceNumber || !startTime) {
    drops.add(row ? (raceNumber ? 'start_unreadable' : 'race_number_unreadable') : 'race_unreadable');
    return null;
  }
  const linked = parsePalmerbetRaceId(textOf(asRow(listOf(row._links)[0])?.href) ?? '');
  // If the link is missing or belongs to another race, the documented path is built from the list's own fields.
  const id = linked?.raceNumber === raceNumber ? linked : { ...meeting, raceNumber };
  const facts = { raceName: textOf(row.title), distanceM: null, trackCondition: null, weather: null };
  return { sourceRaceId: palmerbetRaceId(id), meetingDate: id.day, raceNumber, startTime, ...facts };
}

/** The first of a race's two replies, up to what the second call needs. */
export interface RaceCard {
  readonly open: boolean | null;
  readonly rows: readonly unknown[];
  /** Null if there are no prices to fetch: the race is closed, or shows no winner market. */
  readonly winMarketId: string | null;
  readonly winners: number;
}

export function readRace(payload: unknown): RaceCard | null {
  const race = asRow(asRow(payload)?.race);
  if (!race || !Array.isArray(race.runners)) return null;
  const status = textOf(race.status);
  return {
    open: status === null ? null : status === 'Open',
    rows: race.runners,
    winMarketId: status === 'Open' ? winMarketOf(listOf(race.markets)) : null,
    winners: listOf(rowOf(race.result).first).length,
  };
}

/** Found by its title; otherwise by the ending of its type, if only one market has it. */
function winMarketOf(markets: readonly unknown[]): string | null {
  const rows = markets.map(rowOf);
  const titled = rows.find((market) => textOf(market.title) === 'Win');
  const typed = rows.filter((market) => textOf(market.type)?.endsWith('Win'));
  return idOf((titled ?? (typed.length === 1 ? typed[0] : undefined))?.id);
}

/** The second reply's runners with prices (`outcomes` on the wire). */
export function readMarket(payload: unknown): readonly unknown[] | null {
  const outcomes = asRow(asRow(payload)?.market)?.outcomes;
  return Array.isArray(outcomes) ? outcomes : null;
}

export function mapRace(card: RaceCard, outcomes: readonly unknown[], sourceRaceId: string): Mapped<BookSnapshot> {
  const drops = countDrops();
  drops.add('winner_without_placings', card.winners);
  if (card.open && card.winMarketId === null) drops.add('win_market_missing');
  const prices = pricesOf(outcomes, drops);
  const runners = runnersOf(card.rows, prices, drops);
  const numbers = new Set(card.rows.map((row) => countOf(asRow(row)?.number)));
  drops.add('outcome_unjoined', [...prices.keys()].filter((number) => !numbers.has(number)).length);
  const marketStatus = card.open === null ? null : card.open ? 'OPEN' : 'CLOSED';
  const absent = { startTime: null, inPlay: null, result: null, sourceUrl: null };
  const value: BookSnapshot = { sourceRaceId, facts: NO_FACTS, marketStatus, runners, ...absent };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** Fixed prices as sent, by saddlecloth number; null for a runner that cannot be backed. */
function pricesOf(outcomes: readonly unknown[], drops: Drops): ReadonlyMap<number, unknown> {
  const prices = new Map<number, unknown>();
  for (const raw of outcomes) {
    const outcome = rowOf(raw);
    const number = countOf(outcome.runnerNumber);
    if (number === null) drops.add('outcome_unreadable');
    else if (prices.has(number)) drops.add('outcome_repeated');
    else prices.set(number, outcome.status === 'Active' ? fixedOf(listOf(outcome.prices)) : null);
  }
  return prices;
}

function fixedOf(prices: readonly unknown[]): unknown {
  const fixed = prices.map(rowOf).find((price) => price.name === 'Fixed');
  return rowOf(fixed?.priceSnapshot).current;
}

const KEYS = { number: ['number'], name: 'name' } as const;

function runnersOf(rows: readonly unknown[], prices: ReadonlyMap<number, unknown>, drops: Drops): FeedRunner[] {
  return readRunners(
    rows,
    KEYS,
    (row, number, name) => {
      const scratched = row.isScratched === true;
      const legs = winAndPlace(prices.get(number), null, scratched, drops);
      return { number, name, ...NO_DETAILS, scratching: scratched ? OUT : null, ...legs };
    },
    drops,
  );
}

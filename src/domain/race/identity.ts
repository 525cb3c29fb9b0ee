// Which race this is (D17): one id per race, the same from every book and after a restart.
// Never guesses: a listing that could be either of two races is refused as ambiguous, for the caller to log and count.
import type { BookListing, ListedRace } from './feed-race';
import type { Instant, RaceIdentity } from './race';
import { uuidOf } from './uuid';
import { isSecondCard, resolveVenue, type Venue } from './venue';

/** A stored race that a listed race may join. */
export interface JoinCandidate {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly startTime: Instant;
}

export type Placement =
  | { readonly kind: 'known'; readonly raceId: string; readonly identity: RaceIdentity; readonly venue: Venue }
  | { readonly kind: 'new'; readonly identity: RaceIdentity; readonly venue: Venue }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly JoinCandidate[]; readonly venue: Venue };

const JOIN_WITHIN_MS = 30 * 60_000;
/**
 * Without a number only the start distinguishes a meeting's races: books differ by a minute, races by fifteen or more.
 */
const SAME_START_MS = 2 * 60_000;
/** The namespace of every race id (RFC 9562, 5.5). Changing it changes every id ever published. */
const NAMESPACE = '6f2a1c1e-8a53-4d0b-9c57-3e1b7d0f4a21';

/**
 * The race's UUID, version 5 (RFC 9562), from `day/category/venue_id/number/card`. All parts are ASCII, since venue ids
 * are slugs.
 */
export function raceIdOf(identity: RaceIdentity): string {
  const { meetingDate, category, venueId, raceNumber, card } = identity;
  const name = [meetingDate, category, venueId, raceNumber, card].join('/');
  return uuidOf(NAMESPACE, name);
}

const apart = (a: Instant, b: Instant): number => Math.abs(Date.parse(a) - Date.parse(b));

type Place = Pick<RaceIdentity, 'category' | 'venueId' | 'raceNumber'>;
const samePlace = (a: Place, b: Place): boolean =>
  a.category === b.category && a.venueId === b.venueId && a.raceNumber === b.raceNumber;

/**
 * Places a book's listed race among the races already stored.
 *
 * A listed race is a stored race if category, canonical venue and number agree and the advertised start is within 30
 * minutes, whatever day or card either side states: the start outranks both. Otherwise it is new, on card 1, with two
 * exceptions:
 * - a list that marks a second card itself (`BALLARAT EXTRA`) means card 2;
 * - if the same book lists the number twice at the venue that day, its rows take the free cards in order, unmarked
 *   before marked, then by start.
 * A stored race of that day, venue, number and card that no row of the list accounts for may be this one with a moved
 * start, so the listing is ambiguous. A row that repeats another row's start is ambiguous too, without candidates: no
 * track starts two races at once.
 *
 * Two books that list a race in the same way derive the same card independently. If they differ (one marks a second
 * card, one does not), the first one saved decides the card and the other joins it by start. Stored races are never
 * deleted, so a restart finds the same card again.
 *
 * @param candidates races of the meeting's day and its neighbours, any venue
 * @param sameBook the book's whole list; without it only a mark identifies a second card
 */
export function placeRace(
  listed: ListedRace,
  candidates: readonly JoinCandidate[],
  sameBook: readonly ListedRace[] = [],
): Placement {
  const venue = resolveVenue(listed.venue, listed.category, listed.country);
  const place = { category: listed.category, venueId: venue.venueId, raceNumber: listed.raceNumber };
  const rows = [listed, ...twinsOf(listed, place, sameBook)];
  const atPlace = candidates.filter((c) => samePlace(c.identity, place));
  if (rows.some((row) => isRepeat(listed, row))) return { kind: 'ambiguous', candidates: [], venue };
  const near = atPlace.filter((c) => fits(listed, c, rows));
  if (near.length === 1) return { kind: 'known', raceId: near[0]!.raceId, identity: near[0]!.identity, venue };
  if (near.length > 1) return { kind: 'ambiguous', candidates: near, venue };
  const sameDay = atPlace.filter((c) => c.identity.meetingDate === listed.meetingDate);
  const clashes = clashesOf(listed, rows, sameDay);
  if (clashes.length > 0) return { kind: 'ambiguous', candidates: clashes, venue };
  const card = cardOf(listed, rows, sameDay);
  return { kind: 'new', identity: { meetingDate: listed.meetingDate, ...place, card }, venue };
}

/**
 * Joins a row that lacks its number or its start to a race that others list: same category and venue, the same number
 * that day if the row has one, a start within two minutes if it has one. Null if no race matches. The race is never
 * new: such a row does not identify one.
 */
export function joinListing(
  listing: BookListing,
  candidates: readonly JoinCandidate[],
): Exclude<Placement, { kind: 'new' }> | null {
  const venue = resolveVenue(listing.venue, listing.category, listing.country);
  const { raceNumber, startTime } = listing;
  if (raceNumber === null && startTime === null) return null;
  const found = candidates.filter(
    ({ identity, startTime: candidateStart }) =>
      identity.category === listing.category &&
      identity.venueId === venue.venueId &&
      identity.meetingDate === listing.meetingDate &&
      (raceNumber === null || identity.raceNumber === raceNumber) &&
      (startTime === null || apart(candidateStart, startTime) <= SAME_START_MS),
  );
  if (found.length > 1) return { kind: 'ambiguous', candidates: found, venue };
  const [one] = found;
  return one ? { kind: 'known', raceId: one.raceId, identity: one.identity, venue } : null;
}

/** The book's other rows for this day, venue and number: evidence of a second card. */
function twinsOf(listed: ListedRace, place: Place, sameBook: readonly ListedRace[]): readonly ListedRace[] {
  return sameBook.filter(
    (other) =>
      other.sourceRaceId !== listed.sourceRaceId &&
      other.meetingDate === listed.meetingDate &&
      other.category === place.category &&
      other.raceNumber === place.raceNumber &&
      resolveVenue(other.venue, other.category, other.country).venueId === place.venueId,
  );
}

/** Within 30 minutes, and no other row of the book's list has the better claim: a candidate never takes two rows. */
function fits(row: ListedRace, candidate: JoinCandidate, rows: readonly ListedRace[]): boolean {
  const gap = apart(row.startTime, candidate.startTime);
  return gap <= JOIN_WITHIN_MS && !rows.some((other) => hasBetterClaim(other, row, candidate, gap));
}

function hasBetterClaim(other: ListedRace, row: ListedRace, candidate: JoinCandidate, gap: number): boolean {
  const otherGap = apart(other.startTime, candidate.startTime);
  return otherGap < gap || (otherGap === gap && isBefore(other, row));
}

const isRepeat = (listed: ListedRace, row: ListedRace): boolean =>
  apart(listed.startTime, row.startTime) === 0 && isBefore(row, listed);

/** Stored races of the day that no row of the list accounts for and that this row might be. */
function clashesOf(
  listed: ListedRace,
  rows: readonly ListedRace[],
  sameDay: readonly JoinCandidate[],
): readonly JoinCandidate[] {
  const unexplained = sameDay.filter((c) => !rows.some((row) => fits(row, c, rows)));
  if (isSecondCard(listed.venue)) return unexplained.filter((c) => c.identity.card > 1);
  return rows.length > 1 ? unexplained : unexplained.filter((c) => c.identity.card === 1);
}

/**
 * Unmarked before marked, then by start, then by the book's id: a total order, so two rows of a list never share a
 * card.
 */
function compareRows(a: ListedRace, b: ListedRace): number {
  return (
    Number(isSecondCard(a.venue)) - Number(isSecondCard(b.venue)) ||
    Date.parse(a.startTime) - Date.parse(b.startTime) ||
    compareText(a.sourceRaceId, b.sourceRaceId)
  );
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const isBefore = (a: ListedRace, b: ListedRace): boolean => compareRows(a, b) < 0;

/**
 * Assigns the cards that no stored race has to the new rows of the list in order, up to this row; a marked row never
 * gets a card below 2.
 */
function cardOf(listed: ListedRace, rows: readonly ListedRace[], sameDay: readonly JoinCandidate[]): number {
  const taken = new Set(sameDay.map((c) => c.identity.card));
  let card = 0;
  for (const row of rows.filter((r) => !sameDay.some((c) => fits(r, c, rows))).sort(compareRows)) {
    card = Math.max(card + 1, isSecondCard(row.venue) ? 2 : 1);
    while (taken.has(card)) card++;
    if (row.sourceRaceId === listed.sourceRaceId) break;
  }
  return card;
}

// Joins one book's list of a day, from discovery or a push, to races (D17). Never guesses: a row that could be two
// races is refused. A row without its number or its start only joins a race that other books list.
import type { BookListing, ListedRace } from '../../domain/race/feed-race';
import { type JoinCandidate, joinListing, placeRace, raceIdOf } from '../../domain/race/identity';
import type { Day, Instant } from '../../domain/race/race';
import { addDays } from '../../domain/time/aet';
import type { CardChange, PlacedRace } from './card';
import type { RaceStore } from './races';

export interface RefusedListing {
  readonly listing: BookListing;
  /** `race_renumbered`: the book's own ids now stand for other races under the same numbers. */
  readonly reason: 'ambiguous_race' | 'race_not_listed_elsewhere' | 'race_renumbered';
  readonly candidates: readonly string[];
}

export interface PlacedCard {
  readonly placed: readonly PlacedRace[];
  readonly refused: readonly RefusedListing[];
  readonly changes: readonly CardChange[];
}

/** `day` is the list's Sydney day; races of the days before and after are joined too. */
export async function placeCard(
  races: RaceStore,
  bookmakerKey: string,
  day: Day,
  listings: readonly BookListing[],
  at: Instant,
): Promise<PlacedCard> {
  if (listings.length === 0) return { placed: [], refused: [], changes: [] };
  const days = [addDays(day, -1), day, addDays(day, 1)];
  const [candidates, links] = await Promise.all([races.joinCandidates(days), races.linksOf(bookmakerKey, days)]);
  const whole = listings.filter(isWhole);
  const isRenumbered = renumbering(listings, links);
  const found = listings.map((listing) => {
    const place = placeOne(listing, whole, candidates);
    if (!('raceId' in place) || !isRenumbered(place)) return place;
    return { listing, reason: 'race_renumbered' as const, candidates: [place.raceId] };
  });
  const placed = found.filter((each): each is PlacedRace => 'raceId' in each);
  const refused = found.filter((each): each is RefusedListing => 'reason' in each);
  const changes = placed.length > 0 ? await races.saveCard(bookmakerKey, placed, at) : [];
  return { placed, refused, changes };
}

/**
 * Whether a row contradicts the book's links so far: its id belongs to another race, or the race has another id that is
 * still on the list. An id follows its race through a change of numbers; a number does not. An id that left the list
 * may be replaced.
 */
function renumbering(listings: readonly BookListing[], links: ReadonlyMap<string, string>) {
  const listed = new Set(listings.map((listing) => listing.sourceRaceId));
  const idOf = new Map([...links].filter(([source]) => listed.has(source)).map(([source, race]) => [race, source]));
  return ({ raceId, listed: { sourceRaceId } }: PlacedRace): boolean =>
    (links.get(sourceRaceId) ?? raceId) !== raceId || (idOf.get(raceId) ?? sourceRaceId) !== sourceRaceId;
}

const isWhole = (listing: BookListing): listing is ListedRace =>
  listing.raceNumber !== null && listing.startTime !== null;

function placeOne(
  listing: BookListing,
  whole: readonly ListedRace[],
  candidates: readonly JoinCandidate[],
): PlacedRace | RefusedListing {
  const found = isWhole(listing) ? placeRace(listing, candidates, whole) : joinListing(listing, candidates);
  if (!found) return { listing, reason: 'race_not_listed_elsewhere', candidates: [] };
  if (found.kind === 'ambiguous') {
    return { listing, reason: 'ambiguous_race', candidates: found.candidates.map((each) => each.raceId) };
  }
  const { venueCanonical, venueSite } = found.venue;
  const raceId = found.kind === 'known' ? found.raceId : raceIdOf(found.identity);
  // A row without a start never moves the stored one.
  const startTime = listing.startTime ?? candidates.find((each) => each.raceId === raceId)!.startTime;
  const listed = { ...listing, raceNumber: found.identity.raceNumber, startTime };
  return { raceId, identity: found.identity, venueCanonical, venueSite, listed };
}

// Which races a venue name means: those whose feed spells it so, in any case, and those at a venue for which some feed
// has used that spelling (A 2.10 lists them).

/** Over `races r`; `names`: the placeholder of a list of names. */
export const venueMatches = (names: string): string => `(
  lower(r.venue) = ANY (SELECT lower(v) FROM unnest(${names}::text[]) v)
  OR r.venue_id = ANY (ARRAY(SELECT s.venue_id FROM venue_spellings s
    WHERE lower(s.spelling) = ANY (SELECT lower(v) FROM unnest(${names}::text[]) v))))`;

/**
 * Of the races that match one name, those that have it themselves, otherwise all: a venue's other spelling may be
 * another venue's name.
 */
export function nearestVenue<R extends { readonly venue: string }>(races: readonly R[], name: string): readonly R[] {
  const own = races.filter(({ venue }) => venue.toLowerCase() === name.toLowerCase());
  return own.length > 0 ? own : races;
}

// Which events a webhook wants, as SQL over `events e` and `webhooks w`: the arguments of `webhook_wants`, in one
// place.

/** Every spelling of the venue of `e`, in lower case. */
export const EVENT_VENUES = `array_append(
  ARRAY(SELECT lower(s.spelling) FROM races r JOIN venue_spellings s USING (venue_id) WHERE r.race_id = e.race_id), lower(e.facts ->> 'venue'))`;

/** The venues that `w` filters by, in lower case. */
export const OWN_VENUES = 'ARRAY(SELECT lower(v) FROM unnest(w.venues) v)';

/** By all filters of `w`, without checking the account of the event. `ownVenues`: a column, or nothing is inlined. */
export const wants = (ownVenues: string, eventVenues: string): string => `webhook_wants(
  w.events, w.sports, w.countries, ${ownVenues}, w.bookmakers, w.min_edge_pct, w.min_move_pct,
  e.kind, e.category, e.country, e.race_id, ${eventVenues}, e.facts)`;

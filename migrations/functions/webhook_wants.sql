-- Whether a webhook with these filters wants an event: the one text for the fan-out, replays and the list of events. `p_own_venues` and `p_venues`:
-- lower case, the latter all spellings of the event's venue. A filter applies to events that have what it filters by. A racing filter leaves out
-- sports, unless `events` or `sports` names them. Kinds that are newer than webhooks without `events` go only to those that name them.
-- Inlined: no subqueries.
CREATE OR REPLACE FUNCTION webhook_wants(
  p_events text[], p_sports text[], p_countries text[], p_own_venues text[], p_bookmakers text[], p_min_edge double precision,
  p_min_move double precision, p_kind text, p_category text, p_country text, p_race uuid, p_venues text[], p_facts jsonb
) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
           WHEN p_events <> '{}' THEN p_kind = ANY (p_events)
           WHEN p_kind = 'arb.opportunity' THEN
             (p_sports = '{}' AND p_countries = '{}' AND p_own_venues = '{}' AND p_bookmakers = '{}')
             OR NOT p_sports <@ '{racing_horse,racing_harness,racing_greyhound,horse,harness,greyhound}'
           ELSE p_kind NOT IN ('race.start_moved', 'race.track_changed', 'arb.corrected') AND NOT starts_with(p_kind, 'account.')
         END
     AND (p_sports = '{}' OR p_category IS NULL OR p_category = ANY (p_sports) OR 'racing_' || p_category = ANY (p_sports)
          OR (p_kind IN ('arb.opportunity', 'arb.corrected') AND p_sports <@ '{racing_horse,racing_harness,racing_greyhound,horse,harness,greyhound}'))
     AND (p_countries = '{}' OR p_race IS NULL OR coalesce(p_country = ANY (p_countries), false))
     AND (p_min_edge IS NULL OR p_kind NOT IN ('arb.opportunity', 'arb.corrected') OR (p_facts ->> 'edge_pct')::double precision >= p_min_edge)
     AND ((p_bookmakers = '{}' AND (p_min_move IS NULL OR p_kind <> 'odds.change')) OR event_at_books(p_kind, p_facts, p_bookmakers, p_min_move))
     AND CASE WHEN p_own_venues = '{}' OR p_race IS NULL THEN true ELSE p_own_venues && p_venues END
$$;

-- Whether an event is of one of these books (empty: of any), and its move of a price, if it is one, of at least so many percent of the price before
-- (null: any). One runner of an `odds.change` has both: its best price moved, and is one of theirs now. An arb, and its
-- correction, needs every leg at one of them.
-- Kinds without a book are of all.
CREATE OR REPLACE FUNCTION event_at_books(p_kind text, p_facts jsonb, p_bookmakers text[], p_min_move double precision)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE CASE p_kind WHEN 'arb.corrected' THEN 'arb.opportunity' ELSE p_kind END
    WHEN 'odds.change' THEN EXISTS (
      SELECT FROM jsonb_array_elements(p_facts -> 'runners') r
        CROSS JOIN LATERAL (SELECT (r #>> '{best_win,price}')::double precision AS now, (r ->> 'previous_price')::double precision AS before) price
       WHERE price.now IS DISTINCT FROM price.before
         AND (p_bookmakers = '{}' OR r #>> '{best_win,bookmaker}' = ANY (p_bookmakers))
         AND (p_min_move IS NULL OR round((abs(price.now / price.before - 1) * 100)::numeric, 6) >= p_min_move::numeric))
    WHEN 'race.odds_open' THEN p_bookmakers = '{}' OR p_facts -> 'bookmakers' ?| p_bookmakers
    WHEN 'race.market_closed' THEN p_bookmakers = '{}' OR p_facts ->> 'market_state_source' = ANY (p_bookmakers)
    WHEN 'arb.opportunity' THEN
      p_bookmakers = '{}' OR NOT EXISTS (SELECT FROM jsonb_array_elements(p_facts -> 'legs') l WHERE l ->> 'bookmaker' <> ALL (p_bookmakers))
    ELSE true
  END
$$;

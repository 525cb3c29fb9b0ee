-- `race_state` of a whole row, for functions that have one.
CREATE OR REPLACE FUNCTION race_state_of(race races, p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT race_state(race.start_time, race.status, race.market_status, race.market_closed_at, race.market_state_source, race.jumped_at,
                    race.left_board_at, p_at)
$$;

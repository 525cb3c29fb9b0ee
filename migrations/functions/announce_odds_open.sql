-- Announces that bookmakers price the race, once: when the board first shows a customer a win price on one of its runners. Called wherever a
-- price is written, a runner is listed or a race comes into view. Only while the race is ahead at p_at, the instant of that (D63).
CREATE OR REPLACE FUNCTION announce_odds_open(p_race uuid, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  race races;
  books text[];
BEGIN
  IF (SELECT r.odds_open FROM races r WHERE r.race_id = p_race) THEN
    RETURN;
  END IF;
  -- What brings a race into view and what lists its runners locks its row: without this lock a price that is written at the same moment and
  -- they would not see each other.
  SELECT r.* INTO race FROM races r WHERE r.race_id = p_race FOR NO KEY UPDATE;
  IF race.country IS NULL OR race_state_of(race, GREATEST(p_at, race.updated_at)) <> 'ahead' THEN
    RETURN;
  END IF;
  SELECT array_agg(DISTINCT b.bookmaker_key ORDER BY b.bookmaker_key) INTO books
    FROM race_books b CROSS JOIN LATERAL unnest(b.numbers, b.win) AS q (number, win)
    JOIN race_runners u ON u.race_id = b.race_id AND u.number = q.number AND NOT u.scratched
   WHERE b.race_id = p_race AND market_state_shown(b.bookmaker_key) AND q.win IS NOT NULL;
  IF books IS NOT NULL THEN
    UPDATE races SET odds_open = true WHERE race_id = p_race;
    PERFORM write_event('race.odds_open ' || p_race, 'race.odds_open', race, NULL, p_at, jsonb_build_object('bookmakers', books));
  END IF;
END $$;

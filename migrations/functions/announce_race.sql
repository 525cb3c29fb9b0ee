-- Trigger on races: what is announced when a race comes into view, and that its market has closed. Nothing of a race that is over (D63).
CREATE OR REPLACE FUNCTION announce_race() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.country IS NULL OR race_state_of(NEW, NEW.updated_at) = 'over' THEN
    RETURN NULL;
  END IF;
  -- A market that is open brings back a race whose start has passed.
  PERFORM announce_odds_open(NEW.race_id, NEW.updated_at);
  IF NEW.shown_written_at IS DISTINCT FROM OLD.shown_written_at OR NEW.status <> OLD.status OR NEW.start_time <> OLD.start_time THEN
    PERFORM announce_scratchings(NEW.race_id);
  END IF;
  IF NEW.market_status = 'CLOSED' AND NEW.market_closed_at IS NOT NULL AND market_state_shown(NEW.market_state_source) THEN
    PERFORM write_event(
      'race.market_closed ' || NEW.race_id, 'race.market_closed', NEW, NULL, NEW.market_closed_at,
      jsonb_build_object('market_closed_at', instant_text(NEW.market_closed_at), 'market_state_source', NEW.market_state_source));
  END IF;
  RETURN NULL;
END $$;

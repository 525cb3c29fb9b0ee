-- Trigger on races: marks a race whenever what a customer can see of it changes (`written_at`) or comes into view (`shown_written_at`).
CREATE OR REPLACE FUNCTION write_race() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown boolean := market_state_shown(NEW.market_state_source);
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.written_at := clock_timestamp();
    NEW.shown_written_at := NEW.written_at;
    RETURN NEW;
  END IF;
  -- No customer saw the race while it was over or its country was unknown.
  IF NEW.country IS DISTINCT FROM OLD.country
     OR (race_state_of(OLD, NEW.updated_at) = 'over' AND race_state_of(NEW, NEW.updated_at) <> 'over') THEN
    NEW.shown_written_at := clock_timestamp();
  END IF;
  -- Only the exchange reports in play, and its state is never shown to customers.
  IF (NEW.country, NEW.start_time, NEW.status, NEW.track_condition, NEW.weather, NEW.track_condition_changed_at, shown)
       IS DISTINCT FROM (OLD.country, OLD.start_time, OLD.status, OLD.track_condition, OLD.weather, OLD.track_condition_changed_at,
                         market_state_shown(OLD.market_state_source))
     OR (shown AND (NEW.market_status, NEW.market_closed_at, NEW.market_state_source)
                     IS DISTINCT FROM (OLD.market_status, OLD.market_closed_at, OLD.market_state_source))
     OR NEW.shown_written_at IS DISTINCT FROM OLD.shown_written_at THEN
    NEW.written_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;

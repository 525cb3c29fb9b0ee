-- A start that moves may bring a race back before its jump (D63): what it waits to announce is announced then.
DROP TRIGGER race_announced ON races;
CREATE TRIGGER race_announced AFTER UPDATE ON races FOR EACH ROW
  WHEN (NEW.market_status IS DISTINCT FROM OLD.market_status OR NEW.market_state_source IS DISTINCT FROM OLD.market_state_source
        OR NEW.shown_written_at IS DISTINCT FROM OLD.shown_written_at OR NEW.status <> OLD.status OR NEW.start_time <> OLD.start_time)
  EXECUTE FUNCTION announce_race();

-- Gives a race to an attempt of an epoch and fences out every older holder. False: a newer one has it, and nothing is written. Called by `src/store`
-- alone. The fence is a statement after the control row is locked, so that it sees a book that was linked under that lock before.
CREATE OR REPLACE FUNCTION claim_race(p_race uuid, p_epoch integer, p_attempt integer, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE race_control SET epoch = p_epoch, holder_attempt = p_attempt, updated_at = p_at
   WHERE race_id = p_race AND (epoch, holder_attempt) <= (p_epoch, p_attempt);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM fence_race(p_race, p_epoch, p_attempt);
  RETURN true;
END $$;

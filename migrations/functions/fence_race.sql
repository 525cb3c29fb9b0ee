-- Writes a holder into the row of every book of a race that has an older one. Called with the race's control row locked. Locks in the order of
-- `src/store/polls/poll-batches.ts`, so that the two never deadlock.
CREATE OR REPLACE FUNCTION fence_race(p_race uuid, p_epoch integer, p_attempt integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH locked AS (
    SELECT race_id, bookmaker_key FROM race_books WHERE race_id = p_race AND (epoch, attempt) < (p_epoch, p_attempt)
     ORDER BY bookmaker_key COLLATE "C" FOR NO KEY UPDATE
  )
  UPDATE race_books b SET epoch = p_epoch, attempt = p_attempt
    FROM locked h
   WHERE b.race_id = h.race_id AND b.bookmaker_key = h.bookmaker_key AND (b.epoch, b.attempt) < (p_epoch, p_attempt);
END $$;

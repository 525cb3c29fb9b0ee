-- Takes back the abandonment of one race, and what books reported of it (`src/store/results/stages.ts`). A result that stands stays. Runs as its owner, because no
-- process may delete a result itself.
CREATE OR REPLACE FUNCTION reinstate_result(p_race uuid) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM race_results WHERE race_id = p_race AND status = 'abandoned';
  DELETE FROM race_book_results WHERE race_id = p_race AND NOT EXISTS (SELECT FROM race_results WHERE race_id = p_race);
END $$;
REVOKE ALL ON FUNCTION reinstate_result(uuid) FROM PUBLIC;

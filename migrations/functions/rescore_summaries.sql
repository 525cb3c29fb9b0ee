-- Brings the stored summaries of one archived race up to date with its closing lines (`src/store/archive/rescore-summaries.ts`), and deletes those of other
-- runners. Runs as its owner, because no process may change the archive itself.
CREATE OR REPLACE FUNCTION rescore_summaries(
  p_race uuid, p_runners smallint[], p_close float8[], p_sources text[], p_books smallint[], p_from_t60 float8[], p_from_t15 float8[],
  p_t5_close float8[], p_signals text[], p_best float8[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  started timestamptz := (SELECT start_time FROM archived_races WHERE race_id = p_race);
BEGIN
  DELETE FROM archived_summaries WHERE start_time = started AND race_id = p_race AND runner <> ALL (p_runners);
  UPDATE archived_summaries s
     SET consensus_close = q.consensus_close, close_source = q.close_source, books_close = q.books_close, move_from_t60_pct = q.from_t60,
         move_from_t15_pct = q.from_t15, move_t5_close_pct = q.t5_close, signal = q.signal, best_vs_consensus_pct = q.best
    FROM unnest(p_runners, p_close, p_sources, p_books, p_from_t60, p_from_t15, p_t5_close, p_signals, p_best)
           AS q (runner, consensus_close, close_source, books_close, from_t60, from_t15, t5_close, signal, best)
   WHERE s.start_time = started AND s.race_id = p_race AND s.runner = q.runner;
END $$;
REVOKE ALL ON FUNCTION rescore_summaries(uuid, smallint[], float8[], text[], smallint[], float8[], float8[], float8[], text[], float8[]) FROM PUBLIC;

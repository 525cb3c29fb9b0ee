-- Marks the archive and the run store of these races as due. In one order, so that two writers never wait for each other here.
CREATE OR REPLACE FUNCTION mark_due(p_races uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_races (work, race_id)
  SELECT w.work, r.race_id FROM unnest(p_races) AS r (race_id) CROSS JOIN (VALUES ('archive'), ('runs')) AS w (work)
   ORDER BY r.race_id, w.work
      ON CONFLICT (work, race_id) DO UPDATE SET changed_by = EXCLUDED.changed_by WHERE due_races.changed_by <> EXCLUDED.changed_by;
END $$;

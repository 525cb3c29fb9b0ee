-- The runs of one result. From the official field where one is stored: those that ran. Otherwise the card's runners except scratched ones and
-- emergencies, and every placegetter whatever the card shows. An empty box never runs, and nothing runs before there is a placing.
-- Rows of `runs_by_name` follow from it: a change needs a numbered migration that writes them again.
CREATE OR REPLACE FUNCTION runs_of(result race_results) RETURNS TABLE (number smallint, runner_key text, name text, runner_ref text)
LANGUAGE sql STABLE AS $$
  SELECT DISTINCT ON (e.number) e.number, fold_runner_name(e.name), e.name, e.runner_ref
    FROM (SELECT o.number, o.name, o.runner_ref, 1 AS rank
            FROM jsonb_to_recordset(result.runners) AS o (number smallint, name text, runner_ref text, status text)
           WHERE o.status = 'ran'
          UNION ALL
          SELECT u.number, u.name, u.runner_ref, 2
            FROM race_runners u
           WHERE u.race_id = result.race_id AND result.runners IS NULL
             AND (NOT (u.scratched OR COALESCE(u.emergency, false))
                  OR result.placings @> jsonb_build_array(jsonb_build_object('number', u.number)))
          UNION ALL
          SELECT p.number, p.name, NULL, 3
            FROM jsonb_to_recordset(result.placings) AS p (number smallint, name text)
           WHERE result.runners IS NULL) e
   WHERE result.status <> 'abandoned' AND (result.runners IS NOT NULL OR result.placings_key <> '')
     AND fold_runner_name(e.name) NOT IN ('', 'vacant', 'vacantbox')
   ORDER BY e.number, e.rank
$$;

-- Keeps the counts of months equal to the sums of their days, whichever statement writes the days. Runs as its owner, because no process writes counts
-- itself.
CREATE OR REPLACE FUNCTION add_archived_months() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  added archived_day_counts[] := '{}';
  gone archived_day_counts[] := '{}';
BEGIN
  IF TG_OP <> 'DELETE' THEN
    added := ARRAY(SELECT a::archived_day_counts FROM after a);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    gone := ARRAY(SELECT b::archived_day_counts FROM before b);
  END IF;
  IF cardinality(added) + cardinality(gone) = 0 THEN
    RETURN NULL;
  END IF;
  -- What one statement adds and what it changes are two calls: without this, two transactions may wait for each other's months.
  PERFORM pg_advisory_xact_lock(7205231261);
  INSERT INTO archived_month_counts AS month (month, category, country, resulted, what, series, closing, baseline, split, fragment, scratched, n)
  SELECT date_trunc('month', d.start_day::timestamp)::date, d.category, d.country, d.resulted, d.what, d.series, d.closing, d.baseline, d.split,
         d.fragment, d.scratched, sum(d.change)
    FROM (SELECT a.*, a.n AS change FROM unnest(added) a UNION ALL SELECT g.*, -g.n FROM unnest(gone) g) d
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 HAVING sum(d.change) <> 0
  ON CONFLICT (what, series, month, category, country, resulted, closing, baseline, split, fragment, scratched)
  DO UPDATE SET n = month.n + EXCLUDED.n;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION add_archived_months() FROM PUBLIC;

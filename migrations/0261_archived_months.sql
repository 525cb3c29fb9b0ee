-- The place of a page anywhere, and the total of its selection, are found in sums of months and in the days of one of them. A trigger keeps the sums,
-- because a function that began before this may still write days after it; the lock is held until both stand.
CREATE TABLE IF NOT EXISTS archived_month_counts (
  -- Its first day.
  month date NOT NULL,
  category text NOT NULL,
  country text NOT NULL,
  resulted boolean NOT NULL,
  what text NOT NULL,
  series text NOT NULL,
  closing boolean NOT NULL,
  baseline boolean NOT NULL,
  split boolean NOT NULL,
  fragment boolean NOT NULL,
  scratched boolean NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (what, series, month, category, country, resulted, closing, baseline, split, fragment, scratched)
);

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

LOCK TABLE archived_day_counts IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM archived_month_counts;
INSERT INTO archived_month_counts (month, category, country, resulted, what, series, closing, baseline, split, fragment, scratched, n)
SELECT date_trunc('month', start_day::timestamp)::date, category, country, resulted, what, series, closing, baseline, split, fragment, scratched, sum(n)
  FROM archived_day_counts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;

CREATE OR REPLACE TRIGGER added_to_months AFTER INSERT ON archived_day_counts REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION add_archived_months();
CREATE OR REPLACE TRIGGER changed_in_months AFTER UPDATE ON archived_day_counts REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION add_archived_months();
CREATE OR REPLACE TRIGGER taken_from_months AFTER DELETE ON archived_day_counts REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION add_archived_months();

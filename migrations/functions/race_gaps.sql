-- As `race_ticks`, where the polls of a book left gaps.
CREATE OR REPLACE FUNCTION race_gaps(p_race uuid, p_from timestamptz, p_until timestamptz) RETURNS SETOF poll_gaps LANGUAGE sql STABLE AS $$
  SELECT t.* FROM poll_gaps t WHERE t.race_id = p_race AND t.at >= p_from AND t.at < p_until
  UNION
  SELECT k.* FROM kept_gaps k WHERE k.race_id = p_race AND k.at >= p_from AND k.at < p_until
$$;

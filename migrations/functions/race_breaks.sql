-- As `race_ticks`, when a captured price was not on offer.
CREATE OR REPLACE FUNCTION race_breaks(p_race uuid, p_from timestamptz, p_until timestamptz) RETURNS SETOF price_breaks LANGUAGE sql STABLE AS $$
  SELECT t.* FROM price_breaks t WHERE t.race_id = p_race AND t.at >= p_from AND t.at < p_until
  UNION
  SELECT k.* FROM kept_breaks k WHERE k.race_id = p_race AND k.at >= p_from AND k.at < p_until
$$;

-- The captured prices of a race in a span: its ticks, and those kept of days whose ticks are gone (D48), each once. Inlined.
CREATE OR REPLACE FUNCTION race_ticks(p_race uuid, p_from timestamptz, p_until timestamptz) RETURNS SETOF price_ticks LANGUAGE sql STABLE AS $$
  SELECT t.* FROM price_ticks t WHERE t.race_id = p_race AND t.captured_at >= p_from AND t.captured_at < p_until
  UNION
  SELECT k.* FROM kept_ticks k WHERE k.race_id = p_race AND k.captured_at >= p_from AND k.captured_at < p_until
$$;

-- The track condition that customers see: that of a race in Australia or New Zealand (A 1; src/store/reads/races/international.ts).
CREATE OR REPLACE FUNCTION shown_track(p_country text, p_condition text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_country IN ('AU', 'NZ') THEN p_condition END
$$;

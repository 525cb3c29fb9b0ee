-- What a track condition means, whatever its spelling: `sameCondition` of src/domain/registry/track-condition.ts, which a test compares. Null: it
-- states none.
CREATE OR REPLACE FUNCTION track_meaning(p_raw text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  nothing text[] := '{"",none,null,na,unknown,tba,nil}';
  split text[] := regexp_match(btrim(lower(p_raw), E' \t\n\r'), '^([a-z\s/-]*)(?:\(?\s*(\d{1,2})\s*\)?)?$');
  going text := btrim(regexp_replace(split[1], '[\s/-]+', ' ', 'g'));
BEGIN
  IF p_raw IS NULL OR regexp_replace(lower(p_raw), '[\s/-]+', '', 'g') = ANY (nothing) THEN
    RETURN NULL;
  END IF;
  -- A text that cannot be split is compared as a whole.
  IF going IS NULL OR replace(going, ' ', '') = ANY (nothing) THEN
    RETURN btrim(regexp_replace(lower(p_raw), '[^a-z0-9]+', ' ', 'g'));
  END IF;
  going := CASE going
    WHEN 'gd' THEN 'good' WHEN 'sft' THEN 'soft' WHEN 'hvy' THEN 'heavy' WHEN 'frm' THEN 'firm' WHEN 'fst' THEN 'fast' WHEN 'slw' THEN 'slow'
    WHEN 'awt' THEN 'synthetic' WHEN 'synth' THEN 'synthetic' WHEN 'poly' THEN 'synthetic' WHEN 'polytrack' THEN 'synthetic'
    WHEN 'tapeta' THEN 'synthetic' WHEN 'all weather' THEN 'synthetic' ELSE going END;
  RETURN going || '/' || CASE WHEN split[2]::integer BETWEEN 1 AND 12 THEN (split[2]::integer)::text ELSE '' END;
END $$;

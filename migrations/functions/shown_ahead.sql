-- Whether customers see the race as one to come (D63), as of its last report: of known country, and ahead.
CREATE OR REPLACE FUNCTION shown_ahead(r races) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT r.country IS NOT NULL AND race_state_of(r, r.updated_at) = 'ahead'
$$;

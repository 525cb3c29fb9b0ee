-- How long before the advertised start win prices are kept as ticks (A 2.6 rule 1). `CAPTURE_MS` of the domain; a test compares them.
CREATE OR REPLACE FUNCTION capture_window() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT interval '60 minutes'
$$;

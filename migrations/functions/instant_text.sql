-- An instant as the API writes it: UTC, cut to milliseconds (`instantOf` of src/store/pg).
CREATE OR REPLACE FUNCTION instant_text(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(date_trunc('milliseconds', at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

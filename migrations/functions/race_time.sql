-- The racing world's instant at wall instant `wall`, by the clock that the session names (`createPool`): `toRaceMs` of the domain. Null in a
-- session that names none: nothing is then judged by the database's clock. Inlined.
CREATE OR REPLACE FUNCTION race_time(wall timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_timestamp((NULLIF(current_setting('racing.clock_anchor', true), '')::double precision
                       + (extract(epoch FROM wall)::double precision * 1000
                          - NULLIF(current_setting('racing.clock_anchor', true), '')::double precision)
                         * NULLIF(current_setting('racing.clock_speed', true), '')::double precision) / 1000)
$$;

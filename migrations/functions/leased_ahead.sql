-- How many deliveries of an endpoint one worker may lease while nothing else wants it: four are posted at once, and others wait for as long as
-- four such posts take, half a second at most. `p_pace`: what the endpoint takes for one, in milliseconds; null: not known.
CREATE OR REPLACE FUNCTION leased_ahead(p_pace integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_pace IS NULL THEN 4 ELSE (4 * greatest(1, least(4, 500.0 / greatest(p_pace, 1))))::integer END
$$;

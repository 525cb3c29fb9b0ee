-- The id of the line that takes a charge back.
CREATE OR REPLACE FUNCTION return_id(p_charge uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT md5('return of ' || p_charge)::uuid
$$;

-- The state of a race at an instant (D24, D63): `boardState` of the domain; a property compares them. Inlined.
CREATE OR REPLACE FUNCTION race_state(
  p_start timestamptz, p_status text, p_market text, p_closed_at timestamptz, p_source text, p_jumped_at timestamptz,
  p_left_board_at timestamptz, p_at timestamptz)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_left_board_at IS NOT NULL
      OR p_at >= race_jump(p_start, p_status, p_market, p_closed_at, p_source, p_jumped_at) + interval '10 minutes' THEN 'over'
    WHEN p_status = 'abandoned' THEN 'abandoned'
    WHEN p_jumped_at IS NOT NULL OR p_at >= race_jump(p_start, p_status, p_market, p_closed_at, p_source, p_jumped_at) THEN 'jumped'
    ELSE 'ahead' END
$$;

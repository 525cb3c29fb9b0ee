-- The jump of a race by what is stored (D24, D63): `boardJumpMs` of the domain. Inlined.
CREATE OR REPLACE FUNCTION race_jump(
  p_start timestamptz, p_status text, p_market text, p_closed_at timestamptz, p_source text, p_jumped_at timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT LEAST(
    CASE WHEN p_jumped_at IS NOT NULL THEN p_jumped_at
         WHEN p_status = 'abandoned' OR p_market IS NULL OR NOT market_state_shown(p_source) THEN p_start
         WHEN p_market = 'CLOSED' THEN GREATEST(p_start, p_closed_at) END,
    p_start + interval '10 minutes')
$$;

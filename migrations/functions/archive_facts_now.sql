-- `archive_facts`, and beside it what the release before read otherwise (D63): a close that was seen more than ten minutes after the start is not the
-- jump (`jumpMsOf`). A worker of the release before finds its own fingerprint unchanged, and rewrites none of these races by its own rule.
CREATE OR REPLACE FUNCTION archive_facts_now(p_race uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT archive_facts(p_race)
      || CASE WHEN market_state_shown(r.market_state_source) AND r.market_closed_at > r.start_time + interval '10 minutes' THEN '.late' ELSE '' END
    FROM races r WHERE r.race_id = p_race
$$;

-- Everything from which the archive of a race follows, prices apart, as one fingerprint: a race whose stored one differs is archived again. The
-- number in front is the version of the rules: another one archives every race again whose ticks still stand. Null: there is no such race.
CREATE OR REPLACE FUNCTION archive_facts(p_race uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT md5(concat_ws('|', '3', r.start_time, CASE WHEN market_state_shown(r.market_state_source) THEN r.market_closed_at END, r.status,
               r.left_board_at, r.meeting_date, r.category, r.venue, r.venue_id, r.venue_site, r.race_number, r.country,
               (SELECT string_agg(concat_ws('/', u.number, u.name, u.runner_ref, u.scratched, u.scratched_at, u.emergency), ','
                                  ORDER BY u.number) FROM race_runners u WHERE u.race_id = r.race_id),
               (SELECT concat_ws('/', x.status, x.placings, x.runners) FROM race_results x WHERE x.race_id = r.race_id),
               venue_split_suspect(r.race_id)))
      FROM races r WHERE r.race_id = p_race);
END $$;

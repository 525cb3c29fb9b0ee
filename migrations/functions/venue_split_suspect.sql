-- Whether a race may be stored as two (B 2.1): another race of the same meeting day, code and number starts within 30 minutes and shares at
-- least two runners and half of the smaller field. Both are suspect.
CREATE OR REPLACE FUNCTION venue_split_suspect(p_race uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM races r JOIN races o USING (meeting_date, category, race_number)
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE a AND b) AS common, LEAST(count(*) FILTER (WHERE a), count(*) FILTER (WHERE b)) AS smaller
         FROM (SELECT bool_or(u.race_id = r.race_id) AS a, bool_or(u.race_id = o.race_id) AS b
                 FROM race_runners u
                WHERE u.race_id IN (r.race_id, o.race_id) AND u.runner_key NOT IN ('', 'vacant', 'vacantbox')
                GROUP BY u.runner_key) k) n
     WHERE r.race_id = p_race AND o.race_id <> r.race_id
       AND o.start_time BETWEEN r.start_time - interval '30 minutes' AND r.start_time + interval '30 minutes'
       AND n.common >= 2 AND 2 * n.common >= n.smaller);
END $$;

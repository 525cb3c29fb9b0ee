-- An audit compares every market of a race, and what it finds may be about a match, or about all races of a bookmaker. Findings of before have no market.
ALTER TABLE quality_findings
  ADD COLUMN market text,
  -- Of what is about no race: the three parts of its key, and the match.
  ADD COLUMN event_key json,
  ADD COLUMN event_id uuid,
  ALTER COLUMN race_id DROP NOT NULL,
  ALTER COLUMN venue DROP NOT NULL,
  ALTER COLUMN race_number DROP NOT NULL,
  ALTER COLUMN day DROP NOT NULL,
  DROP CONSTRAINT quality_findings_status_check,
  ADD CONSTRAINT quality_findings_status_check
    CHECK (status IN ('diff', 'missing_api', 'missing_source', 'outlier', 'unread', 'cross_check')),
  ADD CONSTRAINT quality_findings_about_check
    CHECK (CASE WHEN race_id IS NULL THEN event_key IS NOT NULL ELSE num_nulls(venue, race_number, day) = 0 END);

-- How many of its findings are cross-checks. Null of a run of before.
ALTER TABLE quality_audits ADD COLUMN cross_checks integer;

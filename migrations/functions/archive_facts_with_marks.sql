-- `archive_facts_now` of an archive that has the marks too (`archived_marks`). A worker of the release before writes none, and stores its own fingerprint,
-- which therefore stays as it reads it: what it archives beside this release differs, and is archived again.
CREATE OR REPLACE FUNCTION archive_facts_with_marks(p_race uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT archive_facts_now(p_race) || '.marks'
$$;

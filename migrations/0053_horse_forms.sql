-- Form pages of the thoroughbred registry (B 2.5, B 3): the newest reading under each code that was read. Kept for ever, because a page is served
-- whatever its age while the registry is away.
CREATE TABLE horse_forms (
  -- `ra:` and the code that the page was read under.
  runner_ref text PRIMARY KEY,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  -- Race time of the reading.
  fetched_at timestamptz NOT NULL,
  -- `HorseForm` of src/domain/form.
  form jsonb NOT NULL
);
CREATE INDEX horse_forms_of_name ON horse_forms (runner_key);

-- A horse is found by its name or by a code of any meeting.
CREATE INDEX registry_runners_of_name ON registry_runners (runner_key);
CREATE INDEX registry_runners_of_code ON registry_runners (horse_code);

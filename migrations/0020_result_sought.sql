-- When the books were queried for the result of a race that was first seen long after its start: once. Null: not yet, or the race had a workflow.
ALTER TABLE races ADD COLUMN result_sought_at timestamptz;

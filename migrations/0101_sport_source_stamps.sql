-- The source's own time of a market's prices (A 2.13), beside our observation of them. Null: the source gives none. A later push that repeats it
-- makes the prices no younger.
ALTER TABLE sport_quotes ADD COLUMN source_updated_at timestamptz;

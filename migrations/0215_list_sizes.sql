-- How many races each list had when it was last read: a list without any is read as well as another, and a day on which all are empty has no card.
-- Null: it was not read since.
ALTER TABLE book_lists ADD COLUMN IF NOT EXISTS races integer;

-- A push writes the prices that changed. That the others still stand, the book's row says: what is priced there stands since `priced_at`. From then on
-- `sport_quotes.observed_at` is when the price was written; one that was taken back was last listed then.

ALTER TABLE sport_event_books
  -- Of the last push that listed it before its start, and so of every price that stands. Null: before there was a record, or the row was moved since:
  -- each price then has its own time.
  ADD COLUMN priced_at timestamptz;

-- What the close of a book's prices needs (B 2.1): ticks are change-only, so the last poll that still showed a price that was then moved or
-- taken back, usually at the jump, would be forgotten with the next poll. Set here, so that no writer can forget it.
ALTER TABLE race_books
  -- Our instant of the poll before the one that last moved a win price or shut the book: what they replaced was on offer then.
  ADD COLUMN offered_at timestamptz;

CREATE FUNCTION keep_offered_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.offered_at := OLD.polled_at;
  RETURN NEW;
END $$;
-- Not once the book is shut: what it then takes down was not on offer. A poll that moves nothing does not call it.
CREATE TRIGGER race_books_offered BEFORE UPDATE ON race_books FOR EACH ROW
  WHEN (OLD.market_status IS DISTINCT FROM 'CLOSED'
        AND (NEW.moved_written_at IS DISTINCT FROM OLD.moved_written_at OR NEW.market_status = 'CLOSED'))
  EXECUTE FUNCTION keep_offered_at();

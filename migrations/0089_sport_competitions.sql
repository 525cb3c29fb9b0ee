-- The evidence of each decision that a book's row is a match (D66).
ALTER TABLE sport_event_books
  -- As the book named it last.
  ADD COLUMN competition text,
  -- `new`, or the evidence of `domain/sports/same-match.ts` by which the row was joined first. Null: before there was a record.
  ADD COLUMN placed_by text CHECK (placed_by IN ('new', 'id', 'competition', 'unnamed', 'unknown_competition'));

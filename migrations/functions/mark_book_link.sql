-- Trigger on race_books: marks a row when the id that the book's betslip links are made from is written.
CREATE OR REPLACE FUNCTION mark_book_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.linked_written_at := clock_timestamp();
  RETURN NEW;
END $$;

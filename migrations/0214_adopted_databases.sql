-- Outside a transaction.
-- What an adopted database has otherwise than a new one: the function `save_poll`, which no release calls any more, and a constraint that was added
-- without verifying the rows that were there.
DROP FUNCTION IF EXISTS save_poll(uuid, text, integer, integer, timestamptz, timestamptz, text, text);
ALTER TABLE sport_event_books VALIDATE CONSTRAINT sport_event_books_placed_by_check;

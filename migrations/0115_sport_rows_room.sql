-- A push writes every row of the book again: with room on its page a row changes no index.
ALTER TABLE sport_event_books SET (fillfactor = 50);
ALTER TABLE sport_quotes SET (fillfactor = 70);

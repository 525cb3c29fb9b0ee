-- What discovery last read of each book's list of a day. `failing`: readings in a row that brought no list that could be placed.
CREATE TABLE book_lists (
  bookmaker_key text NOT NULL,
  day date NOT NULL,
  tried_at timestamptz NOT NULL,
  read_at timestamptz,
  failing integer NOT NULL DEFAULT 0 CHECK (failing >= 0),
  PRIMARY KEY (bookmaker_key, day)
);

-- Sports that are polled (ADR 0023). Which feed wrote a book's row of a match; null: the book's own push. A push and a feed never take each other's
-- prices back.
ALTER TABLE sport_event_books ADD COLUMN feed text;

-- When each book last pushed a match of each sport: while that is recent, no feed writes the book's prices of the sport.
CREATE TABLE sport_push_sports (
  bookmaker_key text NOT NULL,
  sport_key text NOT NULL,
  pushed_at timestamptz NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key)
);

-- What a source lists now, by its own keys, and how far each is read.
CREATE TABLE feed_sports (
  source text NOT NULL,
  source_key text NOT NULL,
  sport_key text NOT NULL,
  -- When the source last listed it.
  listed_at timestamptz NOT NULL,
  -- Of its matches to come; null: it has none.
  next_start timestamptz,
  -- When the starts were last read.
  starts_at timestamptz,
  -- Of the newest reply with prices that is stored.
  polled_at timestamptz,
  -- Of the last call for prices, whatever came of it.
  tried_at timestamptz,
  PRIMARY KEY (source, source_key)
);

-- What a metered source has cost, by month (UTC). Credits are taken before a call and corrected by its reply, so that a process that ends between the
-- two has spent too much in its books, never too little.
CREATE TABLE feed_credits (
  source text NOT NULL,
  month date NOT NULL,
  spent integer NOT NULL CHECK (spent >= 0),
  -- Of the account, as the source last reported them; null: not yet.
  used integer,
  remaining integer,
  reported_at timestamptz,
  PRIMARY KEY (source, month)
);

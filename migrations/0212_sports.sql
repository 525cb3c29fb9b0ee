-- Sports odds (A 2.13, A 4.13): matches, what each book lists of them, its prices, and every change of a price.
CREATE TABLE sport_events (
  event_id uuid PRIMARY KEY,
  -- `sport:home:away:day`, the Sydney day on which the match was first listed to start. It never changes.
  canonical_event_id text NOT NULL UNIQUE,
  sport_key text NOT NULL,
  -- Of `domain/sports/team-names.ts`.
  home_key text NOT NULL,
  away_key text NOT NULL,
  home_team text NOT NULL,
  away_team text NOT NULL,
  competition text,
  -- That most books list whose prices are not stale; of equals the earliest.
  commence_time timestamptz NOT NULL,
  first_seen_at timestamptz NOT NULL,
  -- An operator joined it to another match, which has all its rows. Its names lead there.
  joined_into uuid REFERENCES sport_events,
  -- Its home side is the other's away side.
  joined_turned boolean NOT NULL DEFAULT false
);
CREATE INDEX sport_events_by_start ON sport_events (commence_time);
CREATE INDEX sport_events_of_sport ON sport_events (sport_key, commence_time);
CREATE INDEX sport_events_by_teams ON sport_events (sport_key, home_key, away_key);
CREATE INDEX sport_events_by_competition ON sport_events (sport_key, competition) WHERE competition IS NOT NULL;
CREATE INDEX sport_events_joined ON sport_events (joined_into) WHERE joined_into IS NOT NULL;
CREATE TRIGGER sports_changed AFTER UPDATE ON sport_events REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sports();

-- A book's row of a match, as it was last listed. A push writes every row of the book again: with room on its page a row changes no index.
CREATE TABLE sport_event_books (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  source_event_id text,
  home_name text NOT NULL,
  away_name text NOT NULL,
  -- The book lists the teams the other way round. Names are its own; prices in this schema are of the match's sides.
  swapped boolean NOT NULL,
  commence_time timestamptz NOT NULL,
  -- Of the last push that listed it.
  observed_at timestamptz NOT NULL,
  -- Of the first push that no longer lists it.
  taken_back_at timestamptz,
  -- As the book named it last.
  competition text,
  -- `new`, `ruling`, or the evidence of `domain/sports/same-match.ts` by which the row was joined first (D66).
  placed_by text CHECK (placed_by IN ('new', 'ruling', 'id', 'competition', 'unnamed', 'unknown_competition', 'moved')),
  -- When an operator joined or parted the row. Null: never.
  ruled_at timestamptz,
  -- Which feed wrote the row; null: the book's own push. A push and a feed never take each other's prices back (ADR 0023).
  feed text,
  -- Of the last push that listed it before its start, and so of every price that stands: a push writes only the prices that changed. From then on
  -- `sport_quotes.observed_at` is when the price was written; one that was taken back was last listed then. Null: the row was moved since, and each
  -- price has its own time.
  priced_at timestamptz,
  PRIMARY KEY (event_id, bookmaker_key)
) WITH (fillfactor = 50);
CREATE INDEX sport_event_books_listed ON sport_event_books (bookmaker_key) WHERE taken_back_at IS NULL;
CREATE TRIGGER sport_books_added AFTER INSERT ON sport_event_books REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();
CREATE TRIGGER sport_books_changed AFTER UPDATE ON sport_event_books REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();
CREATE TRIGGER sport_books_deleted AFTER DELETE ON sport_event_books REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();

-- Whether anything that is shown of a book in a sport has changed: the API keeps what it read, and reads again only where the level is another.
CREATE TABLE sport_levels (
  sport_key text NOT NULL,
  bookmaker_key text NOT NULL,
  -- New with every transaction that writes a row of the book, or a match of the sport. Never one that was before, also after a failover.
  level uuid NOT NULL,
  PRIMARY KEY (sport_key, bookmaker_key)
);

-- What stands now if the match's row of the book has the same `observed_at`; otherwise what stood before the start. All prices null: taken back.
CREATE TABLE sport_quotes (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  market text NOT NULL CHECK (market IN ('h2h', 'spreads', 'totals')),
  home_price double precision,
  draw_price double precision,
  away_price double precision,
  -- The handicap of each side; both are the total on totals, where home is Over.
  home_point double precision,
  away_point double precision,
  -- Of the last push that listed the market.
  observed_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- What stood before the last change, since `before_changed_at` (D66). All null: nothing.
  before_home_price double precision,
  before_draw_price double precision,
  before_away_price double precision,
  before_home_point double precision,
  before_away_point double precision,
  before_changed_at timestamptz,
  -- The source's own time of a market's prices (A 2.13), beside our observation of them. Null: the source gives none. A later push that repeats it
  -- makes the prices no younger.
  source_updated_at timestamptz,
  PRIMARY KEY (event_id, bookmaker_key, market)
) WITH (fillfactor = 70);

-- Lines of a match beside each book's main one (D66). Only what the book's last push of the match listed: lines that it lists no longer are
-- deleted. They have no history.
CREATE TABLE sport_lines (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  market text NOT NULL CHECK (market IN ('alternate_spreads', 'alternate_totals')),
  -- Of the match's home side, or the total.
  point double precision NOT NULL,
  home_price double precision,
  away_price double precision,
  observed_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- As in `sport_quotes`.
  source_updated_at timestamptz,
  PRIMARY KEY (event_id, bookmaker_key, market, point)
);

-- Change-only, and never dropped: books report every quarter of an hour, and nothing else keeps the history of a match.
CREATE TABLE sport_ticks (
  captured_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  market text NOT NULL,
  home_price double precision,
  draw_price double precision,
  away_price double precision,
  home_point double precision,
  away_point double precision,
  -- The business key: the same push written twice is one tick.
  PRIMARY KEY (event_id, bookmaker_key, market, captured_at)
);
SELECT create_hypertable('sport_ticks', by_range('captured_at', INTERVAL '7 days'), create_default_indexes => false);

-- By book, sport and UTC day: the prices of markets that it offered, and those of them that it changed or took back within ten minutes.
CREATE TABLE sport_moves (
  bookmaker_key text NOT NULL,
  sport_key text NOT NULL,
  day date NOT NULL,
  offered integer NOT NULL,
  moved integer NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key, day)
);

-- The last push of each book: one that is not newer changes nothing.
CREATE TABLE sport_pushes (
  bookmaker_key text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  events integer NOT NULL
);

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

-- Which match a book's row is, as decisions with reasons, and what an operator ruled (D66). Kept 90 days beyond the start. A decision
-- that is made again by a later push is the same.
CREATE TABLE sport_decisions (
  bookmaker_key text NOT NULL,
  -- The book's own id of the row, otherwise its sport, sides, competition and start.
  row_key text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('joined', 'parted', 'new', 'refused', 'probable_twin')),
  because text NOT NULL,
  -- The match that the row became, or may be. Null: none is known.
  event_id uuid,
  sport_key text NOT NULL,
  -- As the row lists it.
  starts_at timestamptz NOT NULL,
  -- When the book listed the row so first, or the operator ruled.
  decided_at timestamptz NOT NULL,
  reasons jsonb NOT NULL,
  sentence text NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (bookmaker_key, row_key, verdict, because, event_id)
);
CREATE INDEX sport_decisions_of_match ON sport_decisions (event_id);
CREATE INDEX sport_decisions_by_time ON sport_decisions (decided_at);
CREATE INDEX sport_decisions_expired ON sport_decisions (expires_at);

-- Rows that an operator parted from a match: they never join it again.
CREATE TABLE sport_partings (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  -- Null: rows of the book without an id.
  source_event_id text,
  parted_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (event_id, bookmaker_key, source_event_id)
);

-- Names of teams and players (A 2.13): which team a spelling means, and what an operator decided of two names (D66). Seeded from the domain's files by
-- every migration whose files changed (`src/store/sports/seed-names.ts`); what an operator accepts stays and wins.
CREATE TABLE sport_teams (
  sport_key text NOT NULL,
  -- The team's part of `canonical_event_id`, without its division.
  team_key text NOT NULL,
  -- As it is shown.
  name text NOT NULL,
  -- `Brisbane` and `Broncos`. Null: the name has no such parts.
  town text,
  nickname text,
  origin text NOT NULL CHECK (origin IN ('seed', 'operator')),
  PRIMARY KEY (sport_key, team_key)
);

CREATE TABLE sport_spellings (
  sport_key text NOT NULL,
  -- Folded.
  spelling text NOT NULL,
  team_key text NOT NULL,
  origin text NOT NULL CHECK (origin IN ('seed', 'operator')),
  PRIMARY KEY (sport_key, spelling)
);

-- Of two keys, the lesser first: `accepted` is one team, `rejected` two.
CREATE TABLE sport_alias_verdicts (
  alias_id text PRIMARY KEY,
  sport_key text NOT NULL,
  one_key text NOT NULL,
  other_key text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('accepted', 'rejected')),
  decided_at timestamptz NOT NULL,
  UNIQUE (sport_key, one_key, other_key)
);

-- Rises with every change of these tables, so that each process reads them again before its next push.
CREATE TABLE sport_names_level (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  level bigint NOT NULL
);
INSERT INTO sport_names_level (level) VALUES (1);

-- How far the prices of each bookmaker usually are from the others' (`src/domain/quality/book-level.ts`), moved once by each audit that ends.
CREATE TABLE quality_levels (
  bookmaker_key text NOT NULL,
  sport_key text NOT NULL,
  distance double precision NOT NULL,
  spread double precision NOT NULL,
  readings integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key)
);

-- The newest push of each bookmaker that was compared with what is served of it. The next audit takes it into its run.
CREATE TABLE quality_push_checks (
  bookmaker_key text NOT NULL,
  -- Of a racing sport, or `sports` of all matches.
  sport_key text NOT NULL,
  checked_at timestamptz NOT NULL,
  figures json NOT NULL,
  findings json NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key)
);

-- The registry's premiership tables (B 2.8), each replaced as a whole.
CREATE TABLE premiership_tables (
  role text NOT NULL CHECK (role IN ('jockey', 'trainer')),
  -- `AUS` or a state.
  state text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('all', 'metro', 'provincial', 'country', 'picnic')),
  -- A season is from 1 August of this year to 31 July.
  season_start_year smallint NOT NULL,
  -- The last attempt to read it, whatever came of it.
  tried_at timestamptz NOT NULL,
  -- When the stored rows were read; null until the table was first read. A table that was read may have no rows.
  scraped_at timestamptz,
  -- The last page that came had no such table.
  absent boolean NOT NULL DEFAULT false,
  period_from date,
  period_to date,
  PRIMARY KEY (season_start_year, role, state, scope)
);

CREATE TABLE premiership_rows (
  role text NOT NULL,
  state text NOT NULL,
  scope text NOT NULL,
  season_start_year smallint NOT NULL,
  rank smallint NOT NULL CHECK (rank BETWEEN 1 AND 20),
  name text NOT NULL,
  code text,
  -- Dead heats count as halves.
  firsts double precision,
  seconds double precision,
  thirds double precision,
  fourths double precision,
  fifths double precision,
  prize_money double precision,
  strike_rate double precision,
  starts integer,
  PRIMARY KEY (season_start_year, role, state, scope, rank),
  FOREIGN KEY (season_start_year, role, state, scope) REFERENCES premiership_tables ON DELETE CASCADE
);

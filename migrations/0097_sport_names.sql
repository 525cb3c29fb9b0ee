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

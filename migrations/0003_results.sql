-- What came of each race, kept forever.
CREATE TABLE race_results (
  race_id uuid PRIMARY KEY REFERENCES races,
  status text NOT NULL CHECK (status IN ('interim', 'final', 'abandoned')),
  status_note text,
  protest boolean NOT NULL DEFAULT false,
  -- [{position, number, name, win_price, place_price}], best first; win_price and place_price are one book's settled fixed prices.
  placings jsonb NOT NULL DEFAULT '[]',
  -- Identity of the placings alone, so that "stable" is one comparison.
  placings_key text NOT NULL,
  placings_since timestamptz NOT NULL,
  -- The full field, or null: never an empty array (A 2.11 rule 6).
  runners jsonb,
  dividends jsonb,
  deductions jsonb NOT NULL DEFAULT '[]',
  source text,
  overridden boolean NOT NULL DEFAULT false,
  resulted_at timestamptz,
  finalised_at timestamptz,
  -- Copied from the live row when the result is written (A 2.2); a late result keeps null.
  market_closed_at timestamptz,
  inplay_at timestamptz,
  market_state_source text,
  field_status text NOT NULL CHECK (field_status IN ('complete', 'pending', 'overdue', 'unavailable', 'unsupported', 'not_applicable')),
  field_source text,
  field_note text,
  field_expected_at timestamptz,
  updated_at timestamptz NOT NULL,
  CHECK (runners IS NULL OR jsonb_array_length(runners) > 0),
  CHECK ((field_status = 'complete') = (runners IS NOT NULL))
);
CREATE INDEX race_results_by_update ON race_results (updated_at);

-- What each book says of the outcome: race_results is merged from these by rank, so the order in which books speak does not matter.
CREATE TABLE race_book_results (
  race_id uuid NOT NULL REFERENCES races,
  bookmaker_key text NOT NULL,
  result jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, bookmaker_key)
);

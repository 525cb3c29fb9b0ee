-- Widgets of a sports market (A 4.13): the next matches of one sport in one market.
ALTER TABLE widgets
  ADD type text NOT NULL DEFAULT 'racing' CHECK (type IN ('racing', 'sports')),
  ADD sport_key text,
  ADD market text CHECK (market IN ('h2h', 'spreads', 'totals')),
  ADD matches integer CHECK (matches > 0),
  ALTER races DROP NOT NULL,
  ADD CONSTRAINT widgets_of_one_type CHECK (CASE type
    WHEN 'racing' THEN races IS NOT NULL AND num_nonnulls(sport_key, market, matches) = 0
    ELSE races IS NULL AND categories = '{}' AND countries = '{}' AND num_nulls(sport_key, market, matches) = 0 END);

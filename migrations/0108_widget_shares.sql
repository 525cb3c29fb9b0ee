-- Shares of a widget's fills: what one network of readers has used of the hour, and the prices that were filled last, for readers that are refused.
ALTER TABLE widget_fills
  -- A hash of the network that asked for one race or match; null: the usual set, and fills of processes of the release before.
  ADD reader text,
  -- With a token of the widget's own page.
  ADD by_page boolean NOT NULL DEFAULT false;

CREATE TABLE widget_last_prices (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- A hash of which bookmakers are compared, and in which market.
  reading text NOT NULL,
  -- A race or a match.
  shown_id text NOT NULL,
  filled_at timestamptz NOT NULL,
  prices jsonb NOT NULL,
  PRIMARY KEY (widget_id, reading, shown_id)
);
ALTER TABLE widget_last_prices SET (autovacuum_vacuum_scale_factor = 0.02);

-- A month's limit of a widget's fills, and the mail that announces it.
-- Null: none.
ALTER TABLE widgets ADD max_fills_per_month integer CHECK (max_fills_per_month > 0);

CREATE TABLE widget_months (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- First day of the UTC month.
  period date NOT NULL,
  fills integer NOT NULL,
  -- Of them, of single races and matches.
  singles integer NOT NULL,
  -- The limit that its owner was mailed about; null: no mail was written.
  mailed_for integer,
  PRIMARY KEY (widget_id, period)
);
ALTER TABLE widget_months SET (autovacuum_vacuum_scale_factor = 0.02);

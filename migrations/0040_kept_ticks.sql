-- Ticks that the archive does not have, kept for ever when their day is dropped (D48): the races that they belong to are reported.
CREATE TABLE kept_ticks (LIKE price_ticks INCLUDING DEFAULTS, PRIMARY KEY (race_id, bookmaker_key, runner_number, captured_at));
CREATE TABLE kept_breaks (LIKE price_breaks INCLUDING DEFAULTS, PRIMARY KEY (race_id, bookmaker_key, runner_number, at));

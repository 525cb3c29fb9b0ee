-- Exchange ticks leave by the same rule as ticks (D48): those that the archive's lay prices do not agree with are kept for ever.
CREATE TABLE kept_exchange_ticks (LIKE exchange_ticks INCLUDING DEFAULTS, PRIMARY KEY (market_id, selection_id, at));

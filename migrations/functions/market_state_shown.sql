-- Whether a customer may see the market state of this book (A 1). `visibleToCustomers` of the domain; a test compares them.
CREATE OR REPLACE FUNCTION market_state_shown(source text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT COALESCE(source NOT IN ('betfair_ex_au', 'pinnacle'), false)
$$;

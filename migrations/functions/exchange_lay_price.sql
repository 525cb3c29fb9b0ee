-- The lay price of a runner on the exchange's WIN market at an instant, from its own ticks and those kept of days whose ticks are gone (D48); null:
-- none was captured in the day before.
CREATE OR REPLACE FUNCTION exchange_lay_price(p_race uuid, p_number smallint, p_at timestamptz) RETURNS double precision LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT e.lay_price
      FROM exchange_markets m JOIN exchange_runners x USING (market_id)
      CROSS JOIN LATERAL (
        SELECT t.at, t.lay_price FROM exchange_ticks t
         WHERE t.market_id = x.market_id AND t.selection_id = x.selection_id AND t.at <= p_at AND t.at > p_at - interval '1 day'
        UNION ALL
        SELECT k.at, k.lay_price FROM kept_exchange_ticks k
         WHERE k.market_id = x.market_id AND k.selection_id = x.selection_id AND k.at <= p_at AND k.at > p_at - interval '1 day') e
     WHERE m.race_id = p_race AND m.market_type = 'WIN' AND x.number = p_number
     ORDER BY e.at DESC LIMIT 1);
END $$;

-- The lay price of a runner on the exchange's WIN market at an instant, from its own ticks; null: none was captured in the day before.
CREATE OR REPLACE FUNCTION exchange_lay_price(p_race uuid, p_number smallint, p_at timestamptz) RETURNS double precision LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT e.lay_price
      FROM exchange_markets m JOIN exchange_runners x USING (market_id) JOIN exchange_ticks e USING (market_id, selection_id)
     WHERE m.race_id = p_race AND m.market_type = 'WIN' AND x.number = p_number AND e.at <= p_at AND e.at > p_at - interval '1 day'
     ORDER BY e.at DESC LIMIT 1);
END $$;

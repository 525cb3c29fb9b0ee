-- Whether a price seen at `report_at` is captured as a tick: inside the capture window, and neither the book nor the race's market is closed.
-- A report from before the market closed may arrive just after; without the instant of the close it counts as later. Inlined.
CREATE OR REPLACE FUNCTION captures_prices(
  report_at timestamptz, race_start timestamptz, book_status text, race_status text, race_closed_at timestamptz)
RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT report_at >= race_start - capture_window()
     AND book_status IS DISTINCT FROM 'CLOSED'
     AND (race_status IS DISTINCT FROM 'CLOSED' OR COALESCE(report_at < race_closed_at, false))
$$;

-- What one report of a book means for the row stored of it: the one rule of freshness and order, for a single poll (`write_poll`) and for
-- a batch of unchanged ones (`src/store`). Reads no table and is inlined into the statement that calls it: its columns are then
-- compared again under the row lock when another writer was faster. `stored_`: the row; `race_`: its race; `report_`: the poll.
--
-- `fenced`: a newer holder has the race. `older`: by the book's own clock the report is older than the stored one, so it was delivered
-- late; a clock that fell back further was set, and refusing its reports would silence the book until it catches up. `late`: we already
-- stored a report of this instant or a later one. `resend`: only a hash was sent, and it is not the stored one. `same`: the stored prices stand,
-- so polled_at alone moves. `write`: compare and write.
CREATE OR REPLACE FUNCTION freshness_verdict(
  stored_epoch integer, stored_attempt integer, stored_at timestamptz, stored_book_at timestamptz, stored_hash text,
  stored_captured boolean, stored_status text, race_start timestamptz, race_status text, race_closed_at timestamptz,
  report_epoch integer, report_attempt integer, report_at timestamptz, report_book_at timestamptz, report_hash text, report_whole boolean)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN (stored_epoch, stored_attempt) > (report_epoch, report_attempt) THEN 'fenced'
    WHEN stored_book_at > report_book_at AND stored_book_at < report_book_at + interval '5 minutes' THEN 'older'
    WHEN stored_at >= report_at THEN 'late'
    WHEN report_whole THEN 'write'
    -- A 304 has no hash.
    WHEN report_hash <> COALESCE(stored_hash, '') THEN 'resend'
    WHEN stored_captured OR NOT captures_prices(report_at, race_start, stored_status, race_status, race_closed_at) THEN 'same'
    ELSE 'write'
  END
$$;

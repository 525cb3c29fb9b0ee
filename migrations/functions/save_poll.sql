-- For processes of the release before, until they are gone: `write_poll` with its verdict as one text.
CREATE OR REPLACE FUNCTION save_poll(
  p_race uuid, p_book text, p_epoch integer, p_attempt integer, p_at timestamptz, p_book_at timestamptz,
  p_reply_hash text, p_reply text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v poll_verdict := write_poll(p_race, p_book, p_epoch, p_attempt, p_at, p_book_at, p_reply_hash, p_reply);
BEGIN
  RETURN format('%s|%s|%s|%s|%s|%s|%s',
                v.verdict, v.changed, v.ticks, v.card_differs, v.start_version, v.start_moved, v.market_closed_at);
END $$;

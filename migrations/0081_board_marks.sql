-- When what the live board shows was last written, by the database's own clock and under the lock of the marked table, as in 0010: what a client of
-- the stream missed is found by it (D64). `written_at` and `moved_written_at` stay what `changes` follows, which reports fewer fields.
ALTER TABLE races ADD COLUMN board_written_at timestamptz;
-- In no index: a poll that moves a place price only stays a HOT update, and it is looked up race by race.
ALTER TABLE race_books
  ADD COLUMN board_written_at timestamptz,
  -- When the book's own id of the race was last written, which its betslip links are made from.
  ADD COLUMN linked_written_at timestamptz;
ALTER TABLE race_book_cards ADD COLUMN board_written_at timestamptz;
ALTER TABLE betslip_checks ADD COLUMN board_written_at timestamptz;
CREATE INDEX races_board_written ON races (board_written_at);
CREATE INDEX race_books_linked ON race_books (linked_written_at);
CREATE INDEX race_book_cards_written ON race_book_cards (board_written_at);

CREATE FUNCTION mark_board() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.board_written_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE FUNCTION mark_book_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.linked_written_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE TRIGGER races_board_added BEFORE INSERT ON races FOR EACH ROW EXECUTE FUNCTION mark_board();
-- `written_at` rises with every write of a runner.
CREATE TRIGGER races_board_written BEFORE UPDATE ON races FOR EACH ROW
  WHEN ((NEW.written_at, NEW.meeting_date, NEW.category, NEW.venue, NEW.venue_id, NEW.venue_canonical, NEW.venue_site, NEW.race_number,
         NEW.country, NEW.start_time, NEW.race_name, NEW.distance_m, NEW.track_condition, NEW.weather, NEW.race_class, NEW.conditions,
         NEW.prize_total, NEW.rail, NEW.track_name, NEW.places_paid, NEW.status, NEW.market_status, NEW.market_closed_at,
         NEW.market_state_source, NEW.jumped_at, NEW.left_board_at, NEW.track_condition_changed_at)
    IS DISTINCT FROM
        (OLD.written_at, OLD.meeting_date, OLD.category, OLD.venue, OLD.venue_id, OLD.venue_canonical, OLD.venue_site, OLD.race_number,
         OLD.country, OLD.start_time, OLD.race_name, OLD.distance_m, OLD.track_condition, OLD.weather, OLD.race_class, OLD.conditions,
         OLD.prize_total, OLD.rail, OLD.track_name, OLD.places_paid, OLD.status, OLD.market_status, OLD.market_closed_at,
         OLD.market_state_source, OLD.jumped_at, OLD.left_board_at, OLD.track_condition_changed_at))
  EXECUTE FUNCTION mark_board();

CREATE TRIGGER race_books_board_added BEFORE INSERT ON race_books FOR EACH ROW EXECUTE FUNCTION mark_board();
-- Not on a poll that found nothing new: it sets none of these columns.
CREATE TRIGGER race_books_board_written
  BEFORE UPDATE OF numbers, win, place, top2, top3, top4, tote, source_url ON race_books FOR EACH ROW
  WHEN (OLD.polled_at IS NULL OR (NEW.numbers, NEW.win, NEW.place, NEW.top2, NEW.top3, NEW.top4, NEW.tote, NEW.source_url)
    IS DISTINCT FROM (OLD.numbers, OLD.win, OLD.place, OLD.top2, OLD.top3, OLD.top4, OLD.tote, OLD.source_url))
  EXECUTE FUNCTION mark_board();
CREATE TRIGGER race_books_linked BEFORE UPDATE OF source_race_id ON race_books FOR EACH ROW
  WHEN (NEW.source_race_id IS DISTINCT FROM OLD.source_race_id) EXECUTE FUNCTION mark_book_link();

CREATE TRIGGER race_book_cards_written BEFORE INSERT OR UPDATE ON race_book_cards FOR EACH ROW EXECUTE FUNCTION mark_board();

CREATE TRIGGER betslip_checks_added BEFORE INSERT ON betslip_checks FOR EACH ROW EXECUTE FUNCTION mark_board();
CREATE TRIGGER betslip_checks_turned BEFORE UPDATE ON betslip_checks FOR EACH ROW
  WHEN (NEW.ok IS DISTINCT FROM OLD.ok) EXECUTE FUNCTION mark_board();

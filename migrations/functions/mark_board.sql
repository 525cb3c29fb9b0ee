-- Trigger: marks a row when what the live board shows of it is written.
CREATE OR REPLACE FUNCTION mark_board() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.board_written_at := clock_timestamp();
  RETURN NEW;
END $$;

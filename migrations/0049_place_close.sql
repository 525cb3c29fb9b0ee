-- The place close of closing line value: the last captured place price up to the jump, and whole seconds from its last observation to the jump. Null: none.
ALTER TABLE archived_closing_lines ADD COLUMN clv_place_price double precision, ADD COLUMN clv_place_secs_to_jump integer;
ALTER TABLE withheld_closing_lines ADD COLUMN clv_place_price double precision, ADD COLUMN clv_place_secs_to_jump integer;

-- How many closing lines of withheld books a race was archived with: its ticks stand until they are all there (`unarchived_ticks`). Null: it was archived
-- before they were counted, and they are not compared.
ALTER TABLE archived_races ADD COLUMN withheld_lines smallint;

-- Takes the rights that only processes of the release before need, and gives those to write what they cannot read well: `ops roles` applies this after
-- `rights.sql`, `ops migrate` does not, because such processes run beside it. Each line moves to `rights.sql` with the next release.
--
-- They deleted and rewrote the archive of a race, the result of an abandoned race and captures of a match by statements of their own.
REVOKE DELETE ON archived_price_paths, withheld_price_paths, archived_closing_lines, archived_runners FROM racing_worker;
REVOKE UPDATE, DELETE ON withheld_closing_lines, archived_summaries, sport_ticks FROM racing_worker;
REVOKE INSERT ON archived_closing_lines, withheld_closing_lines FROM racing_worker;
REVOKE DELETE ON race_results, race_book_results FROM racing_worker;
-- They read a form from its row.
GRANT INSERT ON backfill_forms TO racing_worker;
-- They compare the counts of a day by a join that unpacks every packed race.
GRANT EXECUTE ON FUNCTION pack_price_paths(uuid, timestamptz) TO racing_worker;

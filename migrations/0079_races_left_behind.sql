-- Races that no workflow followed to their end never left the board in the database (D63): no archive had them. The database has no clock of the racing
-- world here; the newest report is not later than the present.
UPDATE races SET left_board_at = GREATEST(start_time, jumped_at) + interval '70 minutes'
 WHERE left_board_at IS NULL
   AND GREATEST(start_time, jumped_at) + interval '70 minutes' <= (SELECT max(polled_at) FROM race_books)
   AND NOT EXISTS (SELECT FROM race_control c WHERE c.race_id = races.race_id AND c.tier <> 'none');

-- Moves are read for a week and were kept for ever: what is older than a month goes, and from now on each push deletes its book's own. A process that does so
-- waits for this file, with which `rights.sql` gives the API that right.
DELETE FROM sport_moves WHERE day < (now() AT TIME ZONE 'UTC')::date - 30;

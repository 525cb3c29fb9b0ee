-- Functions that are named before `migrations/functions` makes them, after the numbered files. Until then a trigger refuses every write.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'account_changed', 'announce_backfill', 'announce_moves', 'announce_race', 'announce_result', 'date_delivery', 'dequeue_deliveries',
    'keep_disabling', 'keep_scopes', 'key_epoch', 'key_has_account', 'key_plan_changed', 'mark_board', 'mark_book_link', 'mark_sport_books',
    'mark_sports', 'move_runs_by_name', 'notify_key_changed', 'place_event', 'queue_deliveries', 'race_due', 'runners_due', 'write_race',
    'write_race_names', 'write_runs_by_name'
  ] LOOP
    EXECUTE format('CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RAISE ''%s() is not installed yet''; END $f$', name, name);
  END LOOP;
END $$;

-- `archive_facts_now` names it, and is made before it.
CREATE FUNCTION market_state_shown(source text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT false $$;

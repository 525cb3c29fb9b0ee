-- The rights of the two groups in this database, all of them: what is not granted here is taken away. Applied after every migration and by
-- `ops roles` (`src/store/pg/roles.ts`), because roles belong to the cluster and may be newer or older than the database. Tables have no rights
-- of others to take away, and functions run with the rights of their caller, but for those that are granted here by name. What only processes of the
-- release before need is taken away by `rights-after-rollout.sql`.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM racing_worker, racing_api;

-- No login makes tables, lasting or temporary ones: those could stand before ours in what a function reads.
DO $$
BEGIN
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, racing_worker, racing_api', current_database());
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC, racing_worker, racing_api;

-- Workers collect. Keys are none of their business, and no process but the migration changes the schema.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO racing_worker;
REVOKE ALL ON account_bookmakers, account_notices, account_owners, accounts, api_keys, billing_accounts, closed_mailboxes, credit_balances, credit_closed, credit_days, credit_grants, credit_late_lines,
  credit_ledger, credit_once, credit_usage, known_browsers, mail_minutes, mailed_links, mails, overage_invoices, passkey_challenges, passkeys, payment_events, plan_changes, price_alert_days, price_alerts, referral_rewards, referrals,
  refused_calls, refused_counts, service_secrets, sessions, shared_charges, widget_fills, widget_last_prices, widget_months, widgets FROM racing_worker;
-- A process waits for the migrations of its release, and no more.
REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM racing_worker;
-- Ticks and events are only added. Of an event they write how it was sent (a lock on it needs that right too).
REVOKE UPDATE, DELETE ON price_ticks, price_breaks, exchange_ticks, kept_ticks, kept_breaks, kept_gaps, kept_exchange_ticks, events FROM racing_worker;
GRANT UPDATE (fanned_at, sequence, body, position) ON events TO racing_worker;
-- A trigger alone writes them.
REVOKE INSERT, UPDATE, DELETE ON poll_gaps FROM racing_worker;
-- What was announced once stays announced.
REVOKE UPDATE, DELETE ON event_keys FROM racing_worker;
-- The archive of a race is added to. It is rewritten, counted and its price paths copied from ticks and packed by these functions alone, a race at a time,
-- and that its ticks are gone is written by `drop_archived_ticks`.
REVOKE INSERT, UPDATE, DELETE ON archived_counts, archived_day_counts, archived_day_marks, archived_days, archived_month_counts, archived_totals FROM racing_worker;
REVOKE INSERT, UPDATE, DELETE ON packed_closing_lines, packed_withheld_lines, packed_price_paths, packed_withheld_paths, price_path_rows, withheld_path_rows FROM racing_worker;
REVOKE INSERT, UPDATE ON archived_price_paths, withheld_price_paths FROM racing_worker;
REVOKE UPDATE, DELETE ON closing_line_rows, withheld_line_rows FROM racing_worker;
REVOKE UPDATE ON archived_closing_lines, archived_runners FROM racing_worker;
REVOKE UPDATE, DELETE ON archived_marks FROM racing_worker;
REVOKE INSERT, UPDATE, DELETE ON archived_races FROM racing_worker;
GRANT INSERT (race_id, start_time, jump_at, start_day, meeting_date, category, venue, venue_id, venue_site, race_number, country, result_status,
    venue_split_suspect, outcome, abandoned, facts, path_facts, archived_at, withheld_lines),
  UPDATE (start_time, jump_at, start_day, meeting_date, category, venue, venue_id, venue_site, race_number, country, result_status,
    venue_split_suspect, outcome, abandoned, facts, path_facts, archived_at, withheld_lines) ON archived_races TO racing_worker;
GRANT EXECUTE ON FUNCTION clear_archived_race(uuid, boolean), save_close_lay(uuid), count_archived_race(uuid), add_archived_day(uuid, integer),
  rescore_summaries(uuid, smallint[], float8[], text[], smallint[], float8[], float8[], float8[], text[], float8[]),
  save_archived_counts(uuid, boolean, text[], text[], boolean[], boolean[], boolean[], boolean[], integer[]),
  archive_price_paths(uuid, timestamptz, timestamptz, timestamptz, timestamptz, text[], smallint[], text[], smallint[]),
  archive_withheld_paths(uuid, timestamptz, timestamptz, timestamptz, timestamptz, text[], smallint[], text[], smallint[]),
  drop_packed_rows(timestamptz) TO racing_worker;
-- Packing begins once no process of the release before is left (`rights-after-rollout.sql`).
REVOKE EXECUTE ON FUNCTION pack_price_paths(uuid, timestamptz) FROM racing_worker;
-- An abandonment is taken back, and captures of a match are moved, by these functions alone.
GRANT EXECUTE ON FUNCTION reinstate_result(uuid), move_sport_ticks(uuid, uuid, text, boolean) TO racing_worker;
-- What a fast clock dated ahead is taken back by this function alone.
GRANT EXECUTE ON FUNCTION take_back_ticks(uuid, text) TO racing_worker, racing_api;
-- They charge what they deliver.
GRANT SELECT (account_id, plan, overage) ON accounts TO racing_worker;
GRANT SELECT, INSERT, UPDATE ON credit_balances, credit_usage TO racing_worker;
GRANT SELECT, UPDATE ON credit_grants TO racing_worker;
GRANT SELECT, INSERT ON credit_late_lines, credit_ledger, credit_once TO racing_worker;
-- They close its days, and what is closed stays.
GRANT SELECT, INSERT ON credit_days TO racing_worker;
-- They audit the ledger, and close its months by this function alone.
GRANT SELECT ON credit_closed TO racing_worker;
GRANT EXECUTE ON FUNCTION close_credits(date) TO racing_worker;
-- Delivered forms are only added, and only once no process of the release before is left (`rights-after-rollout.sql`).
REVOKE INSERT, UPDATE, DELETE ON backfill_forms FROM racing_worker;
-- Whether secrets are sealed is the operator's decision, and so is which backup is good.
REVOKE INSERT, UPDATE, DELETE ON secret_sealing, backups FROM racing_worker;

-- Days of events are made and dropped by these functions alone, which run as their owner.
GRANT EXECUTE ON FUNCTION keep_event_days(timestamptz, integer, integer), drop_event_day(timestamptz), delete_event_strays(timestamptz, integer)
  TO racing_worker;

-- They give events their places.
GRANT USAGE ON SEQUENCE event_positions TO racing_worker;

-- Days of ticks go by this function alone, which verifies the archive first and runs as its owner.
GRANT EXECUTE ON FUNCTION drop_archived_ticks(date, timestamptz) TO racing_worker;

-- The API reads everything and writes what a push-fed book sends it.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO racing_api;
GRANT INSERT, UPDATE ON races, race_books, race_book_cards, race_names, race_runners, venue_spellings, track_condition_changes,
  connector_health, connector_counts TO racing_api;
GRANT INSERT ON price_ticks, price_breaks TO racing_api;
GRANT INSERT, UPDATE ON sport_events, sport_event_books, sport_levels, sport_quotes, sport_pushes, sport_push_sports TO racing_api;
GRANT INSERT ON sport_ticks TO racing_api;
-- Moves go after a month.
GRANT INSERT, UPDATE, DELETE ON sport_moves TO racing_api;
GRANT INSERT, UPDATE, DELETE ON sport_lines TO racing_api;
-- Decisions go when they are old.
GRANT INSERT, UPDATE, DELETE ON sport_decisions TO racing_api;
-- What it found of a push.
GRANT INSERT, UPDATE ON quality_push_checks TO racing_api;
-- It charges, and never changes a line of the ledger. It grants what a referral earns.
GRANT INSERT, UPDATE ON credit_balances, credit_grants, credit_usage TO racing_api;
GRANT INSERT ON credit_late_lines, credit_ledger, credit_once TO racing_api;
GRANT INSERT, UPDATE ON bulk_downloads TO racing_api;
-- Calls under one Idempotency-Key, which it forgets after two days.
GRANT INSERT, UPDATE, DELETE ON shared_charges, refused_calls, refused_counts TO racing_api;
-- It takes backfill orders, and cancels what is still queued.
GRANT INSERT, UPDATE ON backfill_jobs, backfill_items TO racing_api;
GRANT INSERT ON backfill_accounts TO racing_api;
-- It signs customers in, and manages their keys. It gives no key a role, so it can make no operator's.
GRANT INSERT, UPDATE ON accounts, account_owners, mail_minutes, mailed_links, mails TO racing_api;
GRANT INSERT (key_hash, last4, label, plan, issued_at, key_id, account_id, is_primary, version, rotated_at, allowed_addresses, revealed, scopes),
  UPDATE (plan, label, revoked_at, expires_at, rotated_at, allowed_addresses, scopes) ON api_keys TO racing_api;
GRANT INSERT, DELETE ON known_browsers, sessions, passkey_challenges TO racing_api;
GRANT INSERT, UPDATE, DELETE ON account_bookmakers, passkeys TO racing_api;
-- An account that is closed loses its owner. One that leaves a mailbox counts for it until the month ends.
GRANT DELETE ON account_owners TO racing_api;
GRANT INSERT, UPDATE, DELETE ON closed_mailboxes TO racing_api;
-- Keys that have ended go by this function alone.
GRANT EXECUTE ON FUNCTION forget_ended_keys(timestamptz, integer) TO racing_api;
-- Used and expired links, sent mails, past minutes.
GRANT DELETE ON mail_minutes, mailed_links, mails TO racing_api;
-- What owners were mailed about, and the plans that they do not know yet.
GRANT INSERT, UPDATE ON account_notices TO racing_api;
GRANT INSERT, UPDATE, DELETE ON plan_changes TO racing_api;
-- It makes, marks and mails price alerts.
GRANT INSERT, UPDATE, DELETE ON price_alert_days, price_alerts TO racing_api;
-- It reads what was bought from the payment provider, and invoices overage.
GRANT INSERT, UPDATE ON billing_accounts, overage_invoices, referrals TO racing_api;
GRANT INSERT ON referral_rewards TO racing_api;
GRANT INSERT, DELETE ON payment_events TO racing_api;
GRANT DELETE ON race_runners TO racing_api;
-- Of a race's start, by a trigger; and a lock, which no column is written under.
GRANT UPDATE (start_time) ON runs_by_name TO racing_api;
GRANT UPDATE (updated_at) ON race_control TO racing_api;
-- What it writes of races makes their archive due.
GRANT INSERT, UPDATE ON due_races TO racing_api;
-- What it writes of races and jobs is announced.
GRANT INSERT ON events, event_keys TO racing_api;
GRANT INSERT, UPDATE ON announced_races TO racing_api;
-- It manages webhooks, their test calls and replays.
GRANT INSERT, UPDATE ON webhooks, webhook_deliveries TO racing_api;
GRANT INSERT, UPDATE, DELETE ON webhook_queue TO racing_api;
GRANT INSERT, DELETE ON webhook_replays TO racing_api;
-- When one is enabled again, by a trigger; and how far the places of events were given.
GRANT UPDATE ON webhook_disablings TO racing_api;
GRANT SELECT ON SEQUENCE event_positions TO racing_api;
-- It manages widgets, and charges their fills.
GRANT INSERT, UPDATE, DELETE ON widgets TO racing_api;
GRANT INSERT, DELETE ON widget_fills TO racing_api;
GRANT INSERT, UPDATE, DELETE ON widget_last_prices TO racing_api;
GRANT INSERT, UPDATE, DELETE ON widget_months TO racing_api;

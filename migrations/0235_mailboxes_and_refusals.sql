-- Outside a transaction.
-- An account that changes its address leaves a mailbox, as one that is closed does: each of its mailboxes of the month has a row.
DROP INDEX CONCURRENTLY IF EXISTS closed_mailboxes_of_account;
CREATE UNIQUE INDEX CONCURRENTLY closed_mailboxes_of_account ON closed_mailboxes (account_id, mailbox_digest);
ALTER TABLE closed_mailboxes DROP CONSTRAINT IF EXISTS closed_mailboxes_pkey,
  ADD CONSTRAINT closed_mailboxes_pkey PRIMARY KEY USING INDEX closed_mailboxes_of_account;

-- Null: there is no operation at the address.
ALTER TABLE refused_calls ALTER COLUMN operation DROP NOT NULL;

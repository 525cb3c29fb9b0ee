-- One mailbox is one account of those that customers open: all spellings of an address that its provider delivers to one mailbox have one key
-- (`src/accounts/email/mailbox.ts`). Null: no process has computed it yet, as for rows of the release before.
ALTER TABLE account_owners
  ADD COLUMN mailbox text,
  -- Of the accounts of one mailbox one owns it. Further ones existed before this rule, or were opened by an operator.
  ADD COLUMN owns_mailbox boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX account_owners_of_mailbox ON account_owners (mailbox) WHERE owns_mailbox;
CREATE INDEX account_owners_without_mailbox ON account_owners (verified_at, account_id) WHERE mailbox IS NULL;

-- Links are counted by mailbox before another one is mailed. Null: of the release before, counted by none for its last day.
ALTER TABLE mailed_links ADD COLUMN mailbox text;
CREATE INDEX mailed_links_of_mailbox ON mailed_links (mailbox, created_at);

-- An account buys a plan; its keys share the plan and the credits. A key that comes without an account gets one of its own; one that comes with
-- an account has its plan.
CREATE TABLE accounts (
  account_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  plan text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Credits beyond the allowance and the grants are billed at the end of the month (A 8, D39).
  overage boolean NOT NULL DEFAULT false,
  -- Set by an operator: it stands whatever is bought, until the operator releases it or another plan is bought.
  plan_by_operator boolean NOT NULL DEFAULT false
);
CREATE TRIGGER accounts_changed AFTER UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION account_changed();

-- Who may call.
CREATE TABLE api_keys (
  key_hash bytea PRIMARY KEY,
  last4 text NOT NULL,
  label text NOT NULL,
  plan text NOT NULL,
  role text NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'internal', 'pusher')),
  issued_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- A key of role `pusher` pushes the prices of this book and calls nothing else.
  bookmaker_key text,
  -- A key that replaces another keeps its key_id, so key_id names no single row. The epoch counts the changes of the key and of its account (D36).
  key_id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  epoch integer NOT NULL DEFAULT 0,
  -- A replaced key works until `expires_at` and keeps its key_id; its replacement has the next version.
  is_primary boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  rotated_at timestamptz,
  expires_at timestamptz,
  -- Addresses that may use the key; empty: all.
  allowed_addresses cidr[] NOT NULL DEFAULT '{}',
  -- Made by a reveal: another one soon after it ends this key, and not the one in use.
  revealed boolean NOT NULL DEFAULT false,
  -- What the key of a team may be used for (D68). Null: everything. The primary key has no scopes.
  scopes text[] CHECK (scopes <@ '{read,archive,webhooks,backfill}' AND cardinality(scopes) > 0),
  CONSTRAINT api_keys_pusher_has_book CHECK ((role = 'pusher') = (bookmaker_key IS NOT NULL)),
  CONSTRAINT api_keys_primary_has_no_scopes CHECK (NOT is_primary OR scopes IS NULL)
);
CREATE INDEX api_keys_of_account ON api_keys (account_id);
CREATE INDEX api_keys_by_id ON api_keys (key_id);
CREATE TRIGGER api_keys_changed AFTER INSERT OR UPDATE OR DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION notify_key_changed();
CREATE TRIGGER api_keys_have_account BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION key_has_account();
CREATE TRIGGER api_keys_epoch BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION key_epoch();
CREATE TRIGGER api_keys_plan_changed AFTER UPDATE OF plan ON api_keys FOR EACH ROW WHEN (OLD.plan <> NEW.plan)
  EXECUTE FUNCTION key_plan_changed();
CREATE TRIGGER api_keys_keep_scopes BEFORE INSERT ON api_keys FOR EACH ROW
  WHEN (NEW.version > 1 AND NEW.scopes IS NULL) EXECUTE FUNCTION keep_scopes();

-- Who owns an account, how its owner signs in, and the mail to owners. An account that an operator made has no owner.
CREATE TABLE account_owners (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  email text NOT NULL,
  -- In lower case: two addresses that differ only in case are one.
  email_key text NOT NULL UNIQUE,
  verified_at timestamptz NOT NULL,
  terms_accepted_at timestamptz NOT NULL,
  -- Argon2id, as a PHC string. Null: the owner signs in by mailed links.
  password_hash text,
  marketing_opt_in boolean NOT NULL DEFAULT false,
  marketing_changed_at timestamptz,
  -- The code that was sent at signup, valid or not.
  referred_by_code text,
  -- One mailbox is one account of those that customers open: all spellings of an address that its provider delivers to one mailbox have one key
  -- (`src/accounts/email/mailbox.ts`). Null: no process has computed it yet.
  mailbox text,
  -- Of the accounts of one mailbox one owns it. Further ones were opened by an operator.
  owns_mailbox boolean NOT NULL DEFAULT false
);
CREATE INDEX account_owners_by_referral ON account_owners (referred_by_code) WHERE referred_by_code IS NOT NULL;
CREATE UNIQUE INDEX account_owners_of_mailbox ON account_owners (mailbox) WHERE owns_mailbox;
CREATE INDEX account_owners_without_mailbox ON account_owners (verified_at, account_id) WHERE mailbox IS NULL;

-- Only hashes of tokens are stored (SHA-256).
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_account ON sessions (account_id);

-- Browsers in which an account was signed in before, by the SHA-256 of a cookie: guesses from elsewhere never keep them out.
CREATE TABLE known_browsers (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  expires_at timestamptz NOT NULL
);
CREATE INDEX known_browsers_of_account ON known_browsers (account_id);

CREATE TABLE mailed_links (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'login', 'reset', 'replace_key')),
  -- Null until the address is verified.
  account_id uuid REFERENCES accounts,
  email text NOT NULL,
  -- What was sent at signup.
  signup jsonb,
  -- Of the cookie of the browser that requested the link.
  browser_hash bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- Links are counted by mailbox before another one is mailed.
  mailbox text,
  CHECK ((purpose = 'verify') = (signup IS NOT NULL))
);
CREATE INDEX mailed_links_by_expiry ON mailed_links (expires_at);
-- Links to one address are counted before another one is mailed.
CREATE INDEX mailed_links_by_address ON mailed_links (lower(email), purpose, created_at);
CREATE INDEX mailed_links_of_mailbox ON mailed_links (mailbox, created_at);

-- The outbox of mail: a row is written with its cause, and sent after the response (D40). The text goes once the mail is sent.
CREATE TABLE mails (
  mail_id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  -- Why the last attempt failed.
  problem text,
  -- A mail that was not sent by then is of no use: its link has expired.
  give_up_at timestamptz
);
CREATE INDEX mails_due ON mails (due_at) WHERE sent_at IS NULL AND body IS NOT NULL;

-- How many mails visitors requested in a minute, over all processes. Rows of the last day stay.
CREATE TABLE mail_minutes (
  minute timestamptz PRIMARY KEY,
  requests integer NOT NULL
);

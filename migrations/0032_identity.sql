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
  marketing_changed_at timestamptz
);

-- Only hashes of tokens are stored (SHA-256).
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_account ON sessions (account_id);

CREATE TABLE mailed_links (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'login', 'reset', 'replace_key')),
  -- Null until the address is verified.
  account_id uuid REFERENCES accounts,
  email text NOT NULL,
  -- What was sent at signup.
  signup jsonb,
  -- Of the cookie of the browser that asked for the link.
  browser_hash bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CHECK ((purpose = 'verify') = (signup IS NOT NULL))
);
CREATE INDEX mailed_links_by_expiry ON mailed_links (expires_at);

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
  problem text
);
CREATE INDEX mails_due ON mails (due_at) WHERE sent_at IS NULL AND body IS NOT NULL;

-- A replaced key works until `expires_at` and keeps its key_id; its replacement has the next version.
ALTER TABLE api_keys
  ADD COLUMN is_primary boolean NOT NULL DEFAULT false,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN rotated_at timestamptz,
  ADD COLUMN expires_at timestamptz,
  -- Addresses that may use the key; empty: all.
  ADD COLUMN allowed_addresses cidr[] NOT NULL DEFAULT '{}';
UPDATE api_keys k SET is_primary = true
 WHERE key_hash = (SELECT key_hash FROM api_keys WHERE account_id = k.account_id ORDER BY revoked_at IS NOT NULL, issued_at, key_hash LIMIT 1);

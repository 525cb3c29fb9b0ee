-- Browsers in which an account was signed in before, by the SHA-256 of a cookie: guesses from elsewhere never keep them out.
CREATE TABLE known_browsers (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  expires_at timestamptz NOT NULL
);
CREATE INDEX known_browsers_of_account ON known_browsers (account_id);

-- Links to one address are counted before another one is mailed.
CREATE INDEX mailed_links_by_address ON mailed_links (lower(email), purpose, created_at);

-- A mail that was not sent by then is of no use: its link has expired.
ALTER TABLE mails ADD COLUMN give_up_at timestamptz;

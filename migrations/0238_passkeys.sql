-- Passkeys of owners (WebAuthn): what a sign-in is compared with. The private key never leaves the owner's device.
CREATE TABLE IF NOT EXISTS passkeys (
  -- Follows from the account and the credential, so a credential of one account is never that of another.
  passkey_id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  credential_id bytea NOT NULL,
  -- COSE.
  public_key bytea NOT NULL,
  -- Signatures that the device has reported; 0: it counts none.
  counter bigint NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX IF NOT EXISTS passkeys_of_account ON passkeys (account_id, created_at);
CREATE OR REPLACE TRIGGER passkey_of_open_account BEFORE INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION account_is_open();

-- Challenges that a passkey is to sign, by their SHA-256: each counts once, in the browser that it was made for.
CREATE TABLE IF NOT EXISTS passkey_challenges (
  challenge_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('add', 'sign_in')),
  -- SHA-256 of the cookie that binds it: the session's, or that of one try to sign in.
  cookie_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS passkey_challenges_by_expiry ON passkey_challenges (expires_at);

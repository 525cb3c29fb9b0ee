-- The last check of each book's betslip links (A 2.4 rule 6): a book whose check fails has no link until one passes. A book without a
-- row was never checked, and its links stand.
CREATE TABLE betslip_checks (
  bookmaker_key text PRIMARY KEY,
  checked_at timestamptz NOT NULL,
  ok boolean NOT NULL,
  links integer NOT NULL CHECK (links > 0),
  failed integer NOT NULL CHECK (failed BETWEEN 0 AND links),
  -- Of the first link that failed; null when all opened.
  message text,
  failing_since timestamptz,
  CHECK (ok = (failing_since IS NULL))
);

-- A key of role `pusher` pushes the prices of one book and calls nothing else. The release before this one would serve it as a customer's, so
-- `ops keys` gives it the lowest plan.
ALTER TABLE api_keys
  ADD COLUMN bookmaker_key text,
  DROP CONSTRAINT api_keys_role_check,
  ADD CONSTRAINT api_keys_role_check CHECK (role IN ('customer', 'internal', 'pusher')),
  ADD CONSTRAINT api_keys_pusher_has_book CHECK ((role = 'pusher') = (bookmaker_key IS NOT NULL));

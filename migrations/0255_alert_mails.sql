-- Whether the owner is mailed about price alerts. Alerts are compared and shown in either case.
ALTER TABLE account_owners ADD COLUMN IF NOT EXISTS alert_mails boolean NOT NULL DEFAULT true;
-- The price was reached while the owner wanted no mails of alerts.
ALTER TABLE price_alerts ADD COLUMN IF NOT EXISTS mails_off boolean NOT NULL DEFAULT false;
-- The address that stops mails of this kind by a POST without signing in (RFC 8058). It goes with the text.
ALTER TABLE mails ADD COLUMN IF NOT EXISTS unsubscribe text;

-- Whether the owner is mailed about price alerts. Alerts are compared and shown in either case.
ALTER TABLE account_owners ADD COLUMN IF NOT EXISTS alert_mails boolean NOT NULL DEFAULT true;
-- The price was reached while the owner wanted no mails of alerts.
ALTER TABLE price_alerts ADD COLUMN IF NOT EXISTS mails_off boolean NOT NULL DEFAULT false;
-- The list that a mail is of. The link that stops it is in the text alone, which is sealed and goes when it is sent.
ALTER TABLE mails ADD COLUMN IF NOT EXISTS list text;

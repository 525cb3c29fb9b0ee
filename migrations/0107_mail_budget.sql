-- How many mails visitors asked for in a minute, over all processes. Rows of the last day stay.
CREATE TABLE mail_minutes (
  minute timestamptz PRIMARY KEY,
  requests integer NOT NULL
);

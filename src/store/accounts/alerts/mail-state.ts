// What became of the mail of a price alert, in statements that join the alert `a` with its mail `m`. Null: no mail was
// written of it, because the account had those of the day. `off`: the owner wanted none. `unknown`: its mail is
// deleted.
export const MAIL_STATE = `
         CASE WHEN a.mail_id IS NULL THEN CASE WHEN a.mails_off THEN 'off' END WHEN m.mail_id IS NULL THEN 'unknown' WHEN m.sent_at IS NOT NULL THEN 'sent'
              WHEN m.body IS NULL THEN 'given_up' ELSE 'waiting' END`;

// What became of the mail of a price alert, in statements that join the alert `a` with its mail `m`. Null: no mail was
// written of it. `unknown`: its mail is deleted.
export const MAIL_STATE = `
         CASE WHEN a.mail_id IS NULL THEN NULL WHEN m.mail_id IS NULL THEN 'unknown' WHEN m.sent_at IS NOT NULL THEN 'sent'
              WHEN m.body IS NULL THEN 'given_up' ELSE 'waiting' END`;

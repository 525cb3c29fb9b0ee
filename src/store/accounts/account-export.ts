// What is stored of an account, as its export has it: each list a page of rows at a time, in short statements, so that
// a client that does not read holds no connection. Never a hash, a token or a secret.
import type { Pool } from 'pg';
import { MAIL_STATE } from './alerts/mail-state';

type Row = Readonly<Record<string, unknown>>;

export interface AccountExport {
  /** Members of the document beside its lists. Null: there is no such account. */
  readonly about: (accountId: string) => Promise<Row | null>;
  /** The rows of a list, a page at a time. */
  readonly pages: (list: ExportedList, accountId: string) => AsyncGenerator<readonly Row[]>;
}

interface ListQuery {
  /** Before the first row: the values of `after`. */
  readonly first: readonly string[];
  /** `$1`: the account; then the month, if read by month; then `after`. Rows have a `line` and the next `after`. */
  readonly text: string;
}

const AT = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const DAY = (column: string): string => `to_char(${column}, 'YYYY-MM-DD')`;
const PAGE = 1000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

const ABOUT = `
  SELECT json_build_object(
           'account_id', a.account_id, 'plan', a.plan, 'created_at', ${AT('a.created_at')}, 'closed_at', ${AT('a.closed_at')},
           'overage', a.overage, 'email', o.email, 'email_verified_at', ${AT('o.verified_at')}, 'has_password', o.password_hash IS NOT NULL,
           'terms_accepted_at', ${AT('o.terms_accepted_at')}, 'terms_version', o.terms_version, 'privacy_version', o.privacy_version,
           'marketing_opt_in', o.marketing_opt_in, 'credit_mails', o.credit_mails, 'alert_mails', o.alert_mails, 'marketing_changed_at', ${AT('o.marketing_changed_at')}, 'referred_by_code', o.referred_by_code
         ) AS account,
         (SELECT json_build_object('code', r.code, 'payout', r.payout) FROM referrals r WHERE r.account_id = a.account_id) AS referral,
         (SELECT json_build_object('customer_id', b.customer_id, 'plan', b.plan, 'interval', b.interval, 'is_cancelling', b.is_cancelling,
                                   'paid_until', ${AT('b.paid_until')}, 'unpaid_since', ${AT('b.unpaid_since')}, 'read_at', ${AT('b.read_at')})
            FROM billing_accounts b WHERE b.account_id = a.account_id) AS subscription,
         (SELECT json_build_object('order', c.book_order, 'hidden', c.hidden, 'changed_at', ${AT('c.changed_at')})
            FROM account_bookmakers c WHERE c.account_id = a.account_id) AS bookmakers,
         COALESCE((SELECT g.remaining FROM credit_grants g WHERE g.account_id = a.account_id), 0)::bigint AS granted_credits
    FROM accounts a LEFT JOIN account_owners o USING (account_id) WHERE a.account_id = $1`;

const LISTS = {
  keys: {
    first: [NO_ID, '0'],
    text: `
      SELECT json_build_object(
               'key_id', key_id, 'label', label, 'last4', last4, 'role', role, 'is_primary', is_primary, 'issued_at', ${AT('issued_at')},
               'version', version, 'rotated_at', ${AT('rotated_at')}, 'expires_at', ${AT('expires_at')}, 'revoked_at', ${AT('revoked_at')},
               'ip_whitelist', allowed_addresses::text[], 'scopes', scopes) AS line,
             ARRAY[key_id::text, version::text] AS after
        FROM api_keys WHERE account_id = $1 AND (key_id, version) > ($2::uuid, $3::integer) ORDER BY key_id, version LIMIT ${PAGE}`,
  },
  sessions: {
    first: ['-infinity'],
    text: `
      SELECT json_build_object('signed_in_at', ${AT('created_at')}, 'expires_at', ${AT('expires_at')}) AS line, ARRAY[created_at::text] AS after
        FROM sessions WHERE account_id = $1 AND created_at > $2::timestamptz ORDER BY created_at FETCH FIRST ${PAGE} ROWS WITH TIES`,
  },
  passkeys: {
    first: [NO_ID],
    text: `
      SELECT json_build_object('name', label, 'created_at', ${AT('created_at')}, 'last_used_at', ${AT('last_used_at')}) AS line,
             ARRAY[passkey_id::text] AS after
        FROM passkeys WHERE account_id = $1 AND passkey_id > $2::uuid ORDER BY passkey_id LIMIT ${PAGE}`,
  },
  widgets: {
    first: [''],
    text: `
      SELECT json_build_object(
               'widget_id', widget_id, 'embed_id', embed_id, 'name', name, 'type', type, 'allowed_origins', allowed_origins,
               'link_templates', link_templates, 'bookmakers', bookmakers, 'categories', categories, 'countries', countries, 'races', races,
               'sport_key', sport_key, 'market', market, 'matches', matches, 'title', title, 'accent', accent, 'theme', theme, 'paused', paused,
               'max_fills_per_hour', max_fills_per_hour, 'max_fills_per_month', max_fills_per_month, 'created_at', ${AT('created_at')},
               'changed_at', ${AT('changed_at')}, 'last_filled_at', ${AT('last_filled_at')}) AS line,
             ARRAY[widget_id] AS after
        FROM widgets WHERE account_id = $1 AND widget_id > $2 ORDER BY widget_id LIMIT ${PAGE}`,
  },
  price_alerts: {
    first: [NO_ID],
    text: `
      SELECT json_build_object(
               'alert_id', alert_id, 'race_id', race_id, 'number', runner_number, 'name', runner_name, 'market', market, 'at_least', at_least,
               'created_at', ${AT('a.created_at')}, 'reached_at', ${AT('reached_at')}, 'price', price, 'bookmaker', bookmaker_key,
               'price_read_at', ${AT('polled_at')}, 'mail', ${MAIL_STATE}, 'ended_at', ${AT('ended_at')}, 'end_reason', end_reason) AS line,
             ARRAY[alert_id::text] AS after
        FROM price_alerts a LEFT JOIN mails m USING (mail_id) WHERE a.account_id = $1 AND alert_id > $2::uuid ORDER BY alert_id LIMIT ${PAGE}`,
  },
  price_alert_days: {
    first: ['-infinity'],
    text: `
      SELECT json_build_object('day', ${DAY('day')}, 'mails', mails) AS line, ARRAY[day::text] AS after
        FROM price_alert_days WHERE account_id = $1 AND day > $2::date ORDER BY day LIMIT ${PAGE}`,
  },
  backfill_jobs: {
    first: [''],
    text: `
      SELECT json_build_object('job_id', job_id, 'label', label, 'submitted_at', ${AT('submitted_at')}) AS line, ARRAY[job_id] AS after
        FROM backfill_jobs WHERE account_id = $1 AND job_id > $2 ORDER BY job_id LIMIT ${PAGE}`,
  },
  refused_calls: {
    first: ['-infinity', ''],
    text: `
      SELECT json_build_object('at', ${AT('at')}, 'key_id', key_id, 'operation', operation, 'status', status, 'code', code, 'detail', detail,
                               'request_id', request_id) AS line,
             ARRAY[at::text, request_id] AS after
        FROM refused_calls WHERE account_id = $1 AND (at, request_id) > ($2::timestamptz, $3) ORDER BY at, request_id
       FETCH FIRST ${PAGE} ROWS WITH TIES`,
  },
  referral_rewards: {
    first: ['-infinity'],
    text: `
      SELECT json_build_object('credits', credits, 'at', ${AT('at')}) AS line, ARRAY[at::text] AS after
        FROM referral_rewards WHERE referrer_id = $1 AND at > $2::timestamptz ORDER BY at FETCH FIRST ${PAGE} ROWS WITH TIES`,
  },
  overage_invoices: {
    first: ['-infinity'],
    text: `
      SELECT json_build_object('period', ${DAY('period')}, 'cents', cents, 'decided_at', ${AT('decided_at')}, 'item_id', item_id,
                               'invoiced_at', ${AT('invoiced_at')}, 'settled_at', ${AT('settled_at')}) AS line,
             ARRAY[period::text] AS after
        FROM overage_invoices WHERE account_id = $1 AND period > $2::date ORDER BY period LIMIT ${PAGE}`,
  },
  months: {
    first: ['-infinity'],
    text: `
      SELECT json_build_object('period', ${DAY('period')}, 'used', used, 'from_grants', from_grants, 'overage', overage) AS line,
             ARRAY[period::text] AS after
        FROM credit_balances WHERE account_id = $1 AND period > $2::date ORDER BY period LIMIT ${PAGE}`,
  },
  usage_by_day: {
    first: ['-infinity', NO_ID, ''],
    text: `
      SELECT json_build_object('day', ${DAY('day')}, 'key_id', key_id, 'endpoint', subject, 'calls', calls, 'credits', credits,
                               'last_at', ${AT('last_at')}) AS line,
             ARRAY[day::text, key_id::text, subject] AS after
        FROM credit_usage WHERE account_id = $1 AND (day, key_id, subject) > ($2::date, $3::uuid, $4) ORDER BY day, key_id, subject LIMIT ${PAGE}`,
  },
  statement_days: {
    first: ['-infinity', '-infinity'],
    text: `
      SELECT json_build_object('period', ${DAY('period')}, 'day', ${DAY('day')}, 'lines', lines, 'used', used, 'from_grants', from_grants,
                               'overage', overage, 'granted', granted, 'previous', encode(previous, 'hex'), 'head', encode(head, 'hex')) AS line,
             ARRAY[period::text, day::text] AS after
        FROM credit_days WHERE account_id = $1 AND (period, day) > ($2::date, $3::date) ORDER BY period, day LIMIT ${PAGE}`,
  },
  // A month's lines by their time, because its index has them so; lines of one instant stay on one page.
  ledger: {
    first: ['infinity'],
    text: `
      SELECT json_build_object('at', ${AT('at')}, 'period', ${DAY('period')}, 'kind', kind, 'key_id', key_id, 'subject', subject, 'credits', credits,
                               'from_grants', from_grants, 'overage', overage, 'overage_plan', overage_plan, 'charge_id', charge_id) AS line,
             ARRAY[at::text] AS after
        FROM credit_ledger WHERE account_id = $1 AND period = $2::date AND at < $3::timestamptz ORDER BY at DESC FETCH FIRST ${PAGE} ROWS WITH TIES`,
  },
  // A month at a time: each is one page.
  closed_months: {
    first: [],
    text: `
      SELECT json_build_object('period', ${DAY('period')}, 'key_id', key_id, 'kind', kind, 'subject', subject, 'lines', lines, 'credits', credits,
                               'from_grants', from_grants, 'overage', overage, 'overage_plan', overage_plan) AS line, ARRAY[]::text[] AS after
        FROM credit_closed WHERE account_id = $1 AND period = $2::date ORDER BY key_id, kind, subject, overage_plan`,
  },
} as const satisfies Record<string, ListQuery>;

export type ExportedList = keyof typeof LISTS;
export const EXPORTED_LISTS = Object.keys(LISTS) as readonly ExportedList[];

/** Those that are read a month at a time. */
const BY_MONTH: ReadonlySet<ExportedList> = new Set(['ledger', 'closed_months']);

/** The months since the account was opened. */
const MONTHS = `
  SELECT ${DAY('month')} AS month
    FROM accounts, generate_series(date_trunc('month', LEAST(created_at, now()) AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '1 day', '1 month') month
   WHERE account_id = $1`;

export function createAccountExport(pool: Pool): AccountExport {
  async function* pagesOf({ first, text }: ListQuery, fixed: readonly string[]): AsyncGenerator<readonly Row[]> {
    let after = first;
    for (;;) {
      const { rows } = await pool.query<{ line: Row; after: string[] }>(text, [...fixed, ...after]);
      if (rows.length > 0) yield rows.map(({ line }) => line);
      if (rows.length < PAGE || first.length === 0) return;
      after = rows.at(-1)!.after;
    }
  }
  return {
    about: async (accountId) => (await pool.query<Row>(ABOUT, [accountId])).rows[0] ?? null,
    async *pages(list, accountId) {
      if (!BY_MONTH.has(list)) return yield* pagesOf(LISTS[list], [accountId]);
      const { rows } = await pool.query<{ month: string }>(MONTHS, [accountId]);
      for (const { month } of rows) yield* pagesOf(LISTS[list], [accountId, month]);
    },
  };
}

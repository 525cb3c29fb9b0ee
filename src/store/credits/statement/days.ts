// Closes the days of the ledger by account and month, and reads what is closed. A day is closed in two steps: its
// balance notes it under the lock under which every line of the account is written, so that from then on no line can
// come to it; then its head is made of lines that never change. Every process makes the same, however often.
// Each month has a chain of its own, which begins with the last head of the months before at that moment: a late line
// adds a head to its month that no later month contains. Never: a head that changes, or a day whose sums are not those
// of its lines.
import type { Pool } from 'pg';
import { inTransaction } from '../../pg/transaction';
import { createDayChain, type DaySums, NO_HEAD, type StatementLine } from './chain';
import { type AccountMonth, linesOfDay, NEXT_DAY } from './lines';

/** A UTC day that has ended, `YYYY-MM-DD`. */
interface Closing {
  readonly through: string;
}

export interface ClosedDay extends DaySums {
  readonly day: string;
  /** In hexadecimal, as `head`. */
  readonly previous: string;
  readonly head: string;
}

export interface StatementMonth {
  readonly period: string;
  /** The last day up to which every line is in it. */
  readonly through: string;
  /** Its lines were turned into sums (D41). */
  readonly isSummed: boolean;
}

export interface CreditDayStore {
  /**
   * In one order, an account's months by time: months that have lines of days up to `through` that are not closed, and
   * of the last two those that are not closed up to it or their end. `after`: beyond this one.
   */
  open(of: Closing & { readonly after: AccountMonth | null; readonly most: number }): Promise<readonly AccountMonth[]>;
  /**
   * A repeat changes nothing. `alive`: at every step. `isLate`: before every day; what is left is for the next run.
   * Resolves to the number of days with lines.
   */
  close(month: AccountMonth, of: Closing, alive?: () => void, isLate?: () => boolean): Promise<number>;
  /** The months of an account that have a closed day, newest first. */
  months(accountId: string): Promise<readonly StatementMonth[]>;
  /** The closed days of a month, oldest first; of all months without one, by month. */
  days(accountId: string, period: string | null): Promise<readonly (ClosedDay & { readonly period: string })[]>;
  lines(month: AccountMonth, day: string): AsyncGenerator<readonly StatementLine[]>;
  /** How the keys of an account are named now, by their public id. */
  keyNames(accountId: string): Promise<readonly KeyNames[]>;
}

interface KeyNames {
  readonly keyId: string;
  readonly label: string;
  readonly last4: string;
}

/** An account's month without lines since its last is closed on, at most once a day, until it has ended. */
const OPEN = `
  (SELECT account_id AS "accountId", period FROM credit_balances
    WHERE open_day <= $1 AND (account_id, period) > ($2::uuid, $3::date) ORDER BY account_id, period LIMIT $4)
   UNION
  (SELECT account_id, period FROM credit_balances
    WHERE period BETWEEN date_trunc('month', $1::date::timestamp) - interval '1 month' AND $1
      AND COALESCE(closed_day, period - 1) < least($1, (period + interval '1 month')::date - 1)
      AND (account_id, period) > ($2::uuid, $3::date) ORDER BY account_id, period LIMIT $4)
   ORDER BY 1, 2 LIMIT $4`;
const FIRST = { accountId: '00000000-0000-0000-0000-000000000000', period: '-infinity' };

/** Waits for a line that is being written. */
const NOTE_CLOSED = `
  UPDATE credit_balances SET closed_day = $3 WHERE account_id = $1 AND period = $2 AND (closed_day IS NULL OR closed_day < $3::date)
  RETURNING COALESCE(open_day > $3, true) AS "hasNoLines"`;

const AFTER = `
  SELECT to_char(COALESCE((SELECT max(day) FROM credit_days WHERE account_id = $1 AND period = $2::date), $2::date - 1), 'YYYY-MM-DD') AS day`;

const PREVIOUS = `
  SELECT encode(head, 'hex') AS head FROM credit_days WHERE account_id = $1 AND (period, day) < ($2::date, $3::date)
   ORDER BY period DESC, day DESC LIMIT 1`;

const SAVE = `
  INSERT INTO credit_days (account_id, period, day, lines, used, from_grants, overage, granted, previous, head)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, decode($9, 'hex'), decode($10, 'hex')) ON CONFLICT DO NOTHING`;

const DAYS = `
  SELECT period, to_char(day, 'YYYY-MM-DD') AS day, lines, used, from_grants AS "fromGrants", overage, granted,
         encode(previous, 'hex') AS previous, encode(head, 'hex') AS head
    FROM credit_days d WHERE account_id = $1 AND ($2::date IS NULL OR period = $2) ORDER BY d.period, d.day`;

/** A month is being closed while a day up to `closed_day` is open: until its last head then. */
const MONTHS = `
  SELECT d.period, to_char(greatest(d.last, CASE WHEN b.open_day <= b.closed_day THEN b.open_day - 1 ELSE b.closed_day END), 'YYYY-MM-DD') AS through,
         EXISTS (SELECT FROM credit_closed c WHERE c.account_id = $1 AND c.period = d.period) AS "isSummed"
    FROM (SELECT period, max(day) AS last FROM credit_days WHERE account_id = $1 GROUP BY period) d
    JOIN credit_balances b ON b.account_id = $1 AND b.period = d.period
   ORDER BY d.period DESC`;

/** The next hour's audit compares its days with its balance. What was wrong is audited again in any case. */
const AUDIT_AGAIN = 'DELETE FROM credit_audits WHERE account_id = $1 AND period = $2 AND faults = 0';

const KEY_NAMES = `
  SELECT DISTINCT ON (key_id) key_id AS "keyId", label, last4 FROM api_keys WHERE account_id = $1 ORDER BY key_id, version DESC`;

export function createCreditDayStore(pool: Pool): CreditDayStore {
  const days: CreditDayStore['days'] = async (accountId, period) =>
    (await pool.query<ClosedDay & { period: string }>(DAYS, [accountId, period])).rows;
  return {
    async open({ through, after, most }) {
      const { accountId, period } = after ?? FIRST;
      return (await pool.query<AccountMonth>(OPEN, [through, accountId, period, most])).rows;
    },
    close: (month, { through }, alive = () => undefined, isLate = () => false) =>
      closeDays(pool, month, through, { alive, isLate }),
    months: async (accountId) => (await pool.query<StatementMonth>(MONTHS, [accountId])).rows,
    days,
    lines: (month, day) => linesOfDay(pool, month, day),
    keyNames: async (accountId) => (await pool.query<KeyNames>(KEY_NAMES, [accountId])).rows,
  };
}

interface Run {
  readonly alive: () => void;
  readonly isLate: () => boolean;
}

async function closeDays(pool: Pool, month: AccountMonth, through: string, run: Run): Promise<number> {
  const of = [month.accountId, month.period];
  const noted = await pool.query<{ hasNoLines: boolean }>(NOTE_CLOSED, [...of, through]);
  if (noted.rows[0]?.hasNoLines) return 0;
  let after = (await pool.query<{ day: string }>(AFTER, of)).rows[0]!.day;
  let closed = 0;
  for (;;) {
    const day = (await pool.query<{ day: string | null }>(`SELECT ${NEXT_DAY} AS day`, [...of, after])).rows[0]!.day;
    if (day === null || day > through) break;
    if (run.isLate()) return closed;
    await closeDay(pool, month, day, run.alive);
    closed += 1;
    after = day;
  }
  // A line that is written meanwhile is seen, because it holds this lock.
  await inTransaction(pool, async (client) => {
    await client.query('SELECT FROM credit_balances WHERE account_id = $1 AND period = $2 FOR UPDATE', of);
    const text = `UPDATE credit_balances SET open_day = (${NEXT_DAY})::date WHERE account_id = $1 AND period = $2`;
    await client.query(text, [...of, after > through ? after : through]);
    await client.query(AUDIT_AGAIN, of);
  });
  return closed;
}

async function closeDay(pool: Pool, month: AccountMonth, day: string, alive: () => void): Promise<void> {
  const of = [month.accountId, month.period, day];
  const previous = (await pool.query<{ head: string }>(PREVIOUS, of)).rows[0]?.head ?? NO_HEAD;
  const chain = createDayChain(previous);
  for await (const page of linesOfDay(pool, month, day)) {
    alive();
    for (const line of page) chain.add(line);
  }
  const { lines, used, fromGrants, overage, granted, head } = chain.end();
  await pool.query(SAVE, [...of, lines, used, fromGrants, overage, granted, previous, head]);
}

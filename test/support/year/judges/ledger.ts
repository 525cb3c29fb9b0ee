// The months of the ledger: each is closed once, in order, to the sums of its lines, and every balance is what the
// customer was charged.
import type { Pool } from 'pg';
import type { Day } from '../../../../src/domain/race/race';

const LINES = `SELECT to_char(period, 'YYYY-MM') AS month, count(*) AS lines, sum(CASE kind WHEN 'return' THEN -credits ELSE credits END)::bigint AS credits
  FROM credit_ledger GROUP BY 1 ORDER BY 1`;
const CLOSED = `SELECT to_char(period, 'YYYY-MM') AS month, sum(lines)::bigint AS lines, sum(CASE kind WHEN 'return' THEN -credits ELSE credits END)::bigint AS credits
  FROM credit_closed GROUP BY 1 ORDER BY 1`;
const BALANCES = `SELECT to_char(period, 'YYYY-MM') AS month, sum(used)::bigint AS credits FROM credit_balances GROUP BY 1 ORDER BY 1`;

/** Months: the ledger has thirteen whole months and the current one. */
const CLOSED_AFTER = 14;

interface Month {
  readonly month: string;
  readonly lines: number;
  readonly credits: number;
}

const read = async (owner: Pool, text: string): Promise<ReadonlyMap<string, Month>> =>
  new Map((await owner.query<Month>(text)).rows.map((row) => [row.month, row]));

export const monthsBefore = (month: string, n: number): string => {
  const months = 12 * Number(month.slice(0, 4)) + Number(month.slice(5, 7)) - 1 - n;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
};

export interface Ledger {
  /** Runs the job and checks the ledger before and after it. `month`: by the wall clock. */
  close(month: string, job: () => Promise<unknown>): Promise<readonly string[]>;
  /** `spent`: credits by month, as the customer counted them. `days`: days completed. */
  compare(spent: ReadonlyMap<string, number>, days: readonly Day[]): Promise<readonly string[]>;
  readonly closed: readonly string[];
}

export function openLedger(owner: Pool): Ledger {
  const closed: string[] = [];
  return {
    closed,
    async close(month, job) {
      const due = monthsBefore(month, CLOSED_AFTER);
      const before = await read(owner, LINES);
      const closedBefore = await read(owner, CLOSED);
      await job();
      const after = await read(owner, LINES);
      const sums = await read(owner, CLOSED);
      const found: string[] = [];
      const gone = [...before.keys()].filter((one) => !after.has(one));
      const came = [...sums.keys()].filter((one) => !closedBefore.has(one));
      if (gone.join() !== due || came.join() !== due)
        found.push(
          `${month}: ${due} was to be closed; gone from the ledger: ${gone.join() || 'none'}, closed: ${came.join() || 'none'}`,
        );
      for (const one of came) {
        closed.push(one);
        const [was, is] = [before.get(one), sums.get(one)!];
        if (was?.lines !== is.lines || was.credits !== is.credits)
          found.push(
            `${one} had ${was?.lines} lines of ${was?.credits} credits, and was closed as ${is.lines} of ${is.credits}`,
          );
      }
      for (const [one, is] of closedBefore)
        if (sums.get(one)?.credits !== is.credits) found.push(`${one}, closed before, has another sum now`);
      return found;
    },
    async compare(spent, days) {
      const found: string[] = [];
      const due = days.filter((day) => day.endsWith('-02')).map((day) => monthsBefore(day, CLOSED_AFTER));
      if (closed.join() !== due.join())
        found.push(`months that were closed: ${closed.join() || 'none'}; those that were due: ${due.join() || 'none'}`);
      const balances = await read(owner, BALANCES);
      const [lines, sums] = [await read(owner, LINES), await read(owner, CLOSED)];
      for (const [month, credits] of spent) {
        const used = balances.get(month)?.credits ?? 0;
        const stated = (lines.get(month)?.credits ?? 0) + (sums.get(month)?.credits ?? 0);
        if (used !== credits || stated !== credits)
          found.push(`${month}: ${credits} credits were charged, the balance has ${used}, ledger and sums ${stated}`);
      }
      return found;
    },
  };
}

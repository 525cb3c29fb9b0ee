// A gauge of the accounts whose credits do not add up, as the hourly audit found it last: of the whole database, so
// every process reports the same.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';

const READ = 'SELECT count(DISTINCT account_id)::int AS faulty FROM credit_audits WHERE faults > 0';

export async function readFaultyCredits(pool: Pool): Promise<number> {
  return (await pool.query<{ faulty: number }>(READ)).rows[0]!.faulty;
}

/** Without an answer of the database the gauge is missing. */
export function observeFaultyCredits(pool: Pool): void {
  metrics
    .getMeter('racing-odds/store')
    .createObservableGauge('racing.credits.faulty', {
      description: 'Accounts of which the last hourly audit found that balance, ledger and daily sums do not add up',
    })
    .addCallback(async (gauge) => {
      const faulty = await readFaultyCredits(pool).catch(() => null);
      if (faulty !== null) gauge.observe(faulty);
    });
}

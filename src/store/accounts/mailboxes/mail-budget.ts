// How many mails all processes together let visitors ask for in a minute: one row a minute, on which they wait for each
// other.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface MailBudget {
  /** Takes one of `most` requests of the minute of an instant (UTC). False: they are taken. */
  take(at: Instant, most: number): Promise<boolean>;
}

const TAKE = `
  INSERT INTO mail_minutes AS of_minute (minute, requests) VALUES (date_trunc('minute', $1::timestamptz, 'UTC'), 1)
  ON CONFLICT (minute) DO UPDATE SET requests = of_minute.requests + 1 WHERE of_minute.requests < $2`;

export const createMailBudget = (pool: Pool): MailBudget => ({
  async take(at, most) {
    return (await pool.query({ name: 'mail-budget', text: TAKE, values: [at, most] })).rowCount === 1;
  },
});

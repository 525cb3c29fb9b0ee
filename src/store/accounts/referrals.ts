// Referral codes, and what both sides earned by them: at most once per referred account, whatever runs at once (D39).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';

export type Payout = 'credits' | 'none';

export interface Referral {
  readonly code: string;
  readonly payout: Payout;
  /** Accounts that signed up with the code. */
  readonly signedUp: number;
  /** Of them, those that have paid. */
  readonly paid: number;
  readonly creditsEarned: number;
}

/** A referred account that has not been rewarded. */
interface Referred {
  readonly referrerId: string;
  readonly payout: Payout;
  readonly email: string;
  readonly referrerEmail: string;
}

interface Reward {
  readonly accountId: string;
  readonly referrerId: string;
  /** Of each side; 0: none. */
  readonly credits: { readonly account: number; readonly referrer: number };
  readonly period: string;
  readonly at: Instant;
}

export interface ReferralStore {
  /** The account's referral; `code` becomes its code if it has none. Null: another account has that code. */
  referral(accountId: string, code: string): Promise<Referral | null>;
  setPayout(accountId: string, payout: Payout): Promise<void>;
  /** Null: the account was not referred, or has been rewarded. */
  unrewarded(accountId: string): Promise<Referred | null>;
  /** Grants the credits with the record of it. Nothing the second time. */
  reward(reward: Reward): Promise<void>;
}

const READ = `
  SELECT r.code, r.payout,
         (SELECT count(*) FROM account_owners o WHERE o.referred_by_code = r.code AND o.account_id <> r.account_id) AS "signedUp",
         (SELECT count(*) FROM referral_rewards w WHERE w.referrer_id = r.account_id) AS paid,
         (SELECT COALESCE(sum(w.credits), 0)::bigint FROM referral_rewards w WHERE w.referrer_id = r.account_id) AS "creditsEarned"
    FROM referrals r WHERE r.account_id = $1`;

const UNREWARDED = `
  SELECT r.account_id AS "referrerId", r.payout, o.email_key AS email, by_owner.email_key AS "referrerEmail"
    FROM account_owners o
    JOIN referrals r ON r.code = o.referred_by_code AND r.account_id <> o.account_id
    JOIN account_owners by_owner ON by_owner.account_id = r.account_id
   WHERE o.account_id = $1 AND NOT EXISTS (SELECT FROM referral_rewards w WHERE w.account_id = o.account_id)`;

export function createReferralStore(pool: Pool): ReferralStore {
  return {
    async referral(accountId, code) {
      await pool.query('INSERT INTO referrals (account_id, code) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        accountId,
        code,
      ]);
      return (await pool.query<Referral>(READ, [accountId])).rows[0] ?? null;
    },
    async setPayout(accountId, payout) {
      await pool.query('UPDATE referrals SET payout = $2 WHERE account_id = $1', [accountId, payout]);
    },
    unrewarded: async (accountId) => (await pool.query<Referred>(UNREWARDED, [accountId])).rows[0] ?? null,
    reward: ({ accountId, referrerId, credits, period, at }) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          'INSERT INTO referral_rewards VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [accountId, referrerId, credits.referrer, at],
        );
        if (rowCount === 0) return;
        const sides = [
          { id: accountId, amount: credits.account },
          { id: referrerId, amount: credits.referrer },
        ].filter(({ amount }) => amount > 0);
        // In one order, so that two rewards never wait for each other.
        for (const { id, amount } of sides.sort((a, b) => (a.id < b.id ? -1 : 1)))
          await client.query('SELECT grant_credits($1, $2, $3, $4, $5)', [id, amount, 'referral', period, at]);
      }),
  };
}

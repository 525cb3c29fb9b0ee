// What a referral earns: credits for both sides at the referred account's first paid invoice, once (D39).
import { periodAt } from '../../plans/credits';
import { REFERRAL_CREDITS } from '../../plans/plans';
import type { ReferralStore } from '../../store/accounts/referrals';
import { isSameMailbox } from './code';

export interface Rewards {
  /** Rewards both sides if the account was referred, has paid by now and was not rewarded. */
  check(accountId: string, hasPaid: () => Promise<boolean>): Promise<void>;
}

export function createRewards(store: Pick<ReferralStore, 'unrewarded' | 'reward'>, wallMs: () => number): Rewards {
  return {
    async check(accountId, hasPaid) {
      const referred = await store.unrewarded(accountId);
      if (!referred || isSameMailbox(referred.email, referred.referrerEmail) || !(await hasPaid())) return;
      const { referrerId, payout } = referred;
      const nowMs = wallMs();
      await store.reward({
        accountId,
        referrerId,
        credits: { account: REFERRAL_CREDITS, referrer: payout === 'credits' ? REFERRAL_CREDITS : 0 },
        period: periodAt(nowMs).id,
        at: new Date(nowMs).toISOString(),
      });
    },
  };
}

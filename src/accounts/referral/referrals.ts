// An account's own view of its referrals: its code, who used it and what that earned.
import type { Payout, Referral, ReferralStore } from '../../store/accounts/referrals';
import { referralCode } from './code';

export interface Referrals {
  /** The account's first call makes its code. */
  read(accountId: string): Promise<Referral>;
  choose(accountId: string, payout: Payout): Promise<Referral>;
}

export function createReferrals(
  store: Pick<ReferralStore, 'referral' | 'setPayout'>,
  random: (bytes: number) => Uint8Array,
): Referrals {
  const read = async (accountId: string): Promise<Referral> => {
    for (;;) {
      const referral = await store.referral(accountId, referralCode(random));
      // Null: the code is another account's.
      if (referral) return referral;
    }
  };
  return {
    read,
    async choose(accountId, payout) {
      await read(accountId);
      await store.setPayout(accountId, payout);
      return read(accountId);
    },
  };
}

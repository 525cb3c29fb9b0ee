// The key services of the operations, over the stores of this process and real randomness.
import { randomBytes } from 'node:crypto';
import { createOpenAccount, type OpenAccount } from '../../../accounts/keys/open-account';
import { createOwnedKeys, type OwnedKeys } from '../../../accounts/keys/owned-keys';
import type { Stores } from '../../../store/stores';

export type KeyStores = Pick<Stores, 'keyReplacement' | 'teamKeys' | 'newAccounts'>;

export interface KeyServices {
  readonly ownedKeys: OwnedKeys;
  readonly openAccount: OpenAccount;
}

export function createKeyServices({ newAccounts, ...own }: KeyStores, wallMs: () => number): KeyServices {
  return {
    ownedKeys: createOwnedKeys({ ...own, wallMs, random: randomBytes }),
    openAccount: createOpenAccount(newAccounts, wallMs, randomBytes),
  };
}

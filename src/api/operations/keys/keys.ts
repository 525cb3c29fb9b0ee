// What operations do with keys, over the stores of this process and real randomness.
import { randomBytes } from 'node:crypto';
import { createOpenAccount, type OpenAccount } from '../../../accounts/keys/open-account';
import { createOwnedKeys, type OwnedKeys } from '../../../accounts/keys/owned-keys';
import type { Stores } from '../../../store/stores';

export type KeyStores = Pick<Stores, 'keyReplacement' | 'teamKeys' | 'newAccounts'>;

export interface KeyServices {
  readonly ownedKeys: OwnedKeys;
  readonly openAccount: OpenAccount;
}

export function createKeyServices(stores: KeyStores | undefined, wallMs: () => number): KeyServices {
  const { newAccounts, ...own } = stores ?? NO_STORES;
  return {
    ownedKeys: createOwnedKeys({ ...own, wallMs, random: randomBytes }),
    openAccount: createOpenAccount(newAccounts, wallMs, randomBytes),
  };
}

const none = () => Promise.reject(new Error('this API has no keys to manage'));
const NO_STORES: KeyStores = {
  keyReplacement: { replaceKey: none },
  teamKeys: { list: none, add: none, change: none, restrict: none, end: none },
  newAccounts: { open: none },
};

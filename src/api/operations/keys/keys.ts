// The key services of the operations, over the stores of this process and real randomness.
import { randomBytes } from 'node:crypto';
import { createOpenAccount, type OpenAccount } from '../../../accounts/keys/open-account';
import { createOwnedKeys, type OwnedKeyDeps, type OwnedKeys } from '../../../accounts/keys/owned-keys';
import type { Stores } from '../../../store/stores';

export type KeyStores = Pick<Stores, 'keyReplacement' | 'teamKeys' | 'newAccounts'>;

export interface KeyServices {
  readonly ownedKeys: OwnedKeys;
  readonly openAccount: OpenAccount;
}

/** Where mails lead, and who learns that one was written. */
export type KeyMails = Pick<OwnedKeyDeps, 'baseUrl' | 'mailWritten'>;

export function createKeyServices(
  { newAccounts, keyReplacement, teamKeys }: KeyStores,
  mails: KeyMails,
  wallMs: () => number,
): KeyServices {
  return {
    ownedKeys: createOwnedKeys({ keyReplacement, teamKeys, ...mails, wallMs, random: randomBytes }),
    openAccount: createOpenAccount(newAccounts, wallMs, randomBytes),
  };
}

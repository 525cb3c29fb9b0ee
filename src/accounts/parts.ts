// What the parts of `createAccounts` share.
import type { AddressChangeStore } from '../store/accounts/address-changes';
import type { ClosureStore } from '../store/accounts/closures';
import type { LegalVersions } from '../store/accounts/links';
import type { MailBudget } from '../store/accounts/mailboxes/mail-budget';
import type { OwnerStore } from '../store/accounts/owners';
import type { PasskeyChallengeStore } from '../store/accounts/passkeys/challenges';
import type { PasskeyStore } from '../store/accounts/passkeys/passkeys';
import type { RedemptionStore } from '../store/accounts/redemptions';
import type { SessionStore } from '../store/accounts/sessions';
import type { AddressBudget } from '../store/redis/address-budget';
import type { ReceivesMail } from './email/mail-domain';
import type { Guesses } from './guesses';
import type { MailedLinks } from './mailed-links';
import type { Passwords } from './passwords';
import type { Random } from './token';

export interface AccountParts {
  readonly owners: OwnerStore;
  readonly sessions: Pick<SessionStore, 'start' | 'beganAfter'>;
  readonly redemptions: RedemptionStore;
  readonly passkeys: PasskeyStore;
  readonly passkeyChallenges: PasskeyChallengeStore;
  readonly closures: ClosureStore;
  readonly addressChanges: AddressChangeStore;
  readonly passwords: Passwords;
  readonly mailBudget: MailBudget;
  /** That visitors may ask for in a minute, over all processes; without it 120. */
  readonly linksPerMinute?: number;
  readonly receivesMail: ReceivesMail;
  /** Counts requests of networks and guesses; never rejects. */
  readonly counts: AddressBudget;
  readonly random: Random;
  /** Wall clock, epoch milliseconds (D37). */
  wallMs(): number;
  readonly baseUrl: string;
  /** At which people open the pages too. */
  readonly otherOrigins?: readonly string[];
  /** Of the texts that customers accept now. */
  readonly versions: LegalVersions;
  /** After a mail was written to the outbox. */
  mailWritten(): void;
  readonly mailedLinks: MailedLinks;
  readonly guesses: Guesses;
}

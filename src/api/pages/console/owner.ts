// What the owner of an account does on its page, over the same services as the operations, and judged by the same
// schemas.
import type { Accounts } from '../../../accounts/accounts';
import type { Minted, OwnedKeys } from '../../../accounts/keys/owned-keys';
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import type { SessionStore } from '../../../store/accounts/sessions';
import type { NewKey, OwnerConsole, Visitor } from '../../../web/account/source';
import { bodyJudge } from '../../kernel/input/judge-body';
import { visitorOf } from '../../kernel/session/visitor';
import { readWhitelist } from '../../operations/keys/whitelist';
import { PasswordChange } from '../../operations/session/credentials-schema';
import { TeamKeyRequest } from '../../operations/team-keys/team-key-schema';
import { accountView, type ViewDeps } from './account-view';
import { type PaymentDeps, payingActions } from './payments';

export interface OwnerDeps extends ViewDeps, PaymentDeps {
  readonly accounts: Accounts;
  readonly ownedKeys: OwnedKeys;
  readonly sessions: Pick<SessionStore, 'remove' | 'removeAll'>;
  readonly baseUrl: string;
  /** Deletes the cookie of the session. */
  forget(visitor: Visitor): void;
}

const judgeKey = bodyJudge(TeamKeyRequest);
const judgePassword = bodyJudge(PasswordChange);

export function ownerOf(deps: OwnerDeps, session: Session, visitor: Visitor): OwnerConsole {
  const { accounts, ownedKeys, sessions, forget } = deps;
  const { accountId, tokenHash } = session;
  /** Of a key that is not used from the owner's browser, which may therefore be shut out. */
  const listOf = (texts: readonly string[]) => {
    const { ip_whitelist } = judgeKey({ label: 'any', ip_whitelist: texts });
    return readWhitelist(ip_whitelist!, '/ip_whitelist', null);
  };
  return {
    async view(webhook = null) {
      const { email, passwordHash, marketingOptIn } = await accounts.account(accountId);
      const owner = { email, hasPassword: passwordHash !== null, marketingOptIn: marketingOptIn ?? false };
      return accountView(deps, session, owner, webhook);
    },
    rotateKey: async (immediate) => newKeyOf(await ownedKeys.rotatePrimary(accountId, immediate)),
    revealKey: async () => newKeyOf(await ownedKeys.reveal(accountId)),
    async allow(texts) {
      const primary = (await ownedKeys.list(accountId)).find(({ isPrimary }) => isPrimary);
      if (!primary) throw new AppError('conflict', 'The account has no key that works.');
      await ownedKeys.restrict({ accountId, keyId: primary.keyId }, listOf(texts));
    },
    async addTeamKey({ label, allowed }) {
      const { label: judged } = judgeKey({ label });
      const { key } = await ownedKeys.issue(session, {
        label: judged,
        allowedAddresses: listOf(allowed),
        scopes: null,
      });
      return { key, previousValidUntilMs: null };
    },
    async changeTeamKey(id, { label, allowed }) {
      const { label: judged } = judgeKey({ label });
      await ownedKeys.change({ accountId }, id, { label: judged, allowedAddresses: listOf(allowed) });
    },
    endTeamKey: (id) => ownedKeys.end({ accountId }, id),
    async setPassword({ current, password }) {
      judgePassword({ current_password: current, new_password: password });
      await accounts.setPassword({ accountId, current, password }, visitorOf(visitor, deps.baseUrl));
    },
    setMarketing: (optIn) => accounts.setMarketing(accountId, optIn),
    ...payingActions(deps, session, visitor.network),
    async signOut() {
      await sessions.remove(tokenHash);
      forget(visitor);
    },
    async signOutEverywhere() {
      await sessions.removeAll(accountId);
      forget(visitor);
    },
  };
}

export const newKeyOf = ({ key, previousValidUntil }: Pick<Minted, 'key' | 'previousValidUntil'>): NewKey => ({
  key,
  previousValidUntilMs: previousValidUntil === null ? null : Date.parse(previousValidUntil),
});

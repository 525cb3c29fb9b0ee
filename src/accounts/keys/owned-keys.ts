// What an owner does with the keys of an account (A 5.3, D38): replaces, restricts, adds and ends them. A key is
// returned once, by the call that makes it. The owner is mailed about each change, and from where it was made (D40).
// Clock and randomness are arguments.
import { AppError } from '../../errors';
import { periodAt } from '../../plans/credits';
import { keyIdOf } from '../../plans/key-id';
import { LIMITS, planWithMore } from '../../plans/limits';
import { type Plan, planNamed } from '../../plans/plans';
import type { Scope } from '../../plans/scopes';
import type { KeyReplacement, Replaced } from '../../store/keys/key-replacement';
import {
  type AccountKey,
  type KeyChange,
  KeyEndedError,
  type KeyManager,
  LabelTakenError,
  type TeamKeyStore,
} from '../../store/keys/team-keys';
import { addressesChanged, keyReplaced, teamKeyAdded, teamKeyEnded } from '../notices/security-notices';
import type { SentFrom } from '../visitor';
import { newKey, type Random } from './new-key';

/** How long a replaced key goes on (A 5.3). */
const GRACE_MS = 24 * 3_600_000;
/** A second reveal within this time comes from the same wish: the key of the first was never received. */
const SAME_WISH_MS = 10 * 60_000;
/** A second rotation by a form within this time is the same form. */
const SAME_FORM_MS = 60_000;

/** A key that was just made, and what it replaced. */
export interface Minted extends Replaced {
  readonly key: string;
  readonly at: string;
}

export interface OwnedKeys {
  /** Replaces this key. `immediate`: it ends at once. Throws `conflict` if it was replaced already. */
  rotate(keyHash: Buffer, immediate: boolean, from: SentFrom): Promise<Minted>;
  /** Replaces the primary key of the account. `immediate`: it ends at once. Throws `conflict` if none works. */
  rotatePrimary(accountId: string, immediate: boolean, from: SentFrom): Promise<Minted>;
  /** The same for a key that may be another one. `name`: the public one. Throws `not_found`. */
  rotateNamed(accountId: string, name: string, immediate: boolean, from: SentFrom): Promise<Minted>;
  /** Replaces the primary key with a day of grace, for an owner who has lost it. */
  reveal(accountId: string, from: SentFrom): Promise<Minted>;
  list(accountId: string): Promise<readonly AccountKey[]>;
  /**
   * One more key for the account of this plan. Throws `conflict` if it has as many as the plan allows. `isLabelOwn`:
   * also if one of its keys has this label.
   */
  issue(
    by: KeyManager & { plan: Plan },
    key: {
      label: string;
      allowedAddresses: readonly string[];
      scopes: readonly Scope[] | null;
      isLabelOwn?: boolean;
    },
    from: SentFrom,
  ): Promise<{
    key: string;
    row: AccountKey;
  }>;
  /** `name`: the public one. Throws `not_found`, or `conflict` for scopes of the primary key. */
  change(by: KeyManager, name: string, change: KeyChange, from: SentFrom): Promise<AccountKey>;
  /** Resolves to the list as it is stored. */
  restrict(
    by: KeyManager & { keyId: string },
    allowedAddresses: readonly string[],
    from: SentFrom,
  ): Promise<readonly string[]>;
  /**
   * Ends a key that is not the primary one. `name`: the public one. Throws `not_found`, or `conflict` for the primary
   * key.
   */
  end(by: KeyManager, name: string, from: SentFrom): Promise<void>;
}

export interface OwnedKeyDeps {
  readonly keyReplacement: KeyReplacement;
  readonly teamKeys: TeamKeyStore;
  /** Epoch milliseconds. */
  wallMs(): number;
  readonly random: Random;
  readonly baseUrl: string;
  /** After a mail was written to the outbox. */
  mailWritten(): void;
}

const instant = (ms: number): string => new Date(ms).toISOString();

export function createOwnedKeys(deps: OwnedKeyDeps): OwnedKeys {
  const { teamKeys, wallMs, random, baseUrl } = deps;
  const act = (from: SentFrom) => ({ baseUrl, from, nowMs: wallMs() });
  const changed = <T>(change: Promise<T>): Promise<T> => mailed(deps, unlessEnded(change));
  const list = (accountId: string) => {
    const nowMs = wallMs();
    return teamKeys.list({ accountId, at: instant(nowMs), period: periodAt(nowMs).id });
  };
  const listed = async (accountId: string, keyId: string): Promise<AccountKey> => {
    const row = (await list(accountId)).find((each) => each.keyId === keyId);
    if (!row) throw noSuchKey();
    return row;
  };

  return {
    ...replacing(deps),
    list,
    async issue(by, order, from) {
      const { plan } = by;
      const { key, hash, last4 } = newKey(random);
      const draft = { ...order, hash, last4, notice: teamKeyAdded(act(from)) };
      const mostOf = (name: string) => mostKeys(planNamed(name) ?? plan);
      const keyId = await changed(teamKeys.add(by, draft, instant(wallMs()), mostOf));
      if (keyId === null) throw tooManyKeys(plan);
      return { key, row: await listed(by.accountId, keyId) };
    },
    async change(by, name, change, from) {
      const keyId = keyIdOf(name);
      if (keyId === null) throw noSuchKey();
      if (change.scopes && (await listed(by.accountId, keyId)).isPrimary)
        throw new AppError('conflict', PRIMARY_HAS_ALL);
      const notice = addressesChanged(act(from));
      if (!(await changed(teamKeys.change(by, keyId, { ...change, notice })))) throw noSuchKey();
      return listed(by.accountId, keyId);
    },
    async restrict(by, allowedAddresses, from) {
      const to = { allowedAddresses, notice: addressesChanged(act(from)) };
      const list = await changed(teamKeys.restrict(by, by.keyId, to));
      if (!list) throw noSuchKey();
      return list;
    },
    async end(by, name, from) {
      const keyId = keyIdOf(name);
      const notice = teamKeyEnded(act(from));
      if (keyId !== null && (await changed(teamKeys.end(by, keyId, instant(wallMs()), notice)))) return;
      const keys = await list(by.accountId);
      if (keys.some((each) => each.keyId === keyId)) throw new AppError('conflict', PRIMARY_STAYS);
      throw noSuchKey();
    },
  };
}

const replacing = (deps: OwnedKeyDeps): Pick<OwnedKeys, 'rotate' | 'rotatePrimary' | 'rotateNamed' | 'reveal'> => ({
  rotate: (keyHash, immediate, from) =>
    mint(deps, { keyHash }, { immediate, from, none: () => new AppError('conflict', REPLACED) }),
  rotatePrimary: (accountId, immediate, from) =>
    mint(deps, { accountId }, { immediate, sparesWithinMs: SAME_FORM_MS, from, none: noPrimary }),
  async rotateNamed(accountId, name, immediate, from) {
    const keyId = keyIdOf(name);
    if (keyId === null) throw noSuchKey();
    return mint(deps, { accountId, keyId }, { immediate, sparesWithinMs: SAME_FORM_MS, from, none: noSuchKey });
  },
  reveal: (accountId, from) => {
    const how = { immediate: false, isRevealed: true, sparesWithinMs: SAME_WISH_MS, from, none: noPrimary } as const;
    return mint(deps, { accountId }, how);
  },
});

/** Replaces a key. Throws `none` if there is nothing to replace. */
async function mint(
  deps: OwnedKeyDeps,
  current: { keyHash: Buffer } | { accountId: string; keyId?: string },
  how: {
    readonly immediate: boolean;
    readonly isRevealed?: true;
    /** For a browser, whose form may be sent twice: `Replacement.sparesSince`. */
    readonly sparesWithinMs?: number;
    readonly from: SentFrom;
    none(): AppError;
  },
): Promise<Minted> {
  const { keyReplacement, wallMs, random, baseUrl } = deps;
  const { key, hash: newHash, last4 } = newKey(random);
  const nowMs = wallMs();
  const at = instant(nowMs);
  const graceUntil = how.immediate ? null : instant(nowMs + GRACE_MS);
  const spares = how.sparesWithinMs !== undefined && { sparesSince: instant(nowMs - how.sparesWithinMs) };
  const notice = keyReplaced({ baseUrl, from: how.from, nowMs }, { isRevealed: how.isRevealed ?? false });
  const replacement = { ...current, newHash, last4, at, graceUntil, ...spares, notice };
  const replaced = await mailed(deps, keyReplacement.replaceKey(replacement));
  if (!replaced) throw how.none();
  return { key, at, ...replaced };
}

/** The mail of the change leaves at once. */
async function mailed<T>({ mailWritten }: OwnedKeyDeps, change: Promise<T>): Promise<T> {
  const result = await change;
  mailWritten();
  return result;
}

const unlessEnded = <T>(change: Promise<T>): Promise<T> =>
  change.catch((error) => {
    if (error instanceof LabelTakenError) throw new AppError('conflict', LABEL_TAKEN);
    throw error instanceof KeyEndedError ? new AppError('conflict', ENDED) : error;
  });

const mostKeys = ({ id }: Plan): number => LIMITS[id].keys;

const REPLACED =
  'This key was replaced or revoked before. Rotate its replacement; if that is lost, sign in to the console and have a new key shown.';
/** An operator's `keys replace` ends this. */
export const NO_PRIMARY =
  'The primary key of the account was revoked. Contact us: we replace it, and its settings and rights stay.';
const ENDED = 'The key of this request was replaced or revoked, so nothing was changed. Send its replacement.';
const LABEL_TAKEN =
  'A key of the account has this label. If you did not see that key, replace it; otherwise choose another label.';
const PRIMARY_HAS_ALL =
  'The primary key manages the account, so it has no scopes. Use a key of the team where it must do less.';
const PRIMARY_STAYS = 'The primary key cannot be deleted. Replace it without its day of grace to end it.';

const noPrimary = (): AppError => new AppError('conflict', NO_PRIMARY);
const noSuchKey = (): AppError => new AppError('not_found', 'The account has no such key.');

function tooManyKeys(plan: Plan): AppError {
  const larger = planWithMore('keys', plan);
  const more = larger ? ` The ${larger.title} plan has ${mostKeys(larger)}.` : '';
  const detail = `The ${plan.title} plan has ${mostKeys(plan)} keys for an account, the primary one included: delete one first.${more}`;
  return new AppError('conflict', detail, larger ? { required_plan: larger.id } : {});
}

// Asks for links to an address. Every spelling of a mailbox counts as one address (D40), and a link of an account goes
// to the account's own spelling: were two mailboxes ever taken for one, no stranger would get a link. The answer, the
// statements and the mail are the same in number whether the address has an account or not; only the text of the mail
// differs, which its owner alone reads.
import { metrics } from '@opentelemetry/api';
import { AppError, invalid } from '../errors';
import type { LinkPurpose, LinkStore, SignupDetails, StoredLink } from '../store/accounts/links';
import type { MailBudget } from '../store/accounts/mailboxes/mail-budget';
import type { OwnerByEmail, OwnerStore } from '../store/accounts/owners';
import { type Address, maskAddress, readAddress } from './email/address';
import { mailboxOf } from './email/mailbox';
import { mailTo, TEXTS } from './mail/texts';
import { hashOf, mintToken, type Random } from './token';

const MINUTE_MS = 60_000;

interface Life {
  readonly ms: number;
  readonly text: string;
}

/** A 5.4: a reset link lasts 30 minutes. */
export const LIVES: Readonly<Record<LinkPurpose, Life>> = {
  verify: { ms: 24 * 60 * MINUTE_MS, text: '24 hours' },
  login: { ms: 30 * MINUTE_MS, text: '30 minutes' },
  reset: { ms: 30 * MINUTE_MS, text: '30 minutes' },
  replace_key: { ms: 60 * MINUTE_MS, text: '1 hour' },
  change_email: { ms: 24 * 60 * MINUTE_MS, text: '24 hours' },
  undo_email: { ms: 7 * 24 * 60 * MINUTE_MS, text: '7 days' },
};

/** So many links to a mailbox within so long. */
interface Bound {
  readonly most: number;
  readonly withinMs: number;
}

/** Of sign-ups the same whether the address has an account or not (D40). */
const SIGN_UPS: Bound = { most: 5, withinMs: 60 * MINUTE_MS };

/** Within at most half of a link's life: requests of others leave links in the owner's mailbox that work. */
const BOUNDS = {
  login: { most: 3, withinMs: 15 * MINUTE_MS },
  reset: { most: 3, withinMs: 15 * MINUTE_MS },
  replace_key: { most: 3, withinMs: 30 * MINUTE_MS },
  change_email: { most: 3, withinMs: 12 * 60 * MINUTE_MS },
} as const satisfies Record<Exclude<LinkPurpose, 'verify' | 'undo_email'>, Bound>;

const DAY_MS = 24 * 60 * MINUTE_MS;
/** To a mailbox in a day, of all kinds. */
const MOST_OF_DAY = 10;
/**
 * Of them, those that only a browser in which the account was signed in may ask for: strangers cannot use up the
 * owner's day.
 */
const OF_KNOWN_BROWSERS = 3;
const MOST_WITHOUT_ACCOUNT = 1;

/** That visitors may ask for in a minute, over all processes. */
const LINKS_PER_MINUTE = 120;

const asked = metrics.getMeter('racing-odds/api').createCounter('racing.mail_links', {
  description:
    'Links that visitors requested, by outcome: mailed, bounded (the address had its share) or refused (all processes together had mailed as many as they may in a minute)',
});
// Series that are there before the first refusal: a rate needs the 0 before it.
for (const outcome of ['mailed', 'bounded', 'refused']) asked.add(0, { outcome });

const TEXT_OF = { login: TEXTS.login, reset: TEXTS.reset, replace_key: TEXTS.replaceKey };

interface Wish {
  readonly address: Address;
  readonly mailbox: string;
  readonly owner: OwnerByEmail | null;
  readonly nowMs: number;
}

export interface MailedLinksDeps {
  readonly links: LinkStore;
  readonly owners: Pick<OwnerStore, 'ofMailbox'>;
  readonly mailBudget: MailBudget;
  /** That visitors may ask for in a minute, over all processes. */
  readonly linksPerMinute?: number;
  readonly baseUrl: string;
  readonly random: Random;
  /** After a mail is in the outbox. */
  mailWritten(): void;
}

/** What the page of a link shows before its button is pressed. Nothing changes by looking. */
export interface LinkView {
  readonly state: 'open' | 'used' | 'expired' | 'unknown';
  /** Null: unknown. */
  readonly purpose: LinkPurpose | null;
  /** Masked. */
  readonly email: string | null;
  /** Of `verify`: the plan that the customer wants to buy. */
  readonly wantedPlan: string | null;
}

export function createMailedLinks(deps: MailedLinksDeps) {
  const { links, owners, mailBudget, linksPerMinute = LINKS_PER_MINUTE, baseUrl } = deps;
  return {
    /**
     * Before anything depends on the address. Throws `unavailable` while all processes together are asked for too many
     * links.
     */
    async wish(address: Address, browserHash: Buffer | null, nowMs: number): Promise<Wish> {
      const at = new Date(nowMs).toISOString();
      if (!(await mailBudget.take(at, linksPerMinute))) {
        asked.add(1, { outcome: 'refused' });
        throw new AppError('unavailable', TOO_MANY, { retry_after_seconds: secondsLeft(nowMs) });
      }
      const mailbox = mailboxOf(address.email);
      const owner = await owners.ofMailbox({ email: address.email, mailbox, browserHash }, at);
      return { address, mailbox, owner, nowMs };
    },
    /** A link that only an account's owner can use; to any other address goes the news that it has no account. */
    ask: (wish: Wish, purpose: 'login' | 'reset' | 'replace_key'): Promise<void> =>
      write(
        deps,
        wish,
        { purpose, accountId: wish.owner?.accountId ?? null, signup: null, browserHash: null },
        BOUNDS[purpose],
        (token, life) => (wish.owner ? TEXT_OF[purpose](baseUrl, token, life) : TEXTS.noAccount(baseUrl)),
      ),
    /** A link that makes an account; an address that has one gets a link to sign in. */
    signUp: (wish: Wish, signup: SignupDetails, browserHash: Buffer): Promise<void> =>
      wish.owner
        ? write(
            deps,
            wish,
            { purpose: 'login', accountId: wish.owner.accountId, signup: null, browserHash },
            SIGN_UPS,
            (token, life) => TEXTS.hasAccount(baseUrl, token, life),
          )
        : write(deps, wish, { purpose: 'verify', accountId: null, signup, browserHash }, SIGN_UPS, (token, life) =>
            TEXTS.verify(baseUrl, token, life, signup.plan),
          ),
    /**
     * A link that gives the account this address; an address that has an account gets the news that it was wanted.
     * `present`: the address before.
     */
    changeAddress(wish: Wish, { accountId, present }: { accountId: string; present: string }): Promise<void> {
      const { owner } = wish;
      const isFree = owner === null || owner.accountId === accountId;
      return write(
        deps,
        isFree ? { ...wish, owner: null } : wish,
        { purpose: 'change_email', accountId, signup: null, browserHash: null, otherEmail: present },
        BOUNDS.change_email,
        (token, life) => (isFree ? TEXTS.confirmAddress(baseUrl, token, life) : TEXTS.addressTaken()),
      );
    },
    /** Throws `not_found`. */
    async find(
      tokenHash: Buffer,
      nowMs: number,
    ): Promise<StoredLink & { readonly state: 'open' | 'used' | 'expired' }> {
      const link = (await links.find(tokenHash)) ?? refuseLink('unknown');
      return { ...link, state: stateOf(link, nowMs) };
    },
    async view(token: string, nowMs: number): Promise<LinkView> {
      const hash = hashOf(token);
      const link = hash && (await links.find(hash));
      if (!link) return { state: 'unknown', purpose: null, email: null, wantedPlan: null };
      const { purpose, email, signup } = link;
      return { state: stateOf(link, nowMs), purpose, email: maskAddress(email), wantedPlan: signup?.plan ?? null };
    },
  };
}

async function write(
  { links, random, mailWritten }: MailedLinksDeps,
  { address, mailbox, owner, nowMs }: Wish,
  link: Pick<Parameters<LinkStore['request']>[0], 'purpose' | 'accountId' | 'signup' | 'browserHash' | 'otherEmail'>,
  { most, withinMs }: Bound,
  textOf: (token: string, life: string) => { readonly subject: string; readonly body: string },
): Promise<void> {
  const { token, hash } = mintToken(random);
  const life = LIVES[link.purpose];
  const expiresMs = nowMs + life.ms;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const email = owner?.email ?? address.email;
  const row = { ...link, tokenHash: hash, email, mailbox, at: iso(nowMs), expiresAt: iso(expiresMs) };
  const mail = mailTo(email, textOf(token, life.text), nowMs, expiresMs);
  const mostOfDay = owner?.isKnownBrowser ? MOST_OF_DAY : MOST_OF_DAY - OF_KNOWN_BROWSERS;
  const ofDay = { most: mostOfDay, mostWithoutAccount: MOST_WITHOUT_ACCOUNT, since: iso(nowMs - DAY_MS) };
  const isMailed = await links.request(row, mail, { most, since: iso(nowMs - withinMs), ofDay });
  asked.add(1, { outcome: isMailed ? 'mailed' : 'bounded' });
  if (isMailed) mailWritten();
}

const TOO_MANY = 'Too many links are requested at this moment. Try again in a minute; passwords and keys work.';

/** Of the minute. */
const secondsLeft = (nowMs: number): number => Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);

export type MailedLinks = ReturnType<typeof createMailedLinks>;

function stateOf({ isUsed, expiresAt }: StoredLink, nowMs: number): 'open' | 'used' | 'expired' {
  if (isUsed) return 'used';
  return Date.parse(expiresAt) <= nowMs ? 'expired' : 'open';
}

/** Throws `validation`. */
export function requireAddress(email: string, pointer = '/email'): Address {
  const address = readAddress(email.trim());
  if (!address) throw invalid([{ pointer, detail: `${pointer} must be an email address, as jo@example.com.` }]);
  return address;
}

/** Throws the problem of a link that does nothing: 404 or 410. */
export function refuseLink(problem: 'unknown' | 'used' | 'expired'): never {
  if (problem === 'unknown')
    throw new AppError('not_found', 'This link does not exist: copy the whole address from the mail.');
  if (problem === 'expired') throw new AppError('gone', 'This link has expired. Ask for a new one.');
  throw new AppError('gone', 'This link was used already, and each works once. Sign in, or ask for a new one.');
}

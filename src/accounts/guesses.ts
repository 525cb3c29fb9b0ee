// Slows guesses of passwords without locking an owner out (D37, D40). A browser in which the account was signed in
// before has a budget of its own, so that what others guess never concerns it (OWASP: device cookies); all others share
// budgets by network, by network and address, and by address. A mailed link is never refused for wrong passwords. A
// right password gives back what it took, but not its turn: comparing passwords is work that one client must not take
// from all others.
import { AppError } from '../errors';
import type { AddressBudget } from '../store/redis/address-budget';

export interface Guesser {
  readonly network: string;
  readonly email: string;
  /** SHA-256 of the cookie of a browser that the account knows. */
  readonly knownBrowser: Buffer | null;
}

export interface Guess {
  wasRight(): Promise<void>;
}

const MINUTE_MS = 60_000;
type Budget = readonly [counter: string, most: number, windowMs: number];

const MOST_TURNS = 60;
const TURNS_WITHIN_MS = 2 * MINUTE_MS;

const TOO_MANY = 'Too many failed sign-ins. Wait, or sign in with a link that we mail to you.';

export function createGuesses(counts: AddressBudget) {
  return {
    /** Before the password is compared. Throws `rate_limit`. The same for an address without an account. */
    async begin({ network, email, knownBrowser }: Guesser): Promise<Guess> {
      const address = email.toLowerCase();
      await takeTurn(counts, knownBrowser ? address : network);
      const budgets: readonly Budget[] = knownBrowser
        ? [[`guesses of ${knownBrowser.toString('base64url')}`, 20, 15 * MINUTE_MS]]
        : [
            ofNetwork(network),
            [`guesses of ${network} at ${address}`, 10, 15 * MINUTE_MS],
            [`guesses at ${address}`, 100, 60 * MINUTE_MS],
          ];
      return take(counts, budgets);
    },
    /** Before a passkey is compared, which names its account itself. Throws `rate_limit`. */
    async beginPasskey(network: string): Promise<Guess> {
      await takeTurn(counts, network);
      return take(counts, [ofNetwork(network)]);
    },
    /** Before a passkey is requested. Throws `rate_limit`. */
    requestPasskey: (network: string): Promise<void> => takeTurn(counts, network),
  };
}

const ofNetwork = (network: string): Budget => [`guesses of ${network}`, 50, 15 * MINUTE_MS];

async function take(counts: AddressBudget, budgets: readonly Budget[]): Promise<Guess> {
  const waits = await Promise.all(budgets.map((budget) => counts.take(...budget)));
  const giveBack = async (): Promise<void> => {
    await Promise.all(budgets.map((budget, i) => waits[i] === 0 && counts.giveBack(...budget)));
  };
  const waitMs = Math.max(...waits);
  if (waitMs === 0) return { wasRight: giveBack };
  // Nothing is compared, so one network that is over its own budget does not use up that of the address.
  await giveBack();
  throw new AppError('rate_limit', TOO_MANY, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}

export type Guesses = ReturnType<typeof createGuesses>;

/**
 * Fewer at once than may wait for a comparison (`passwords.ts`). `who`: a network, or the address of an account in a
 * browser that it knows.
 */
async function takeTurn(counts: AddressBudget, who: string): Promise<void> {
  const waitMs = await counts.take(`sign-ins of ${who}`, MOST_TURNS, TURNS_WITHIN_MS);
  if (waitMs === 0) return;
  const detail = `Each address may sign in ${MOST_TURNS} times in two minutes.`;
  throw new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}

const MOST_REQUESTS = 30;
const REQUESTS_WITHIN_MS = 10 * MINUTE_MS;

/** One request that writes a mail. Throws `rate_limit`. */
export async function takeMailRequest(counts: AddressBudget, network: string): Promise<void> {
  const waitMs = await counts.take(`mails for ${network}`, MOST_REQUESTS, REQUESTS_WITHIN_MS);
  if (waitMs === 0) return;
  const detail = `Each address may ask for ${MOST_REQUESTS} mails in ten minutes.`;
  throw new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}

// Passwords: argon2id with OWASP's parameters (19 MiB, two passes, one lane: about 20 ms), one at a time in a process,
// so that a flood of guesses leaves the other core to everybody else. Owners in browsers that their account knows wait
// in a queue of their own, which takes turns with the other one: however many strangers wait, an owner waits for at
// most one of them for each owner before. Never logs or stores a password.
import { hash, verify } from '@node-rs/argon2';
import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from 'cockatiel';
import { AppError, type InputProblem } from '../errors';
import { expectedWords } from './weak-passwords/expected-words';
import { isEasilyGuessed } from './weak-passwords/guesses-needed';

/**
 * Which queue: that of browsers in which the account was signed in before and of links that were mailed to its owner,
 * or that of everybody else.
 */
type Lane = 'owners' | 'anyone';

export interface Passwords {
  /** A PHC string. Throws `unavailable` while too many wait in the lane. */
  hash(password: string, lane?: Lane): Promise<string>;
  /** `phc` null: there is none to compare with; takes as long, and is false. */
  verify(phc: string | null, password: string, lane?: Lane): Promise<boolean>;
  /** Whether it was made with other parameters than a new one. */
  isOutdated(phc: string): boolean;
}

const OWASP = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = `$argon2id$v=19$m=${OWASP.memoryCost},t=${OWASP.timeCost},p=${OWASP.parallelism}$`;
const AT_ONCE = 1;
const MOST_WAITING = 100;

/** Of 32 random bytes that were not kept. */
const NO_PASSWORD = '$argon2id$v=19$m=19456,t=2,p=1$DqONo12C5larpCq47eLQ2A$FG2yELHVE3KdclM8ijoXUxXV2KgPCHtXlEOkUrZKQfw';

export function createPasswords(mostWaiting = MOST_WAITING): Passwords {
  const lanes: Readonly<Record<Lane, BulkheadPolicy>> = {
    owners: bulkhead(AT_ONCE, mostWaiting),
    anyone: bulkhead(AT_ONCE, mostWaiting),
  };
  // One of each lane is here, in the order in which they came.
  const core = bulkhead(AT_ONCE, Object.keys(lanes).length);
  const inTurn = <T>(lane: Lane, work: () => Promise<T>): Promise<T> =>
    lanes[lane]
      .execute(() => core.execute(work))
      .catch((error: unknown) => {
        if (!(error instanceof BulkheadRejectedError)) throw error;
        throw new AppError('unavailable', 'Too many people sign in at this moment.', { retry_after_seconds: 5 });
      });
  return {
    hash: (password, lane = 'anyone') => inTurn(lane, () => hash(normal(password), OWASP)),
    verify: (phc, password, lane = 'anyone') =>
      inTurn(lane, async () => (await verify(phc ?? NO_PASSWORD, normal(password))) && phc !== null),
    isOutdated: (phc) => !phc.startsWith(PREFIX),
  };
}

/** One text has several forms in Unicode, and keyboards differ in the one that they send (NIST SP 800-63B). */
const normal = (password: string): string => password.normalize('NFKC');

export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 256;
const LEAST_DIFFERENT = 5;
const EASILY_GUESSED =
  'is too easy to guess: it is a common password, a sequence, or made of your address or our name. Use several unrelated words, or a password manager.';

/** Whose password it is: what others expect in it. */
export interface PasswordOwner {
  readonly email: string;
  /** Of the service. */
  readonly baseUrl: string;
}

/**
 * Length is what counts, and that it is not one of the values that are commonly used or expected (NIST SP 800-63B-4,
 * 3.1.1.2); there are no rules of composition. Judges new passwords only: one that an account has keeps working. Null:
 * it may be used.
 */
export function passwordProblem(
  password: string,
  { email, baseUrl }: PasswordOwner,
  pointer: string,
): InputProblem | null {
  const characters = [...normal(password)];
  const text = characters.join('').toLowerCase();
  const address = email.toLowerCase();
  const problem = (detail: string): InputProblem => ({ pointer, detail: `${pointer} ${detail}` });
  if (characters.length < LEAST_PASSWORD_CHARACTERS)
    return problem(`must have at least ${LEAST_PASSWORD_CHARACTERS} characters.`);
  if (characters.length > MOST_PASSWORD_CHARACTERS)
    return problem(`must have at most ${MOST_PASSWORD_CHARACTERS} characters.`);
  if (text === address || text === address.slice(0, address.lastIndexOf('@')))
    return problem('must not be the email address.');
  if (new Set(characters).size < LEAST_DIFFERENT)
    return problem(`must have at least ${LEAST_DIFFERENT} different characters.`);
  if (isEasilyGuessed(text, expectedWords(address, baseUrl))) return problem(EASILY_GUESSED);
  return null;
}

// Passwords: argon2id with OWASP's parameters (19 MiB, two passes, one lane: about 20 ms), one at a time in a process, so that a flood of guesses
// leaves the other core to everybody else. Never logs or stores a password.
import { hash, verify } from '@node-rs/argon2';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { AppError, type InputProblem } from '../errors';

export interface Passwords {
  /** A PHC string. Throws `unavailable` while too many wait. */
  hash(password: string): Promise<string>;
  /** `phc` null: there is none to compare with; takes as long, and is false. */
  verify(phc: string | null, password: string): Promise<boolean>;
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
  const lane = bulkhead(AT_ONCE, mostWaiting);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    lane.execute(work).catch((error: unknown) => {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new AppError('unavailable', 'Too many people sign in at this moment.', { retry_after_seconds: 5 });
    });
  return {
    hash: (password) => inTurn(() => hash(normal(password), OWASP)),
    verify: (phc, password) => inTurn(async () => (await verify(phc ?? NO_PASSWORD, normal(password))) && phc !== null),
    isOutdated: (phc) => !phc.startsWith(PREFIX),
  };
}

/** One text has several forms in Unicode, and keyboards differ in the one that they send (NIST SP 800-63B). */
const normal = (password: string): string => password.normalize('NFKC');

export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 256;
const LEAST_DIFFERENT = 5;

/** Length is what counts; there are no rules of composition (NIST SP 800-63B). Null: it may be used. */
export function passwordProblem(password: string, email: string, pointer: string): InputProblem | null {
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
  return null;
}

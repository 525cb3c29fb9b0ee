// Challenges that a passkey is to sign, by the SHA-256 of each. One counts once, for five minutes, and only with the
// cookie that it was made for.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export type ChallengePurpose = 'add' | 'sign_in';

interface Challenge {
  readonly challengeHash: Buffer;
  readonly purpose: ChallengePurpose;
  /** Of the session, or of the cookie of one try to sign in. */
  readonly cookieHash: Buffer;
}

export interface PasskeyChallengeStore {
  issue(challenge: Challenge & { readonly expiresAt: Instant }): Promise<void>;
  /** Uses it up. False: it is unknown, of another browser, used or expired. */
  use(challenge: Challenge, at: Instant): Promise<boolean>;
}

const ISSUE = `
  INSERT INTO passkey_challenges (challenge_hash, purpose, cookie_hash, expires_at) VALUES ($1, $2, $3, $4)`;

/** Of two processes that use it at the same moment one deletes the row. */
const USE = `
  DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND purpose = $2 AND cookie_hash = $3
  RETURNING expires_at > $4 AS "isOpen"`;

export function createPasskeyChallengeStore(pool: Pool): PasskeyChallengeStore {
  return {
    async issue({ challengeHash, purpose, cookieHash, expiresAt }) {
      await pool.query(ISSUE, [challengeHash, purpose, cookieHash, expiresAt]);
    },
    async use({ challengeHash, purpose, cookieHash }, at) {
      const { rows } = await pool.query<{ isOpen: boolean }>(USE, [challengeHash, purpose, cookieHash, at]);
      return rows[0]?.isOpen ?? false;
    },
  };
}

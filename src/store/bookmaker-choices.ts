// Which bookmakers an owner wants to see, and in which order. A change names the version that it is based on: one that
// does not know the stored choice changes nothing.
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

interface BookmakerChoice {
  /** Keys, mine first. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

export interface StoredChoice extends BookmakerChoice {
  readonly version: string;
}

interface ChoiceChange extends BookmakerChoice {
  readonly accountId: string;
  /** Of the choice that was changed; null: there was none. */
  readonly basedOn: string | null;
  readonly at: Instant;
}

export interface BookmakerChoiceStore {
  /** Null: the account has none. */
  read(accountId: string): Promise<StoredChoice | null>;
  /** The choice that is stored now. `conflict`: another one is, which this change does not know. */
  change(change: ChoiceChange): Promise<StoredChoice | 'conflict'>;
}

const READ = `
  SELECT book_order AS "order", hidden, version::text FROM account_bookmakers WHERE account_id = $1`;

const CHANGE = `
  INSERT INTO account_bookmakers AS stored (account_id, book_order, hidden, version, changed_at)
  VALUES ($1, $2, $3, gen_random_uuid(), $5)
  ON CONFLICT (account_id) DO UPDATE
     SET book_order = EXCLUDED.book_order, hidden = EXCLUDED.hidden, version = EXCLUDED.version, changed_at = EXCLUDED.changed_at
   WHERE stored.version::text = $4 AND (stored.book_order, stored.hidden) IS DISTINCT FROM (EXCLUDED.book_order, EXCLUDED.hidden)
  RETURNING book_order AS "order", hidden, version::text`;

export function createBookmakerChoiceStore(pool: Pool): BookmakerChoiceStore {
  const read = async (accountId: string) => (await pool.query<StoredChoice>(READ, [accountId])).rows[0] ?? null;
  return {
    read,
    async change({ accountId, order, hidden, basedOn, at }) {
      const { rows } = await pool.query<StoredChoice>(CHANGE, [accountId, order, hidden, basedOn, at]);
      const stored = rows[0] ?? (await read(accountId));
      // Sent again, it is stored already.
      return stored && isSame(stored, { order, hidden }) ? stored : 'conflict';
    },
  };
}

const isSame = (one: BookmakerChoice, other: BookmakerChoice): boolean =>
  JSON.stringify([one.order, one.hidden]) === JSON.stringify([other.order, other.hidden]);

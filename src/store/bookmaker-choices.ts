// Which bookmakers an owner wants to see, and in which order. A change names the version that it is based on: one that
// does not know the stored choice changes nothing, and one that is based on the choice of another account makes none.
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
  /** The choice that is stored now. `conflict`: the change is based on another one than is stored, or on none. */
  change(change: ChoiceChange): Promise<StoredChoice | 'conflict'>;
}

const READ = `
  SELECT book_order AS "order", hidden, version::text FROM account_bookmakers WHERE account_id = $1`;

const CHANGE = `
  UPDATE account_bookmakers SET book_order = $2, hidden = $3, version = gen_random_uuid(), changed_at = $4
   WHERE account_id = $1 AND version::text = $5 AND (book_order, hidden) IS DISTINCT FROM ($2::text[], $3::text[])
  RETURNING book_order AS "order", hidden, version::text`;

const FIRST = `
  INSERT INTO account_bookmakers (account_id, book_order, hidden, version, changed_at)
  VALUES ($1, $2, $3, gen_random_uuid(), $4) ON CONFLICT (account_id) DO NOTHING
  RETURNING book_order AS "order", hidden, version::text`;

export function createBookmakerChoiceStore(pool: Pool): BookmakerChoiceStore {
  const read = async (accountId: string) => (await pool.query<StoredChoice>(READ, [accountId])).rows[0] ?? null;
  return {
    read,
    async change({ accountId, order, hidden, basedOn, at }) {
      const values = [accountId, order, hidden, at];
      const { rows } = await (basedOn === null
        ? pool.query<StoredChoice>(FIRST, values)
        : pool.query<StoredChoice>(CHANGE, [...values, basedOn]));
      const stored = rows[0] ?? (await read(accountId));
      // Sent again, it is stored already.
      return stored && isSame(stored, { order, hidden }) ? stored : 'conflict';
    },
  };
}

const isSame = (one: BookmakerChoice, other: BookmakerChoice): boolean =>
  JSON.stringify([one.order, one.hidden]) === JSON.stringify([other.order, other.hidden]);

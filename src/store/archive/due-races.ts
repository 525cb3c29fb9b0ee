// Past races whose archive or run store is older than their facts: triggers mark them in the transaction of the fact.
// Only a reader of facts at least as new settles a mark: changes in the meantime stay due.
import type { ClientBase } from 'pg';

type Work = 'archive' | 'runs';

const MARK = {
  name: 'due-mark',
  text: 'SELECT changed_by::text AS mark FROM due_races WHERE work = $1 AND race_id = $2',
};

const SETTLE = {
  name: 'due-settle',
  text: 'DELETE FROM due_races WHERE work = $1 AND race_id = $2 AND changed_by = $3::xid8',
};

/** Read it before the facts, in the same transaction. Null: the race is not due. */
export async function readMark(client: ClientBase, work: Work, raceId: string): Promise<string | null> {
  const { rows } = await client.query<{ mark: string }>({ ...MARK, values: [work, raceId] });
  return rows[0]?.mark ?? null;
}

/** Nothing happens if a fact changed since `mark` was read. */
export async function settleDue(client: ClientBase, work: Work, raceId: string, mark: string | null): Promise<void> {
  if (mark !== null) await client.query({ ...SETTLE, values: [work, raceId, mark] });
}

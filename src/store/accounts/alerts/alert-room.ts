// How many more price alerts of an account may be open. Every way to open one counts here.
import type { ClientBase } from 'pg';

/**
 * Locks the owner: until the caller's transaction ends, no other opens an alert of the account. Null: it has no owner.
 */
export async function alertRoom(client: ClientBase, accountId: string, most: number): Promise<number | null> {
  const text = 'SELECT alert_room($1, $2) AS room';
  return (await client.query<{ room: number | null }>(text, [accountId, most])).rows[0]!.room;
}

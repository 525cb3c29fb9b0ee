// Where the secrets are that must be read again, and which keys seal them: the one list that `ops secrets seal` and
// `ops doctor` use.
import type { Pool } from 'pg';

export interface SecretColumn {
  readonly table: 'webhooks' | 'mails' | 'service_secrets';
  readonly column: string;
  /** The column of the place that its values are sealed for. */
  readonly sealedFor: string;
  readonly id: string;
  readonly isBytes: boolean;
  /** Rows that have a secret. */
  readonly where: string;
}

export const SECRET_COLUMNS: readonly SecretColumn[] = [
  {
    table: 'webhooks',
    column: 'secret',
    sealedFor: 'secret',
    id: 'webhook_id',
    isBytes: false,
    // That of a deleted webhook is empty.
    where: `secret <> ''`,
  },
  {
    table: 'webhooks',
    column: 'previous_secret',
    sealedFor: 'secret',
    id: 'webhook_id',
    isBytes: false,
    where: 'previous_secret IS NOT NULL',
  },
  { table: 'mails', column: 'body', sealedFor: 'body', id: 'mail_id', isBytes: false, where: 'body IS NOT NULL' },
  { table: 'service_secrets', column: 'secret', sealedFor: 'secret', id: 'name', isBytes: true, where: 'true' },
];

/** Its text. Bytes that are not our text become an unsealed one. */
export const textOf = ({ column, isBytes }: SecretColumn): string => (isBytes ? `encode(${column}, 'escape')` : column);

export interface Sealing {
  /** The key under which secrets are now sealed; null: they are not. */
  readonly keyId: string | null;
  /** Numbers of stored secrets by the key that they are sealed under; `''`: they are stored in plain. */
  readonly byKey: ReadonlyMap<string, number>;
}

/** In the tables that the login may read. */
export async function readSealing(pool: Pool): Promise<Sealing> {
  const { rows } = await pool.query<{ id: string | null }>('SELECT key_id AS id FROM secret_sealing');
  const byKey = new Map<string, number>();
  for (const each of SECRET_COLUMNS)
    for (const { key, secrets } of await countsOf(pool, each)) byKey.set(key, (byKey.get(key) ?? 0) + secrets);
  return { keyId: rows[0]!.id, byKey };
}

async function countsOf(pool: Pool, of: SecretColumn): Promise<readonly { key: string; secrets: number }[]> {
  const may = `SELECT has_table_privilege($1, 'SELECT') AS may`;
  if (!(await pool.query<{ may: boolean }>(may, [of.table])).rows[0]!.may) return [];
  const text = textOf(of);
  const counts = `
    SELECT CASE WHEN starts_with(${text}, 'sealed:') THEN split_part(${text}, ':', 3) ELSE '' END AS key, count(*) AS secrets
      FROM ${of.table} WHERE ${of.where} GROUP BY 1`;
  return (await pool.query<{ key: string; secrets: number }>(counts)).rows;
}

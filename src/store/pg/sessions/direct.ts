// Whether DATABASE_DIRECT_URL leads where it must: past any pooler, because LISTEN and the lock of a migration belong
// to a session, and to the database of DATABASE_URL, because a command on another one is a disaster.
import { Client, type ClientBase } from 'pg';

export interface Addresses {
  readonly databaseUrl: string;
  readonly databaseDirectUrl: string;
}

/** What an operator must fix; the message is one sentence. With a cause: the databases could not be compared. */
export class WrongAddress extends Error {
  override readonly name = 'WrongAddress';
}

const TIMEOUTS = { connectionTimeoutMillis: 5000, query_timeout: 5000 };
/** `pg` has it; its types do not. */
type Announced = ClientBase & { readonly processID?: unknown };

/** A pooler announces a number that it invents, and not that of the process behind the session. */
export async function isDirect(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid === (client as Announced).processID;
}

/** For each new session of the direct address. Throws `WrongAddress`; the databases are compared once. */
export function onlyDirect({ databaseUrl, databaseDirectUrl }: Addresses): (client: ClientBase) => Promise<void> {
  const isOne = databaseUrl === databaseDirectUrl;
  let compared: Promise<void> | null = isOne ? Promise.resolve() : null;
  return async (client) => {
    if (!(await isDirect(client)))
      throw new WrongAddress(
        isOne
          ? 'DATABASE_URL leads to a pooler, so DATABASE_DIRECT_URL must lead past it'
          : 'DATABASE_DIRECT_URL leads to a pooler, and must lead past it',
      );
    compared ??= compare(client, databaseUrl);
    await compared;
  };
}

/** What is wrong with the direct address, a sentence; null: nothing. Rejects if a server does not answer. */
export async function wrongDirect(addresses: Addresses): Promise<string | null> {
  try {
    await withClient(addresses.databaseDirectUrl, onlyDirect(addresses));
    return null;
  } catch (error) {
    if (error instanceof WrongAddress && error.cause === undefined) return error.message;
    throw error;
  }
}

async function compare(direct: ClientBase, databaseUrl: string): Promise<void> {
  const other = await withClient(databaseUrl, identityOf).catch((cause: Error) => {
    throw new WrongAddress(
      `DATABASE_URL does not answer (${cause.message}), so nothing shows that DATABASE_DIRECT_URL leads to its database: for a command, set DATABASE_URL to the direct address, and DATABASE_DIRECT_URL to nothing`,
      { cause },
    );
  });
  if (other !== (await identityOf(direct)))
    throw new WrongAddress('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases');
}

const IDENTITY = `SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), current_database()) AS identity`;

const identityOf = async (client: ClientBase): Promise<string> =>
  (await client.query<{ identity: string }>(IDENTITY)).rows[0]!.identity;

async function withClient<T>(url: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, ...TIMEOUTS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    // Not awaited: the other side may be gone.
    client.end().catch(() => undefined);
  }
}

// Runs a bench of the archive from its beginning to its end: the disk space is checked, and its databases are dropped
// however it ends.
import { createPool } from '../../../src/store/pg/pool';
import { benchDatabases, type Databases, requireSpace } from './databases';

/** Ends the process. `ticks`: as many as it generates. */
export function runOnDatabases(ticks: number, bench: (databases: Databases) => Promise<void>): void {
  run(ticks, bench).then(
    () => process.exit(),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}

async function run(ticks: number, bench: (databases: Databases) => Promise<void>): Promise<void> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL names the server to measure on');
  const admin = createPool(server, 1);
  const databases = benchDatabases(server, admin);
  const stopped = new Promise<never>((_, fail) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => fail(new Error(signal)));
    // More than one: what it leaves running loses its database.
    process.on('uncaughtException', fail);
  });
  try {
    await requireSpace(admin, ticks);
    await Promise.race([bench(databases), stopped]);
  } finally {
    await databases.drop();
    await admin.end();
  }
}

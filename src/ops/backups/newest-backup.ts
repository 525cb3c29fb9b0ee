// The newest good backup in the output of `pgbackrest --output=json info`. Pure. A listing that proves no backup of
// this database is an error, never a guess.
import { type Static, Type } from '@sinclair/typebox';
import Ajv from 'ajv';
import type { Backup } from '../../store/backups';
import { Mistake } from '../command';

const Info = Type.Array(
  Type.Object({
    name: Type.String(),
    status: Type.Object({ code: Type.Integer(), message: Type.String() }),
    db: Type.Array(Type.Object({ id: Type.Integer(), 'repo-key': Type.Integer(), 'system-id': Type.Number() })),
    backup: Type.Array(
      Type.Object({
        label: Type.String({ minLength: 1 }),
        type: Type.String(),
        // Absent when pages were not verified.
        error: Type.Optional(Type.Boolean()),
        database: Type.Object({ id: Type.Integer(), 'repo-key': Type.Integer() }),
        timestamp: Type.Object({ stop: Type.Integer({ minimum: 1 }) }),
      }),
    ),
  }),
);
type Stanza = Static<typeof Info>[number];
const isInfo = new Ajv().compile<Static<typeof Info>>(Info);

/** Clocks may differ; a backup dated tomorrow would hide for a day that there is none. */
const MOST_AHEAD_MS = 300_000;

/** `systemId`: of the cluster. `nowMs`: of its clock. Throws a `Mistake`. */
export function newestBackup(info: unknown, systemId: string, nowMs: number): Backup {
  if (!isInfo(info)) throw new Mistake('This is not what pgbackrest --output=json info prints.');
  const own = info.filter((stanza) => stanza.db.some((db) => isOf(db, systemId)));
  if (own.length === 0)
    throw new Mistake('The repository has no stanza of this database cluster: nothing is recorded.');
  const broken = own.find(({ status }) => status.code !== 0);
  if (broken)
    throw new Mistake(`The stanza ${broken.name} is not in order (${broken.status.message}): nothing is recorded.`);
  const good = own.flatMap((stanza) => goodOf(stanza, systemId));
  const [newest] = good.sort((a, b) => b.timestamp.stop - a.timestamp.stop);
  if (!newest) throw new Mistake('The repository has no good backup of this database cluster: nothing is recorded.');
  const endedMs = newest.timestamp.stop * 1000;
  if (endedMs > nowMs + MOST_AHEAD_MS)
    throw new Mistake(`The backup ${newest.label} ended in the future of the database's clock: nothing is recorded.`);
  return { label: newest.label, kind: newest.type, endedAt: new Date(endedMs).toISOString() };
}

/**
 * JSON has it as a number, which loses its last bits: those of a process id. The rest is the instant at which the
 * cluster was made.
 */
const isOf = (db: Stanza['db'][number], systemId: string): boolean => db['system-id'] === Number(systemId);

function goodOf({ db, backup }: Stanza, systemId: string): Stanza['backup'] {
  const own = db.filter((one) => isOf(one, systemId)).map((one) => `${one['repo-key']}-${one.id}`);
  return backup.filter(
    ({ database, error }) => error !== true && own.includes(`${database['repo-key']}-${database.id}`),
  );
}

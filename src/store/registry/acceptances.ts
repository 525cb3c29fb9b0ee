// Writes one meeting's acceptances: rows that differ are written and logged, rows that are gone are deleted. Compared
// here and not in SQL, so that the log has both the old and the new row.
import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { PRINTED } from '../../domain/race/race-facts';
import { runnerKey } from '../../domain/race/runner';
import type { RegistryCard, RegistryRace, RegistryRunner } from '../../domain/registry/registry';
import { mergeRegistry } from '../card/book-cards';
import { SQL_TYPES } from '../card/merged-card';
import { inTransaction } from '../pg/transaction';

type Facts = Omit<RegistryRace, 'runners'>;
type Change = {
  readonly kind: 'published' | 'race' | 'runner';
  readonly race: number;
  readonly number: number;
  readonly was: object | null;
  readonly now: object | null;
};

/** Resolves to the number of races and runners that changed. */
export async function saveRegistryCard(pool: Pool, card: RegistryCard, at: Instant): Promise<number> {
  const { changes, orphans } = await inTransaction(pool, (client) => saveCard(client, card, at));
  // Our races that the registry no longer lists.
  for (const raceId of orphans) await mergeRegistry(pool, raceId, at);
  return changes;
}

async function saveCard(client: ClientBase, card: RegistryCard, at: Instant) {
  const first = await stampMeeting(client, card, at);
  // An older reading that arrives late, or a meeting that is on no calendar.
  if (first === null) return { changes: 0, orphans: [] };
  const races = await storedRaces(client, card.key);
  const runners = await storedRunners(client, card.key);
  const changes = [...racesChanged(card, races), ...runnersChanged(card, runners)];
  const orphans = await writeRaces(client, card, changes, at);
  await writeRunners(client, card, changes, at);
  const published = { kind: 'published', race: 0, number: 0, was: null, now: {} } as const;
  await log(client, card.key, first ? [published] : changes, at);
  return { changes: changes.length, orphans };
}

const STAMP = `
  UPDATE registry_meetings n
     SET track_condition = $2, rail = $3, weather = $4, penetrometer = $5, track_type = $6, stated_runners = $7, as_of = $8
    FROM registry_meetings o
   WHERE n.meeting_key = $1 AND o.meeting_key = n.meeting_key AND (o.as_of IS NULL OR o.as_of < $8)
  RETURNING o.as_of IS NULL AS first, o.rail IS DISTINCT FROM n.rail AS moved`;

/** Whether these are the meeting's first acceptances; null if they are not to be written. */
async function stampMeeting(client: ClientBase, { key, track, statedRunners }: RegistryCard, at: Instant) {
  const { trackCondition, rail, weather, penetrometer, trackType } = track;
  const values = [key, trackCondition, rail, weather, penetrometer, trackType, statedRunners, at];
  const { rows } = await client.query<{ first: boolean; moved: boolean }>(STAMP, values);
  if (rows[0]?.moved) {
    await client.query('UPDATE registry_races SET merge_due = true WHERE meeting_key = $1', [key]);
  }
  return rows[0]?.first ?? null;
}

/** Members of a race as JSON, with their columns and types. */
const RACE_MEMBERS: readonly (readonly [member: string, column: string, type: string])[] = [
  ['raceNumber', 'race_number', 'smallint'],
  ['name', 'race_name', 'text'],
  ['startLocal', 'start_local', 'text'],
  ['startTime', 'start_time', 'timestamptz'],
  ['distanceM', 'distance_m', 'integer'],
  ['prizes', 'prizes', 'jsonb'],
  ['trackType', 'track_type', 'text'],
  ['fieldLimit', 'field_limit', 'smallint'],
  ...PRINTED.map(([key, { name, type }]) => [key, name, SQL_TYPES[type]] as const),
];
const raceMembers = (of: (member: string, column: string, type: string) => string): string =>
  RACE_MEMBERS.map((one) => of(...one)).join(', ');

async function storedRaces(client: ClientBase, key: string): Promise<ReadonlyMap<number, Facts>> {
  const { rows } = await client.query<Facts>(
    `SELECT ${raceMembers((member, column) => `${column} AS "${member}"`)}
       FROM registry_races WHERE meeting_key = $1 FOR UPDATE`,
    [key],
  );
  return new Map(rows.map((row) => [row.raceNumber, row]));
}

type StoredRunner = RegistryRunner & { readonly raceNumber: number };

async function storedRunners(client: ClientBase, key: string): Promise<ReadonlyMap<string, RegistryRunner>> {
  const { rows } = await client.query<StoredRunner>(
    `SELECT race_number AS "raceNumber", number, name, emergency, horse_code AS "horseCode",
            race_entry_code AS "raceEntryCode", barrier, jockey, jockey_code AS "jockeyCode", claim_kg AS "claimKg", trainer,
            trainer_code AS "trainerCode", weight_kg AS "weightKg", last10, rating
       FROM registry_runners WHERE meeting_key = $1`,
    [key],
  );
  return new Map(rows.map(({ raceNumber, ...runner }) => [`${raceNumber}/${runner.number}`, runner]));
}

function racesChanged(card: RegistryCard, stored: ReadonlyMap<number, Facts>): Change[] {
  const now = new Map(card.races.map(({ runners: _, ...facts }) => [facts.raceNumber, facts]));
  return [...new Set([...stored.keys(), ...now.keys()])].flatMap((race) =>
    changed('race', race, 0, stored.get(race) ?? null, now.get(race) ?? null),
  );
}

function runnersChanged(card: RegistryCard, stored: ReadonlyMap<string, RegistryRunner>): Change[] {
  const now = new Map<string, RegistryRunner>(
    card.races.flatMap(({ raceNumber, runners }) =>
      runners.map((runner) => [`${raceNumber}/${runner.number}`, runner] as const),
    ),
  );
  return [...new Set([...stored.keys(), ...now.keys()])].flatMap((place) => {
    const [race, number] = place.split('/').map(Number);
    return changed('runner', race!, number!, stored.get(place) ?? null, now.get(place) ?? null);
  });
}

const changed = (
  kind: Change['kind'],
  race: number,
  number: number,
  was: object | null,
  now: object | null,
): Change[] => (isDeepStrictEqual(was, now) ? [] : [{ kind, race, number, was, now }]);

const WRITE_RACES = `
  INSERT INTO registry_races (meeting_key, updated_at, ${raceMembers((_, column) => column)})
  SELECT $1, $3, ${raceMembers((member) => `"${member}"`)}
    FROM jsonb_to_recordset($2) AS n (${raceMembers((member, _, type) => `"${member}" ${type}`)})
      ON CONFLICT (meeting_key, race_number) DO UPDATE
     SET updated_at = EXCLUDED.updated_at, ${raceMembers((_, column) => `${column} = EXCLUDED.${column}`)}`;

/** Our races whose registry race is gone. */
async function writeRaces(client: ClientBase, { key }: RegistryCard, changes: readonly Change[], at: Instant) {
  const races = changes.filter(({ kind }) => kind === 'race');
  const { rows: gone } = await client.query<{ race_id: string | null }>(
    'DELETE FROM registry_races WHERE meeting_key = $1 AND race_number = ANY ($2::smallint[]) RETURNING race_id',
    [key, races.filter(({ now }) => now === null).map(({ race }) => race)],
  );
  const rows = races.flatMap(({ now }) => now ?? []);
  if (rows.length > 0) await client.query(WRITE_RACES, [key, JSON.stringify(rows), at]);
  await client.query(
    'UPDATE registry_races SET merge_due = true WHERE meeting_key = $1 AND race_number = ANY ($2::smallint[])',
    [key, [...new Set(changes.map(({ race }) => race))]],
  );
  return gone.flatMap(({ race_id }) => race_id ?? []);
}

const WRITE_RUNNERS = `
  INSERT INTO registry_runners (meeting_key, race_number, number, name, runner_key, horse_code, race_entry_code, emergency,
         barrier, jockey, jockey_code, claim_kg, trainer, trainer_code, weight_kg, last10, rating, updated_at)
  SELECT $1, race, number, name, "runnerKey", "horseCode", "raceEntryCode", emergency, barrier, jockey, "jockeyCode",
         "claimKg", trainer, "trainerCode", "weightKg", last10, rating, $3
    FROM jsonb_to_recordset($2) AS n (race smallint, number smallint, name text, "runnerKey" text, "horseCode" text,
         "raceEntryCode" text, emergency boolean, barrier smallint, jockey text, "jockeyCode" text, "claimKg" float8,
         trainer text, "trainerCode" text, "weightKg" float8, last10 text, rating float8)`;

/** Deletes and inserts changed runners; the log keeps the old rows. */
async function writeRunners(client: ClientBase, { key }: RegistryCard, changes: readonly Change[], at: Instant) {
  const runners = changes.filter(({ kind }) => kind === 'runner');
  if (runners.length === 0) return;
  await client.query(
    `DELETE FROM registry_runners r USING unnest($2::smallint[], $3::smallint[]) AS c (race, number)
      WHERE r.meeting_key = $1 AND r.race_number = c.race AND r.number = c.number`,
    [key, runners.map(({ race }) => race), runners.map(({ number }) => number)],
  );
  const rows = runners.flatMap(({ race, now }) => {
    const runner = now as RegistryRunner | null;
    return runner ? [{ race, ...runner, runnerKey: runnerKey(runner.name) }] : [];
  });
  await client.query(WRITE_RUNNERS, [key, JSON.stringify(rows), at]);
}

async function log(client: ClientBase, key: string, changes: readonly Change[], at: Instant): Promise<void> {
  if (changes.length === 0) return;
  await client.query(
    `INSERT INTO registry_changes (meeting_key, observed_at, kind, race_number, number, was, is_now)
     SELECT $1, $2, kind, race, number, was, now
       FROM jsonb_to_recordset($3) AS c (kind text, race smallint, number smallint, was jsonb, now jsonb)
         ON CONFLICT DO NOTHING`,
    [key, at, JSON.stringify(changes)],
  );
}

// Writes the field and the facts that a race's cards merge to. Within a transaction that has locked the race.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { FACTS, type RaceFacts } from '../../domain/race/race-facts';
import type { Meeting } from './condition-stamp';
import { type MergedRunner, mergeFacts, mergeRunners, type StoredCard } from './merge';
import { readOfficialCard } from './official-card';

export async function writeMerged(
  client: ClientBase,
  raceId: string,
  { category }: Meeting,
  cards: readonly StoredCard[],
  at: Instant,
) {
  const registry = category === 'horse' ? await readOfficialCard(client, raceId) : null;
  const runners = mergeRunners(cards, registry);
  const scratchings = await writeRunners(client, raceId, runners, at);
  await writeFacts(client, raceId, mergeFacts(cards, registry), scratchings.changed, at);
  return { ...scratchings, numbers: runners.map(({ number }) => number) };
}

const WRITE_RUNNERS = `
  INSERT INTO race_runners AS stored (race_id, number, name, runner_key, barrier, jockey, trainer, weight_kg, form, runner_ref,
         emergency, scratched, scratched_at, late, win_deduction, place_deduction, updated_at)
  SELECT $1, n.*, $3
    FROM jsonb_to_recordset($2) AS n (number smallint, name text, "runnerKey" text, barrier smallint, jockey text, trainer text,
         "weightKg" float8, form text, "runnerRef" text, emergency boolean, scratched boolean, "scratchedAt" timestamptz,
         late boolean, "winDeduction" float8, "placeDeduction" float8)
      ON CONFLICT (race_id, number) DO UPDATE
     SET name = EXCLUDED.name, runner_key = EXCLUDED.runner_key, barrier = EXCLUDED.barrier, jockey = EXCLUDED.jockey,
         trainer = EXCLUDED.trainer, weight_kg = EXCLUDED.weight_kg, form = EXCLUDED.form, runner_ref = EXCLUDED.runner_ref,
         emergency = EXCLUDED.emergency, scratched = EXCLUDED.scratched, scratched_at = EXCLUDED.scratched_at,
         late = EXCLUDED.late, win_deduction = EXCLUDED.win_deduction, place_deduction = EXCLUDED.place_deduction,
         updated_at = EXCLUDED.updated_at
   WHERE (stored.name, stored.runner_key, stored.barrier, stored.jockey, stored.trainer, stored.weight_kg, stored.form, stored.runner_ref,
          stored.emergency, stored.scratched, stored.scratched_at, stored.late, stored.win_deduction, stored.place_deduction)
         IS DISTINCT FROM
         (EXCLUDED.name, EXCLUDED.runner_key, EXCLUDED.barrier, EXCLUDED.jockey, EXCLUDED.trainer, EXCLUDED.weight_kg,
          EXCLUDED.form, EXCLUDED.runner_ref, EXCLUDED.emergency, EXCLUDED.scratched, EXCLUDED.scratched_at, EXCLUDED.late,
          EXCLUDED.win_deduction, EXCLUDED.place_deduction)`;

/**
 * The numbers that were scratched before. Deletes numbers that no book lists any more, except scratched ones: some
 * books drop a scratched runner from their reply.
 */
const REPLACE_RUNNERS = {
  name: 'card-runners',
  text: `WITH dropped AS (DELETE FROM race_runners WHERE race_id = $1 AND NOT scratched AND number <> ALL ($4::smallint[])),
              written AS (${WRITE_RUNNERS})
         SELECT number FROM race_runners WHERE race_id = $1 AND scratched`,
};

async function writeRunners(client: ClientBase, raceId: string, runners: readonly MergedRunner[], at: Instant) {
  if (runners.length === 0) return { added: [], changed: false };
  const numbers = runners.map(({ number }) => number);
  const values = [raceId, JSON.stringify(runners), at, numbers];
  const { rows } = await client.query<{ number: number }>({ ...REPLACE_RUNNERS, values });
  const before = new Set(rows.map(({ number }) => number));
  const added = runners.filter((runner) => runner.scratched && !before.has(runner.number)).map((r) => r.number);
  const back = runners.some((runner) => !runner.scratched && before.has(runner.number));
  return { added, changed: added.length > 0 || back };
}

export const SQL_TYPES = { text: 'text', whole: 'integer', count: 'integer', flag: 'boolean' };
const listed = (of: (key: string, name: string, type: keyof typeof SQL_TYPES) => string): string =>
  FACTS.map(([key, { name, type }]) => of(key, name, type)).join(', ');

const WRITE_FACTS = `
  UPDATE races r
     SET ${listed((_, name) => `${name} = n.${name}`)}, updated_at = GREATEST(r.updated_at, $3)
    FROM (SELECT ${listed((key, name) => `COALESCE(s."${key}", o.${name}) AS ${name}`)}
            FROM races o, jsonb_to_record($2) AS s (${listed((key, _, type) => `"${key}" ${SQL_TYPES[type]}`)})
           WHERE o.race_id = $1) n
   WHERE r.race_id = $1
     AND ($4 OR (${listed((_, name) => `r.${name}`)}) IS DISTINCT FROM (${listed((_, name) => `n.${name}`)}))`;

/** A stored fact stays when a book stops reporting it. A scratching counts as a change of the race too (A 2.8). */
async function writeFacts(client: ClientBase, raceId: string, facts: RaceFacts, scratchings: boolean, at: Instant) {
  await client.query({
    name: 'card-facts',
    text: WRITE_FACTS,
    values: [raceId, JSON.stringify(facts), at, scratchings],
  });
}

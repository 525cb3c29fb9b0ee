// Reads the registry's card of one race, to be merged with the books' (A 2.2).
import type { ClientBase } from 'pg';
import { FACTS } from '../../domain/race/race-facts';
import { runnerRefOf } from '../../domain/registry/registry';
import type { OfficialCard } from './merge';

interface Row {
  readonly facts: OfficialCard['facts'];
  readonly runners: readonly (Omit<OfficialCard['runners'][number], 'runnerRef'> & {
    readonly horseCode: string | null;
  })[];
  readonly out: OfficialCard['out'];
}

/** Facts of the track from the registry's track page, otherwise from the head of the acceptances. */
const stated = ({ name, registry }: (typeof FACTS)[number][1]): string =>
  registry === 'race' ? `r.${name}` : registry === 'track' ? `COALESCE(t.${name}, m.${name})` : 'NULL';

const OFFICIAL_CARD = {
  name: 'official-card',
  text: `
  SELECT json_build_object(${FACTS.map(([key, fact]) => `'${key}', ${stated(fact)}`).join(', ')}) AS facts,
         (SELECT COALESCE(json_agg(json_build_object('number', u.number, 'name', u.name, 'barrier', u.barrier,
                   'jockey', u.jockey, 'trainer', u.trainer, 'weightKg', u.weight_kg, 'form', u.last10,
                   'horseCode', u.horse_code, 'emergency', u.emergency) ORDER BY u.number), '[]')
            FROM registry_runners u WHERE u.meeting_key = r.meeting_key AND u.race_number = r.race_number) AS runners,
         (SELECT COALESCE(json_agg(json_build_object('number', s.number, 'name', s.name, 'sheetAt',
                   to_char(s.sheet_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY s.number), '[]')
            FROM registry_scratchings s WHERE s.meeting_key = r.meeting_key AND s.race_number = r.race_number) AS out
    FROM registry_races r JOIN registry_meetings m USING (meeting_key)
    LEFT JOIN registry_tracks t ON t.meeting_date = m.meeting_date AND t.venue_id = m.venue_id
   WHERE r.race_id = $1`,
};

/** Null if no registry race is joined to it. */
export async function readOfficialCard(client: ClientBase, raceId: string): Promise<OfficialCard | null> {
  const { rows } = await client.query<Row>({ ...OFFICIAL_CARD, values: [raceId] });
  const [row] = rows;
  if (!row) return null;
  const runners = row.runners.map(({ horseCode, ...runner }) => ({ ...runner, runnerRef: runnerRefOf(horseCode) }));
  return { facts: row.facts, runners, out: row.out };
}

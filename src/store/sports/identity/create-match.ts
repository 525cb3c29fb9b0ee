// A new match for a row that leaves its previous one.
import type { ClientBase } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { ListedEvent } from '../../../domain/sports/identity/listed-event';
import { newEvent } from '../../../domain/sports/identity/new-event';
import { pairsOf, teamsOf } from '../../../domain/sports/identity/place-events';
import { CREATE } from '../push-sql';

const TAKEN = `
  SELECT e.canonical_event_id AS "canonicalId"
    FROM jsonb_to_recordset($1) AS n ("sportKey" text, "homeKey" text, "awayKey" text)
    JOIN sport_events e ON e.sport_key = n."sportKey" AND e.home_key = n."homeKey" AND e.away_key = n."awayKey"`;

type Named = Pick<ListedEvent, 'sport' | 'homeTeam' | 'awayTeam' | 'competition' | 'commenceTime'>;

/** Resolves to its id. Its home side is the row's. */
export async function createMatch(client: ClientBase, row: Named, firstSeenAt: Instant): Promise<string> {
  const { home, away } = teamsOf(row);
  const { rows } = await client.query<{ canonicalId: string }>(TAKEN, [JSON.stringify(pairsOf([row]))]);
  const ids = new Set(rows.map(({ canonicalId }) => canonicalId));
  const event = newEvent({ listed: row, home: home!, away: away! }, ids);
  const created = {
    event_id: event.eventId,
    canonical_event_id: event.canonicalId,
    sport_key: row.sport.key,
    home_key: event.home.key,
    away_key: event.away.key,
    home_team: event.home.name,
    away_team: event.away.name,
    competition: row.competition,
    commence_time: row.commenceTime,
    first_seen_at: firstSeenAt,
  };
  await client.query(CREATE, [JSON.stringify([created])]);
  return event.eventId;
}

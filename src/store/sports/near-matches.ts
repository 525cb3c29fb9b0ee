// The rows of a push with the teams that their names mean: by the names in the database, and if no match of these names
// is near, by the near matches (`like-stored.ts`).
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { likened, type NearMatch, namedRows, optionsOf, withoutMatch } from '../../domain/sports/identity/like-stored';
import type { ListedEvent, StoredEvent } from '../../domain/sports/identity/listed-event';
import { MINUTES_APART_MS } from '../../domain/sports/identity/same-match';
import type { Names } from '../../domain/sports/identity/team-names';
import { inParts } from '../../in-parts';

/** Matches of the sport near a start, and those that the book lists under the same two names. */
const NEAR = `
  WITH n AS (SELECT * FROM jsonb_to_recordset($2) AS n (sport text, at timestamptz, home text, away text)),
  found AS (
    SELECT e.event_id FROM (SELECT DISTINCT sport, at FROM n) n JOIN sport_events e
      ON e.sport_key = n.sport AND e.commence_time BETWEEN n.at - $3 * interval '1 ms' AND n.at + $3 * interval '1 ms'
    UNION
    SELECT b.event_id FROM sport_event_books b JOIN sport_events e USING (event_id)
      JOIN n ON n.sport = e.sport_key AND n.home = b.home_name AND n.away = b.away_name
     WHERE b.bookmaker_key = $1 AND b.taken_back_at IS NULL)
  SELECT e.event_id AS "eventId", e.sport_key AS "sportKey", e.home_key AS "homeKey", e.away_key AS "awayKey",
         e.commence_time AS "commenceTime",
         (SELECT jsonb_agg(DISTINCT jsonb_build_object(
                   'home', CASE WHEN x.swapped THEN x.away_name ELSE x.home_name END,
                   'away', CASE WHEN x.swapped THEN x.home_name ELSE x.away_name END, 'competition', x.competition))
            FROM sport_event_books x WHERE x.event_id = e.event_id) AS listings,
         CASE WHEN b.event_id IS NOT NULL THEN jsonb_build_object('home', b.home_name, 'away', b.away_name) END AS own
    FROM found JOIN sport_events e USING (event_id)
    LEFT JOIN sport_event_books b ON b.event_id = e.event_id AND b.bookmaker_key = $1 AND b.taken_back_at IS NULL
   ORDER BY 1`;

/** `isWhole`: all rows of the list. */
type Read<T extends StoredEvent> = (rows: readonly ListedEvent[], isWhole: boolean) => Promise<readonly T[]>;

interface NamedPush {
  readonly bookmakerKey: string;
  readonly observedAt: Instant;
  readonly listed: readonly ListedEvent[];
}

/** `storedOf`: every match of the pairs of teams of some rows. */
export async function nameRows<T extends StoredEvent>(
  client: ClientBase,
  push: NamedPush,
  names: Names,
  storedOf: Read<T>,
) {
  const { bookmakerKey, observedAt } = push;
  const rows = await inParts(namedRows(push.listed, names));
  const stored = await storedOf(rows, true);
  const at = await inParts(withoutMatch(rows, stored));
  if (at.length === 0) return { listed: rows, stored };
  const near = await nearMatches(
    client,
    bookmakerKey,
    at.map((i) => rows[i]!),
  );
  const options = await inParts(optionsOf(rows, at, near, names));
  if (options.length === 0) return { listed: rows, stored };
  const matches = new Map(options.map(({ i, near: one }) => [one.eventId, keyedAs(rows[i]!, one)]));
  const more = await storedOf([...matches.values()], false);
  const all = [...new Map([...stored, ...more].map((one) => [one.canonicalId, one])).values()];
  return { listed: await inParts(likened(rows, options, all, observedAt)), stored: all };
}

const keyedAs = (row: ListedEvent, { homeKey, awayKey }: NearMatch): ListedEvent => ({
  ...row,
  teams: { home: { key: homeKey, name: row.homeTeam }, away: { key: awayKey, name: row.awayTeam } },
});

async function nearMatches(client: ClientBase, bookmakerKey: string, rows: readonly ListedEvent[]) {
  const wanted = rows.map(({ sport, commenceTime, homeTeam, awayTeam }) => ({
    sport: sport.key,
    at: commenceTime,
    home: homeTeam,
    away: awayTeam,
  }));
  const { rows: near } = await client.query<NearMatch>(NEAR, [bookmakerKey, JSON.stringify(wanted), MINUTES_APART_MS]);
  return near.filter(({ listings }) => listings !== null);
}

// Names that may be two spellings of one team, for an operator to decide: two matches of a sport that start together at
// different books, with one side equal. If accepted, one is an alias of the other from the next push on; if rejected,
// they are never compared again. Either may be repeated or changed.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { IN_TURN } from './push-sql';

export interface AliasReport {
  readonly aliasId: string;
  readonly sportKey: string;
  readonly oneKey: string;
  readonly otherKey: string;
  /** As the first match of each shows them. */
  readonly oneName: string;
  readonly otherName: string;
  readonly oneBooks: readonly string[];
  readonly otherBooks: readonly string[];
  /** Pairs of matches. */
  readonly count: number;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
}

export type AliasVerdict = 'accepted' | 'rejected';

interface Decided {
  readonly sportKey: string;
  readonly oneKey: string;
  readonly otherKey: string;
  /** The verdict already existed. */
  readonly stood: boolean;
}

export interface AliasStore {
  /** Undecided ones of the matches that start after `since`, the most frequent first. */
  report(since: Instant): Promise<readonly AliasReport[]>;
  /** Null: no report of the matches since, and no verdict, has this id. */
  decide(aliasId: string, verdict: AliasVerdict, since: Instant, at: Instant): Promise<Decided | null>;
}

const DIVISION = '(-(women|reserves|youth|simulated|legends|wheelchair|u\\d\\d))+$';

/** `$1`: matches that start after it. Two teams that the tables know are different. */
const REPORT = `
  WITH m AS (
    SELECT e.*, (SELECT array_agg(x.bookmaker_key) FROM sport_event_books x WHERE x.event_id = e.event_id) AS books,
           (SELECT max(x.observed_at) FROM sport_event_books x WHERE x.event_id = e.event_id) AS last_at
      FROM sport_events e WHERE e.commence_time >= $1),
  sides AS (
    SELECT a.sport_key, regexp_replace(x.one, '${DIVISION}', '') AS one_key, regexp_replace(x.other, '${DIVISION}', '') AS other_key,
           coalesce(substring(x.one FROM '(${DIVISION})'), '') AS one_division, coalesce(substring(x.other FROM '(${DIVISION})'), '') AS other_division,
           x.one_name, x.other_name, a.books AS one_books, b.books AS other_books,
           least(a.first_seen_at, b.first_seen_at) AS first_at, greatest(a.last_at, b.last_at) AS last_at
      FROM m a JOIN m b ON b.sport_key = a.sport_key AND b.event_id <> a.event_id AND NOT a.books && b.books
       AND b.commence_time BETWEEN a.commence_time - interval '10 minutes' AND a.commence_time + interval '10 minutes'
     CROSS JOIN LATERAL (VALUES
       (a.home_key = b.home_key, a.away_key, b.away_key, a.away_team, b.away_team),
       (a.away_key = b.away_key, a.home_key, b.home_key, a.home_team, b.home_team),
       (a.home_key = b.away_key, a.away_key, b.home_key, a.away_team, b.home_team),
       (a.away_key = b.home_key, a.home_key, b.away_key, a.home_team, b.away_team)) AS x (is_equal, one, other, one_name, other_name)
     WHERE x.is_equal)
  SELECT left(md5(concat_ws(' ', s.sport_key, s.one_key, s.other_key)), 10) AS "aliasId", s.sport_key AS "sportKey",
         s.one_key AS "oneKey", s.other_key AS "otherKey", min(s.one_name) AS "oneName", min(s.other_name) AS "otherName",
         ARRAY(SELECT DISTINCT unnest(string_to_array(string_agg(array_to_string(s.one_books, ','), ','), ',')) ORDER BY 1) AS "oneBooks",
         ARRAY(SELECT DISTINCT unnest(string_to_array(string_agg(array_to_string(s.other_books, ','), ','), ',')) ORDER BY 1) AS "otherBooks",
         count(*)::int AS count, min(s.first_at) AS "firstSeenAt", max(s.last_at) AS "lastSeenAt"
    FROM sides s
   WHERE s.one_key < s.other_key AND s.one_division = s.other_division
     AND NOT (EXISTS (SELECT FROM sport_teams t WHERE t.sport_key = s.sport_key AND t.team_key = s.one_key)
          AND EXISTS (SELECT FROM sport_teams t WHERE t.sport_key = s.sport_key AND t.team_key = s.other_key))
     AND NOT EXISTS (SELECT FROM sport_alias_verdicts v
                      WHERE v.sport_key = s.sport_key AND v.one_key = s.one_key AND v.other_key = s.other_key)
   GROUP BY s.sport_key, s.one_key, s.other_key
   ORDER BY count DESC, 1`;

const VERDICT = `
  SELECT sport_key AS "sportKey", one_key AS "oneKey", other_key AS "otherKey", verdict FROM sport_alias_verdicts WHERE alias_id = $1`;

const DECIDE = `
  INSERT INTO sport_alias_verdicts (alias_id, sport_key, one_key, other_key, verdict, decided_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (alias_id) DO UPDATE SET verdict = EXCLUDED.verdict, decided_at = EXCLUDED.decided_at`;

/**
 * `$2` is a spelling of `$3`, and so are the spellings of `$2`. A key that is itself a spelling stands for its team.
 */
const ALIAS = `
  WITH target AS (
    SELECT coalesce((SELECT p.team_key FROM sport_spellings p WHERE p.sport_key = $1 AND p.spelling = $3), $3) AS team_key),
  listed AS (
    INSERT INTO sport_teams (sport_key, team_key, name, origin) SELECT $1, team_key, $4, 'operator' FROM target
    ON CONFLICT (sport_key, team_key) DO NOTHING),
  moved AS (
    UPDATE sport_spellings p SET team_key = target.team_key FROM target
     WHERE p.sport_key = $1 AND p.team_key = $2 AND p.spelling <> $2 AND p.origin = 'operator')
  INSERT INTO sport_spellings (sport_key, spelling, team_key, origin) SELECT $1, $2, team_key, 'operator' FROM target
  ON CONFLICT (sport_key, spelling) DO UPDATE SET team_key = EXCLUDED.team_key, origin = EXCLUDED.origin`;

const UNDO = `
  WITH gone AS (
    DELETE FROM sport_spellings
     WHERE sport_key = $1 AND origin = 'operator' AND ((spelling = $2 AND team_key = $3) OR (spelling = $3 AND team_key = $2))
    RETURNING spelling)
  DELETE FROM sport_teams t
   WHERE t.sport_key = $1 AND t.origin = 'operator' AND t.team_key IN ($2, $3)
     AND NOT EXISTS (SELECT FROM sport_spellings p
                      WHERE p.sport_key = $1 AND p.team_key = t.team_key AND p.spelling NOT IN (SELECT spelling FROM gone))`;

const RAISE = 'UPDATE sport_names_level SET level = level + 1';

export function createAliasStore(pool: Pool): AliasStore {
  return {
    report: async (since) => (await pool.query<AliasReport>(REPORT, [since])).rows,
    decide: (aliasId, verdict, since, at) =>
      inTransaction(pool, async (client) => {
        await client.query(IN_TURN);
        const found = await reported(client, aliasId, since);
        if (!found) return null;
        const { sportKey, oneKey, otherKey } = found;
        const stood = found.verdict === verdict;
        if (stood) return { sportKey, oneKey, otherKey, stood };
        await client.query(DECIDE, [aliasId, sportKey, oneKey, otherKey, verdict, at]);
        if (verdict === 'accepted') await client.query(ALIAS, [sportKey, ...(await spellingAndTeam(client, found))]);
        else await client.query(UNDO, [sportKey, oneKey, otherKey]);
        await client.query(RAISE);
        return { sportKey, oneKey, otherKey, stood };
      }),
  };
}

interface Found {
  readonly sportKey: string;
  readonly oneKey: string;
  readonly otherKey: string;
  readonly verdict: AliasVerdict | null;
}

async function reported(client: ClientBase, aliasId: string, since: Instant): Promise<Found | null> {
  const { rows } = await client.query<Found>(VERDICT, [aliasId]);
  if (rows[0]) return rows[0];
  const { rows: open } = await client.query<AliasReport>(REPORT, [since]);
  const one = open.find((each) => each.aliasId === aliasId);
  return one ? { sportKey: one.sportKey, oneKey: one.oneKey, otherKey: one.otherKey, verdict: null } : null;
}

/** The team is the one that the tables know, otherwise the one that more books list, otherwise the one listed first. */
async function spellingAndTeam(client: ClientBase, { sportKey, oneKey, otherKey }: Found): Promise<readonly string[]> {
  const { rows } = await client.query<{ key: string; name: string }>(
    `SELECT k.key, coalesce(t.name, min(e.name), k.key) AS name
       FROM unnest($2::text[]) AS k (key)
       LEFT JOIN sport_teams t ON t.sport_key = $1 AND t.team_key = k.key
       LEFT JOIN LATERAL (
         SELECT CASE WHEN m.home_key = k.key THEN m.home_team ELSE m.away_team END AS name, m.first_seen_at, b.bookmaker_key
           FROM sport_events m JOIN sport_event_books b USING (event_id)
          WHERE m.sport_key = $1 AND k.key IN (m.home_key, m.away_key)) e ON true
      GROUP BY k.key, t.name
      ORDER BY t.name IS NULL, count(DISTINCT e.bookmaker_key) DESC, min(e.first_seen_at), k.key`,
    [sportKey, [oneKey, otherKey]],
  );
  const [team, spelling] = rows;
  return [spelling!.key, team!.key, team!.name];
}

// The stored track states of one day's meetings (A 2.9): the registry's own blocks, every logged change, and the
// spellings of the venue. One statement; a meeting is a day, a code and a canonical venue. Never decides which report
// counts.
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import { IS_INTERNATIONAL } from '../races/international';
import { millis } from '../races/runners';

export interface ConditionsQuery {
  readonly day: Day;
  /** The only books whose reports are read. */
  readonly bookmakers: readonly string[];
}

/** Fields of a track as the registry states them. */
interface StatedTrack {
  readonly track_condition: string | null;
  readonly rail: string | null;
  readonly weather: string | null;
  readonly penetrometer: string | null;
}

/** From the registry's page of tracks; `field_as_of` has, per field, the reading that last stated it. */
interface TrackRow extends StatedTrack {
  readonly venue: string;
  readonly field_as_of: Readonly<Record<string, Instant>>;
}

/** The head of the registry's acceptances. */
interface HeadRow extends StatedTrack {
  readonly venue: string;
  readonly venue_site: string;
  readonly track_type: string | null;
  /** Null if the acceptances were never read. */
  readonly read_ms: number | null;
}

export interface ConditionChange {
  readonly at_ms: number;
  /** Null: the registry. */
  readonly bookmaker: string | null;
  readonly track_condition: string;
  readonly rail: string | null;
  readonly weather: string | null;
  readonly prev_track_condition: string | null;
  readonly race_id: string | null;
}

export interface MeetingTrack {
  readonly category: Category;
  readonly venue_id: string;
  /** Null if no race of the meeting is stored. */
  readonly venue_site: string | null;
  readonly track: TrackRow | null;
  /** Two of the registry's meetings may be one of ours. */
  readonly heads: readonly HeadRow[];
  /** In the order of observation. */
  readonly changes: readonly ConditionChange[];
  /** The spellings on the day's races, the commonest first; then every spelling of the venue, by name. */
  readonly raceVenues: readonly string[];
  readonly spellings: readonly string[];
}

const CHANGES = `
  SELECT 'horse' AS category, venue_id, observed_at, NULL AS bookmaker, track_condition, rail, weather, prev_track_condition,
         NULL::uuid AS race_id
    FROM registry_track_changes WHERE meeting_date = $1
  UNION ALL
  SELECT r.category, r.venue_id, c.observed_at, c.source, c.track_condition, NULL, c.weather, c.prev_track_condition, c.race_id
    FROM races r JOIN track_condition_changes c USING (race_id) WHERE r.meeting_date = $1 AND c.source = ANY ($2)
     AND (${IS_INTERNATIONAL}) IS NOT TRUE`;

const STATED = (table: string): string =>
  ['track_condition', 'rail', 'weather', 'penetrometer'].map((name) => `'${name}', ${table}.${name}`).join(', ');

const TRACK_CONDITIONS = {
  name: 'track-conditions',
  text: `
  WITH changes AS MATERIALIZED (${CHANGES}),
  heads AS (
    SELECT * FROM registry_meetings WHERE meeting_date = $1
       AND COALESCE(track_condition, rail, weather, penetrometer, track_type) IS NOT NULL),
  meetings AS (
    SELECT category, venue_id FROM changes UNION SELECT 'horse', venue_id FROM heads
    UNION SELECT 'horse', venue_id FROM registry_tracks WHERE meeting_date = $1)
  SELECT m.category, m.venue_id,
    (SELECT r.venue_site FROM races r WHERE r.meeting_date = $1 AND r.category = m.category AND r.venue_id = m.venue_id LIMIT 1),
    (SELECT json_build_object('venue', t.venue, 'field_as_of', t.field_as_of, ${STATED('t')})
       FROM registry_tracks t
      WHERE m.category = 'horse' AND t.meeting_date = $1 AND t.venue_id = m.venue_id) AS track,
    COALESCE((SELECT json_agg(json_build_object('venue', h.venue, 'venue_site', h.venue_site, 'track_type', h.track_type,
                'read_ms', ${millis('h.as_of')}, ${STATED('h')}) ORDER BY h.meeting_key)
       FROM registry_meetings h
      WHERE m.category = 'horse' AND h.meeting_date = $1 AND h.venue_id = m.venue_id), '[]') AS heads,
    COALESCE((SELECT json_agg(json_build_object('at_ms', ${millis('c.observed_at')}, 'bookmaker', c.bookmaker,
                'track_condition', c.track_condition, 'rail', c.rail, 'weather', c.weather,
                'prev_track_condition', c.prev_track_condition, 'race_id', c.race_id)
                ORDER BY c.observed_at, c.bookmaker NULLS FIRST, c.race_id)
       FROM changes c WHERE c.category = m.category AND c.venue_id = m.venue_id), '[]') AS changes,
    ARRAY(SELECT r.venue FROM races r
       WHERE r.meeting_date = $1 AND r.category = m.category AND r.venue_id = m.venue_id
       GROUP BY 1 ORDER BY count(*) DESC, 1) AS "raceVenues",
    ARRAY(SELECT v.spelling FROM venue_spellings v
       WHERE v.venue_id = m.venue_id AND v.category = m.category ORDER BY 1) AS spellings
  FROM meetings m ORDER BY m.category, m.venue_id`,
};

/** By code and venue: every meeting with a track state from the registry or a logged change from a book. */
export async function readTrackConditions(pool: Pool, query: ConditionsQuery): Promise<readonly MeetingTrack[]> {
  const { rows } = await pool.query<MeetingTrack>({ ...TRACK_CONDITIONS, values: [query.day, query.bookmakers] });
  return rows;
}

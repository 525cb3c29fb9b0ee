// Presents the track conditions of a day (A 2.9): one entry per meeting, however each feed spells its venue, and for
// each field the latest report with its feed and time. Reports of an exchange are never included: the read leaves them
// out.
import type { Static } from '@sinclair/typebox';
import type { Day, Instant } from '../../../domain/race/race';
import { foldText, resolveVenue } from '../../../domain/race/venue';
import { REGISTRY } from '../../../domain/registry/registry';
import { splitCondition, statesCondition } from '../../../domain/registry/track-condition';
import type { ConditionChange, MeetingTrack } from '../../../store/reads/meetings/track-conditions';
import type { TrackConditions } from './track-conditions-schema';

type Wire = Static<typeof TrackConditions>;
type Meeting = Wire['meetings'][number];
type Current = Meeting['current'];

/** First days of the change log and of the registry's own track report (A 2.9). */
export const COVERAGE_FROM = '2026-09-07';
const OFFICIAL_BLOCK_FROM = '2026-09-26';

const OFFICIAL =
  'Official ratings exist for Australian thoroughbred meetings only and are read every two hours. Greyhound, harness and New ' +
  'Zealand meetings are listed only if a bookmaker reported a change.';
const LOG_ALONE =
  `Before ${OFFICIAL_BLOCK_FROM}, the registry’s own track report is not stored: current and changes come from the change log ` +
  'alone.';

/** `venue`: only the meetings with this name in any feed, case-insensitive. */
export function presentTrackConditions(all: readonly MeetingTrack[], date: Day, venue: string | undefined): Wire {
  const hasOfficialBlock = date >= OFFICIAL_BLOCK_FROM;
  const meetings = all
    .filter((meeting) => hasOfficialBlock || meeting.changes.length > 0)
    .map((meeting) => presentMeeting(meeting, hasOfficialBlock))
    .filter((meeting) => venue === undefined || matchesVenue(meeting, venue))
    .sort((a, b) => order(a.category, b.category) || order(a.venue, b.venue) || order(a.venue_id, b.venue_id));
  return {
    date,
    coverage_from: COVERAGE_FROM,
    official_block_from: OFFICIAL_BLOCK_FROM,
    meetings,
    note: hasOfficialBlock ? OFFICIAL : OFFICIAL + LOG_ALONE,
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const matchesVenue = ({ merged_from, venue_norm }: Meeting, venue: string): boolean =>
  venue_norm === foldText(venue) || merged_from.some((name) => name.toLowerCase() === venue.toLowerCase());

function presentMeeting(meeting: MeetingTrack, hasOfficialBlock: boolean): Meeting {
  const { category, venue_id, track, heads, raceVenues, spellings } = meeting;
  const official = heads[0]?.venue ?? track?.venue ?? null;
  const venue = official ?? raceVenues[0] ?? spellings[0] ?? venue_id;
  const names = [...heads.map((head) => head.venue), ...(track ? [track.venue] : []), ...raceVenues, ...spellings];
  return {
    category,
    venue,
    venue_id,
    venue_norm: foldText(venue),
    venue_site: heads[0]?.venue_site ?? meeting.venue_site ?? resolveVenue(venue, category, 'AU').venueSite,
    official_venue_norm: official === null ? null : foldText(official),
    merged_from: [...new Set(names)].sort(),
    current: currentOf(reportsOf(meeting, hasOfficialBlock)),
    changes: meeting.changes.map((change) => presentChange(change, category)),
  };
}

const FIELDS = ['track_condition', 'rail', 'weather', 'penetrometer', 'track_type'] as const;
type Field = (typeof FIELDS)[number];

/** The fields that one feed reported at one time. */
interface TrackReport {
  readonly source: string;
  readonly stated: Readonly<Partial<Record<Field, string | null>>>;
  at(field: Field): Instant | null;
}

const iso = (ms: number): Instant => new Date(ms).toISOString();

/** The registry's reports come first: of reports with the same time, the registry's wins. */
function reportsOf({ track, heads, changes }: MeetingTrack, hasOfficialBlock: boolean): TrackReport[] {
  const block: TrackReport[] = heads.map((head) => ({
    source: REGISTRY,
    stated: head,
    at: () => (head.read_ms === null ? null : iso(head.read_ms)),
  }));
  if (track) block.push({ source: REGISTRY, stated: track, at: (field) => track.field_as_of[field] ?? null });
  const logged = changes.map((change) => ({
    source: change.bookmaker ?? REGISTRY,
    stated: change,
    at: () => iso(change.at_ms),
  }));
  return [...(hasOfficialBlock ? block : []), ...logged];
}

interface Stated {
  readonly value: string | null;
  readonly source: string | null;
  readonly at: Instant | null;
}

const UNSTATED: Stated = { value: null, source: null, at: null };

function newest(reports: readonly TrackReport[], field: Field): Stated {
  let found = UNSTATED;
  for (const { source, stated, at } of reports) {
    const value = stated[field] ?? null;
    const instant = at(field);
    if (value === null || instant === null || (field === 'track_condition' && !statesCondition(value))) continue;
    if (found.at === null || instant > found.at || (instant === found.at && source === REGISTRY)) {
      found = { value, source, at: instant };
    }
  }
  return found;
}

function currentOf(reports: readonly TrackReport[]): Current {
  const of = Object.fromEntries(FIELDS.map((field) => [field, newest(reports, field)])) as Record<Field, Stated>;
  const { going, goingRating } = splitCondition(of.track_condition.value);
  const sources = new Set(FIELDS.flatMap((field) => of[field].source ?? []));
  return {
    track_condition: of.track_condition.value,
    going,
    going_rating: goingRating,
    penetrometer: of.penetrometer.value,
    rail: of.rail.value,
    track_type: of.track_type.value,
    weather: of.weather.value,
    source: sources.size > 1 ? 'mixed' : ([...sources][0] ?? null),
    sources: perField(of, going, goingRating, ({ source }) => source),
    field_as_of: perField(of, going, goingRating, ({ at }) => at),
    as_of: FIELDS.flatMap((field) => of[field].at ?? []).sort()[0] ?? null,
  };
}

/** Going and rating are parts of the condition, so they have its feed and time, or null if they are unknown. */
function perField<T>(
  of: Readonly<Record<Field, Stated>>,
  going: string | null,
  rating: number | null,
  pick: (stated: Stated) => T | null,
) {
  const { track_condition, penetrometer, rail, track_type, weather } = of;
  return {
    track_condition: pick(track_condition),
    going: going === null ? null : pick(track_condition),
    going_rating: rating === null ? null : pick(track_condition),
    penetrometer: pick(penetrometer),
    rail: pick(rail),
    track_type: pick(track_type),
    weather: pick(weather),
  };
}

function presentChange(change: ConditionChange, category: Meeting['category']): Meeting['changes'][number] {
  const { track_condition, prev_track_condition, rail, weather, race_id } = change;
  const now = splitCondition(track_condition);
  const before = splitCondition(prev_track_condition);
  return {
    observed_at: iso(change.at_ms),
    source: change.bookmaker ?? REGISTRY,
    category,
    track_condition,
    going: now.going,
    going_rating: now.goingRating,
    rail,
    weather,
    prev_track_condition,
    prev_going: before.going,
    prev_going_rating: before.goingRating,
    race_id,
  };
}

// The ids of a replay's events: the place in race time, what is played, and the paid play that it belongs to. Opaque to
// clients. Ids of one play sort as their events follow each other. Pure.
import { createHash } from 'node:crypto';
import type { ReplayRaces, ReplaySelection } from '../../../store/reads/archive/replay/replay-races';

/** After this event: of those at the instant, the one with this number. `RECORDED` and `STATE` come before them. */
export interface ReplayPlace {
  readonly atMs: number;
  readonly number: number;
}

export interface ReplayId {
  readonly place: ReplayPlace;
  /** Equal for equal filters. */
  readonly filters: string;
  /** Equal while the same races have the same prices, jumps, cards and results. */
  readonly races: string;
  readonly play: string;
}

/** Raise it when the same prices are presented differently. */
const FORM = 2;
/** The numbers of the two events before all others, and one that is after all events of an instant. */
export const [RECORDED, STATE, LAST] = [-2, -1, 999_997] as const;
const DIGITS = 6;
/** Before every event, whatever is played. */
export const BEFORE_ALL: ReplayPlace = { atMs: 0, number: RECORDED };

const ID =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)-(\d{6}) ([0-9a-f]{8})-([0-9a-f]{8}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** What follows the place, in every id of a connection. */
export const idTail = ({ filters, races, play }: Omit<ReplayId, 'place'>): string => ` ${filters}-${races} ${play}`;

export const placeText = (instant: string, number: number): string =>
  `${instant}-${String(number - RECORDED).padStart(DIGITS, '0')}`;

/** Null: it is no id of a replay. */
export function readReplayId(id: string): ReplayId | null {
  const [, instant = '', number, filters, races, play] = ID.exec(id) ?? [];
  const atMs = Date.parse(instant);
  if (Number.isNaN(atMs) || !filters || !races || !play) return null;
  return { place: { atMs, number: Number(number) + RECORDED }, filters, races, play };
}

/** Of an id: the beginning of the digest of the filters. */
export const shortDigest = (digest: string): string => digest.slice(0, 8);

/** Whole: no other filters with the same one can be found. */
export function filtersDigest({ categories, countries, bookmakers, ...one }: ReplaySelection): string {
  const { from, until, meetingDate, raceId, venue } = one;
  const all = [categories, countries, bookmakers].map((values) => (values ? [...new Set(values)].sort() : null));
  return digest([FORM, from, until, meetingDate, raceId, venue?.toLowerCase(), ...all].map((value) => value ?? null));
}

export const racesDigest = ({ races }: ReplayRaces): string =>
  shortDigest(
    digest(
      races.map(({ raceId, pathFacts, cardFacts, jumpMs, resultMs }) => [
        ...[raceId, pathFacts, cardFacts],
        ...[jumpMs, resultMs],
      ]),
    ),
  );

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

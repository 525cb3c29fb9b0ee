// Maps Topaz' list of meetings, and a meeting with its results, pure.
// A result is final only if the field is complete and the registry does not report that it is still to be entered.

import type { Day } from '../../domain/race/race';
import type { PublishedListing, PublishedMeeting, PublishedRace } from '../../domain/results/published-results';
import { aetDay } from '../../domain/time/aet';
import { countDrops, type Drops } from '../reading/drops';
import { asRow, countOf, dayOf, flagOf, idOf, instantOf, type JsonObject, listOf, textOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { readField } from './field';
import { ORIGIN } from './run';

const MIDNIGHT = /T00:00:00(\.0+)?Z?$/;
const TRIAL = /trial|quali/i;

/** Meetings of one authority on these days, both inclusive. Null if the reply is not a list. */
export function mapListings(
  payload: unknown,
  query: { readonly region: string; readonly from: Day; readonly to: Day },
): Mapped<readonly PublishedListing[]> | null {
  if (!Array.isArray(payload)) return null;
  const drops = countDrops();
  const value = payload.flatMap((raw) => {
    const row = asRow(raw);
    if (row && isTrial(row)) return [];
    const listing = row && listingOf(row, query.region, drops);
    if (!row) drops.add('meeting_unreadable');
    return listing && listing.day >= query.from && listing.day <= query.to ? [listing] : [];
  });
  return { value, bookAt: null, dropped: drops.counts() };
}

const isTrial = (row: JsonObject): boolean =>
  row.isQuali === true || [row.meetingType, row.meetingCategory].some((text) => TRIAL.test(textOf(text) ?? ''));

function listingOf(row: JsonObject, region: string, drops: Drops): PublishedListing | null {
  const key = idOf(row.meetingId);
  const day = meetingDayOf(row);
  const venue = textOf(row.trackName);
  const owner = textOf(row.owningAuthorityCode);
  if (key === null || day === null || venue === null) drops.add('meeting_unreadable');
  else if (owner !== null && owner !== region) drops.add('other_authority');
  else return { key, day, region, venue };
  return null;
}

/** A timestamp at 00:00Z is that calendar day; any other is a midnight in Melbourne, whose clocks are Sydney's. */
function meetingDayOf({ meetingDate }: JsonObject): Day | null {
  const instant = instantOf(meetingDate);
  return instant === null || MIDNIGHT.test(String(meetingDate)) ? dayOf(meetingDate) : aetDay(Date.parse(instant));
}

/** Null if it is not this meeting, or has no date or track. */
export function mapMeeting(payload: unknown, key: string): Mapped<PublishedMeeting> | null {
  const row = asRow(payload);
  const [day, venue] = row ? [meetingDayOf(row), textOf(row.trackName)] : [null, null];
  if (!row || day === null || venue === null || !Array.isArray(row.races) || idOf(row.meetingId) !== key) return null;
  const drops = countDrops();
  const off = offNoteOf(row);
  const races = onlyOnes(
    row.races.flatMap((raw) => raceOf(asRow(raw), off !== null, drops) ?? []),
    drops,
  );
  const ran = races.some(({ stage }) => stage === 'interim' || stage === 'final');
  const value = { source: ORIGIN, key, category: 'greyhound', day, venue, note: ran ? null : off, races } as const;
  return { value, bookAt: null, dropped: drops.counts() };
}

/** In order. Drops both of two races with the same number: either may be the race that the books mean. */
function onlyOnes(races: readonly PublishedRace[], drops: Drops): PublishedRace[] {
  const isOnly = ({ raceNumber }: PublishedRace) => races.filter((one) => one.raceNumber === raceNumber).length === 1;
  const only = races.filter(isOnly);
  drops.add('race_number_repeated', races.length - only.length);
  return only.sort((a, b) => a.raceNumber - b.raceNumber);
}

const statusText = (row: JsonObject): string =>
  [row.statusCode, row.status].flatMap((raw) => textOf(raw) ?? []).join(' ');

/** The codes are undocumented: only a text with "abandon" or "postpone" is read. */
function offNoteOf(row: JsonObject): string | null {
  if (isAbandoned(row)) return 'abandoned';
  return /postpone/i.test(statusText(row)) ? 'postponed' : null;
}

const isAbandoned = (row: JsonObject): boolean =>
  row.isAbandoned === true || row.abandoned === true || /abandon/i.test(statusText(row));

function raceOf(row: JsonObject | null, meetingOff: boolean, drops: Drops): PublishedRace | null {
  const raceNumber = countOf(row?.raceNumber);
  if (!row || raceNumber === null) {
    drops.add('race_unreadable');
    return null;
  }
  const facts = {
    raceNumber,
    startTime: instantOf(row.raceStart),
    distanceM: countOf(row.distance ?? row.distanceInMetres),
    raceName: textOf(row.name ?? row.raceName),
  };
  return { ...facts, ...outcomeOf(row, meetingOff, drops) };
}

const NOTHING = { runners: [] } as const;

/** A race that was run before the rest of its meeting was called off keeps its result. */
function outcomeOf(row: JsonObject, meetingOff: boolean, drops: Drops): Pick<PublishedRace, 'stage' | 'runners'> {
  if (isAbandoned(row)) return { stage: 'abandoned', ...NOTHING };
  const { runners, begun, whole } = readField(listOf(row.runs), drops);
  if (!begun) return { stage: meetingOff ? 'abandoned' : 'none', ...NOTHING };
  const entered = flagOf(row.isRaceResultEntered);
  if (entered === null) drops.add('result_flag_missing');
  return { stage: whole && entered !== false ? 'final' : 'interim', runners };
}

// The runs of meetings that the service did not follow (B 2.6, B 2.7, D53): which month of a registry's lists is read
// next, and a published meeting as runs. The newest goes first, because customers look for that most.
import type { Day, Instant } from '../race/race';
import { resolveVenue } from '../race/venue';
import type { PublishedMeeting, PublishedRace } from '../results/published-results';
import { addDays, aetDay } from '../time/aet';
import { type RunCategory, runsOfRace, type StoredRun } from './stored-run';

/** A month of one region's lists, as it was last read. */
export interface ListedMonth {
  readonly region: string;
  /** Its first day. */
  readonly month: Day;
  readonly listedAt: Instant;
  readonly meetings: number;
}

export interface MonthDue {
  readonly region: string;
  readonly month: Day;
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
}

/** A region without a meeting for this many months has none before them. */
const MOST_EMPTY = 3;

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`;
const monthBefore = (month: Day): Day => monthOf(addDays(month, -1));
const lastOf = (month: Day): Day => addDays(monthOf(addDays(month, 31)), -1);

/**
 * The newest month that is not read to its end, of any region; null if all are. Yesterday is the last day that counts.
 */
export function nextMonth(
  listed: readonly ListedMonth[],
  regions: readonly string[],
  beginsOn: Day,
  today: Day,
): MonthDue | null {
  const due = regions.flatMap((region) => nextOf(listed, region, beginsOn, today) ?? []);
  return due.sort((a, b) => (a.month > b.month ? -1 : Number(a.month < b.month)))[0] ?? null;
}

function nextOf(listed: readonly ListedMonth[], region: string, beginsOn: Day, today: Day): MonthDue | null {
  const byMonth = new Map(listed.flatMap((one) => (one.region === region ? [[one.month, one]] : [])));
  const yesterday = addDays(today, -1);
  let empty = 0;
  for (let month = monthOf(yesterday); lastOf(month) >= beginsOn && empty < MOST_EMPTY; month = monthBefore(month)) {
    const to = lastOf(month) < yesterday ? lastOf(month) : yesterday;
    const read = byMonth.get(month);
    if (!read || aetDay(Date.parse(read.listedAt)) <= to) {
      return { region, month, from: month < beginsOn ? beginsOn : month, to };
    }
    empty = read.meetings === 0 ? empty + 1 : 0;
  }
  return null;
}

/** Of its final races. Null for a category that the run store does not have. */
export function runsOfMeeting(meeting: PublishedMeeting): readonly StoredRun[] {
  const { category } = meeting;
  if (category === 'harness') return [];
  return meeting.races.flatMap((race) => (race.stage === 'final' ? runsOf(meeting, category, race) : []));
}

function runsOf(meeting: PublishedMeeting, category: RunCategory, race: PublishedRace): readonly StoredRun[] {
  const { startTime, raceNumber, raceName, distanceM, runners } = race;
  if (startTime === null) return [];
  const { source, key, day, venue } = meeting;
  const { venueCanonical, venueSite } = resolveVenue(venue, category, 'AU');
  const runs = runsOfRace({
    category,
    collector: source,
    card: new Map(),
    field: runners,
    prizes: null,
    race_name: raceName,
    distance_m: distanceM,
    track_condition: null,
    race_class: null,
    prize_total: null,
    meeting_date: day,
    start_time: startTime,
    venue: venueCanonical,
    venue_site: venueSite,
    race_number: raceNumber,
    race_id: '',
  });
  const result_id = `hist:${source}:${key}/${raceNumber}`;
  return runs.map((run) => ({ ...run, result_id, race_id: null, origin: 'history' }));
}

/** Whether no later reading brings more. A meeting without races is not published yet. */
export const isWhole = ({ note, races }: PublishedMeeting): boolean =>
  note !== null || (races.length > 0 && races.every(({ stage }) => stage === 'final' || stage === 'abandoned'));

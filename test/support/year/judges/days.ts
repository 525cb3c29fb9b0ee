// The Sydney days of the races, by a calendar other than the service's: the zone tables of this Node.
import type { Pool } from 'pg';
import type { Day } from '../../../../src/domain/race/race';

const SYDNEY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' });
const RACES = `
  SELECT r.race_id AS id, r.start_time AS start, r.meeting_date::text AS meeting, a.start_day::text AS archived
    FROM races r LEFT JOIN archived_races a USING (race_id) WHERE r.start_time < $1`;

/** `races`: how many races each day should have. */
export async function judgeDays(
  owner: Pool,
  races: ReadonlyMap<Day, number>,
  before: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  const counted = new Map<Day, number>();
  const { rows } = await owner.query<{ id: string; start: string; meeting: Day; archived: Day | null }>(RACES, [
    before,
  ]);
  for (const { id, start, meeting, archived } of rows) {
    const day = SYDNEY.format(new Date(start));
    counted.set(day, (counted.get(day) ?? 0) + 1);
    if (day !== meeting || day !== archived)
      found.push(`race ${id} of ${day} is stored under ${meeting}, archived under ${archived}`);
  }
  for (const [day, n] of races)
    if ((counted.get(day) ?? 0) !== n) found.push(`${day} has ${counted.get(day) ?? 0} races, and should have ${n}`);
  return found;
}

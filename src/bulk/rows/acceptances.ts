// The acceptances of a day as rows, with the merged scratchings.

import type { Day } from '../../domain/race/race';
import { horseRef, runnerKey } from '../../domain/race/runner';
import { runnerRefOf } from '../../domain/registry/registry';
import type { Column, Row } from '../../row-files/columns';
import type { AcceptedMeeting, AcceptedRace } from '../../store/reads/meetings/acceptances';
import { column, nullable } from './columns';

export const ACCEPTANCE_COLUMNS: readonly Column[] = [
  column('meeting_date_aet', 'day', 'Sydney day of the meeting.'),
  column('venue', 'text', 'Venue as the registry spells it.'),
  column('venue_id', 'text', 'Canonical venue.'),
  column('venue_site', 'text', 'Physical site of the venue.'),
  column('race_number', 'integer', 'Number on the card.'),
  column('race_name', 'text', 'Name of the race.'),
  nullable(column('start_time_local', 'text', 'Local time in the state of the meeting.')),
  column('distance_m', 'integer', 'Distance in metres.'),
  nullable(column('race_class', 'text', 'Class of the race.')),
  nullable(column('prize_total', 'integer', 'Prize money in whole Australian dollars.')),
  column('runner_number', 'integer', 'Saddlecloth number.'),
  column('runner_name', 'text', 'Name as the registry publishes it.'),
  column('runner_key', 'text', 'Folded name: lowercase letters and digits.'),
  nullable(column('runner_ref', 'text', '`ra:` followed by the registry’s code of this horse at this meeting.')),
  nullable(column('horse_ref', 'text', 'Persistent identity of the horse.')),
  nullable(column('barrier', 'integer', 'Barrier.')),
  nullable(column('jockey', 'text', 'Jockey.')),
  nullable(column('trainer', 'text', 'Trainer.')),
  nullable(column('trainer_code', 'text', 'Registry code of the trainer.')),
  nullable(column('weight_kg', 'number', 'Allotted weight in kilograms, before any claim.')),
  nullable(column('last10', 'text', 'Recent finishing positions, oldest to newest.')),
  nullable(column('hcp_rating', 'number', 'Handicap rating.')),
  nullable(column('raceentry_code', 'text', 'Registry code of this entry in this race.')),
  column('emergency', 'boolean', 'Whether the runner is an emergency.'),
  nullable(column('scratched', 'boolean', 'Null if neither a scratching sheet nor a book reports on the runner.')),
  nullable(column('scratched_at', 'instant', 'When the runner was scratched (UTC).')),
  nullable(column('late', 'boolean', 'Whether it is a late scratching.')),
];

export function acceptanceRows(day: Day, meetings: readonly AcceptedMeeting[]): Row[] {
  return meetings.flatMap((meeting) => meeting.races.flatMap((race) => rowsOf(day, meeting, race)));
}

function rowsOf(day: Day, meeting: AcceptedMeeting, race: AcceptedRace): Row[] {
  const { venue, venue_id, venue_site, sheet_as_of } = meeting;
  const { raceNumber, name: raceName, startLocal, distanceM, raceClass, prizeTotal } = race;
  const head = [day, venue, venue_id, venue_site, raceNumber, raceName, startLocal, distanceM, raceClass, prizeTotal];
  return race.runners.map((runner) => {
    const { number, name, runnerKey: key, horseCode, raceEntryCode, emergency, barrier, jockey, trainer } = runner;
    const official = race.sheet.find((row) => row.number === number && runnerKey(row.name) === key);
    const out = runner.scratching ?? (official ? { at: official.at, late: null } : null);
    return [
      ...head,
      number,
      name,
      key,
      runnerRefOf(horseCode),
      horseRef(name, 'horse'),
      barrier,
      jockey,
      trainer,
      runner.trainerCode,
      runner.weightKg,
      runner.last10,
      runner.rating,
      raceEntryCode,
      emergency,
      // A runner without a reported scratching runs only if the official sheet was read.
      out ? true : sheet_as_of === null ? null : false,
      out?.at ?? null,
      out?.late ?? null,
    ];
  });
}

// The row of an archived race.
import type { ArchiveOutcome } from '../../domain/archive/archive-race';
import type { Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import type { ArchiveFacts } from './read-race';
import { type Fixed, type Insert, oneRow } from './rows';

export interface RaceRow extends ArchiveFacts {
  readonly jumpAt: Instant;
  readonly outcome: ArchiveOutcome;
  readonly pathFacts: string;
  readonly archivedAt: Instant;
  /** Closing lines of withheld books. Absent: they are unchanged. */
  readonly withheldLines?: number;
}

export function raceRow(race: RaceRow): Insert {
  const columns: readonly Fixed[] = [
    ['race_id', 'uuid', race.raceId],
    ['start_time', 'timestamptz', race.startTime],
    ['jump_at', 'timestamptz', race.jumpAt],
    ['start_day', 'date', aetDay(Date.parse(race.startTime))],
    ['meeting_date', 'date', race.meetingDate],
    ['category', 'text', race.category],
    ['venue', 'text', race.venue],
    ['venue_id', 'text', race.venueId],
    ['venue_site', 'text', race.venueSite],
    ['race_number', 'smallint', race.raceNumber],
    ['country', 'text', race.country],
    ['result_status', 'text', race.resultStatus],
    ['venue_split_suspect', 'boolean', race.venueSplitSuspect],
    ['outcome', 'text', race.outcome],
    ['abandoned', 'boolean', race.abandoned],
    ['facts', 'text', race.facts],
    ['path_facts', 'text', race.pathFacts],
    ['archived_at', 'timestamptz', race.archivedAt],
    ...(race.withheldLines === undefined ? [] : [['withheld_lines', 'smallint', race.withheldLines] as const]),
  ];
  const changed = columns.slice(1).map(([name]) => `${name} = EXCLUDED.${name}`);
  return oneRow('archived_races', columns, `ON CONFLICT (race_id) DO UPDATE SET ${changed.join(', ')}`);
}

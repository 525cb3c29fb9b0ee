// The results of a day as rows (A 2.11): one per runner of the full field, or per placing where none is stored. The
// same rules as in the API: four places without a full field, and place prices within the places paid.
import { horseRef, runnerKey } from '../../domain/race/runner';
import { placePriceOf, placesPaidOf } from '../../domain/results/places-paid';
import { PLACES_THAT_COUNT } from '../../domain/results/placings';
import type { ResultRunner } from '../../domain/results/result';
import type { Cell, Column, Row } from '../../row-files/columns';
import type { ResultPlacing, ResultRow } from '../../store/reads/results/results';
import { column, nullable, RACE_COLUMNS } from './columns';

export const RESULT_COLUMNS: readonly Column[] = [
  ...RACE_COLUMNS,
  nullable(column('race_name', 'text', 'Name of the race.')),
  nullable(column('distance_m', 'integer', 'Distance in metres.')),
  nullable(column('track_condition', 'text', 'Track condition as reported.')),
  nullable(column('weather', 'text', 'Weather as reported.')),
  column('result_status', 'text', '`interim`, `final` or `abandoned`.'),
  nullable(column('status_note', 'text', 'Why it was abandoned, `protest`, or null.')),
  nullable(column('resulted_at', 'instant', 'When the first placings were reported (UTC).')),
  nullable(column('places_paid', 'integer', 'Places that a place bet pays; null if unknown.')),
  column('full_field', 'boolean', 'Whether the rows of this race are its full field; otherwise its placegetters.'),
  nullable(column('runner_number', 'integer', 'Saddlecloth or rug number; null if nothing was placed.')),
  nullable(column('runner_key', 'text', 'Folded name: lowercase letters and digits.')),
  nullable(column('runner_name', 'text', 'Name as reported.')),
  nullable(column('runner_ref', 'text', 'The registry’s reference of the runner.')),
  nullable(column('horse_ref', 'text', 'Persistent identity of a thoroughbred.')),
  nullable(column('finish_position', 'integer', 'Null does not mean that the runner lost: it may be unknown.')),
  nullable(column('dead_heat', 'boolean', 'Null without a full field.')),
  nullable(
    column('runner_status', 'text', '`ran`, `scratched`, `late_scratching` or `reserve`; null without a full field.'),
  ),
  nullable(column('barrier', 'integer', 'Barrier or box.')),
  nullable(column('jockey', 'text', 'Jockey or driver.')),
  nullable(column('trainer', 'text', 'Trainer.')),
  nullable(column('sp', 'number', 'Starting price.')),
  nullable(column('sp_note', 'text', 'Note at the starting price.')),
  nullable(column('margin', 'text', 'Margin as published.')),
  nullable(column('time_s', 'number', 'Time in seconds.')),
  nullable(column('abnormal', 'text', 'Fell, failed to finish and the like.')),
  nullable(column('win_price', 'number', 'Settled fixed win price; null unless placed.')),
  nullable(column('place_price', 'number', 'Settled fixed place price; null beyond the places paid.')),
];

export function resultRows(results: readonly ResultRow[]): Row[] {
  return [...results].sort(byStart).flatMap(rowsOf);
}

/** The first cells of every row of this race. */
export const raceCells = (race: ResultRow): Cell[] => [
  race.race_id,
  race.start_time,
  race.meeting_date,
  race.venue,
  race.race_number,
  race.category,
  race.country,
  race.venue_id,
  race.venue_site,
];

export const byStart = (a: ResultRow, b: ResultRow): number =>
  a.start_time === b.start_time ? order(a.race_id, b.race_id) : order(a.start_time, b.start_time);

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function rowsOf(race: ResultRow): Row[] {
  const { race_name, distance_m, track_condition, weather, status, status_note, protest, resulted_at } = race;
  const paid = placesPaidOf(race);
  const note = status_note ?? (status === 'interim' && protest ? 'protest' : null);
  const head: Cell[] = [
    ...raceCells(race),
    race_name,
    distance_m,
    track_condition,
    weather,
    status,
    note,
    resulted_at,
    paid,
    race.runners !== null,
  ];
  const runners = runnersOf(race);
  if (runners.length === 0) return [[...head, ...Array<null>(RESULT_COLUMNS.length - head.length).fill(null)]];
  return runners.map(({ official, placing }) => [...head, ...runnerCells(race, official, placing, paid)]);
}

interface Placed {
  readonly official: ResultRunner | null;
  readonly placing: ResultPlacing | null;
}

function runnersOf({ runners, placings }: ResultRow): readonly Placed[] {
  const counted = placings.filter(({ position }) => position <= PLACES_THAT_COUNT);
  const found: Placed[] = runners
    ? runners.map((official) => ({
        official,
        placing: counted.find(({ number }) => number === official.number) ?? null,
      }))
    : counted.map((placing) => ({ official: null, placing }));
  const numberOf = ({ official, placing }: Placed): number => (official ?? placing)!.number;
  return found.sort((a, b) => numberOf(a) - numberOf(b));
}

function runnerCells(
  race: ResultRow,
  official: ResultRunner | null,
  placing: ResultPlacing | null,
  paid: number | null,
) {
  const name = official?.name ?? placing?.name ?? null;
  return [
    (official ?? placing)!.number,
    name === null ? null : runnerKey(name),
    name,
    official?.runner_ref ?? null,
    horseRef(name, race.category),
    official ? official.position : placing!.position,
    official?.dead_heat ?? null,
    official?.status ?? null,
    official?.box ?? null,
    official?.jockey ?? null,
    official?.trainer ?? null,
    official?.sp ?? null,
    official?.sp_note ?? null,
    official?.margin ?? null,
    official?.time_s ?? null,
    official?.abnormal ?? null,
    placing?.win_price ?? null,
    placing && placePriceOf(placing, paid),
  ];
}

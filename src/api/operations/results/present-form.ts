// Presents one race's runners with their past runs (A 4.13).
import type { OwnRun } from '../../../domain/form/form';
import { type RunFacts, type RunSources, recordOf, runFacts } from '../../../domain/form/run';
import { splitCondition } from '../../../domain/registry/track-condition';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { RaceForm, RunRow } from '../../../store/reads/results/form';
import { presentIdentity, presentRunner } from '../../wire/present-race';
import type { RaceFormWire } from './form-schema';
import type { FormLine } from './present-form-field';

type WireRunner = RaceFormWire['runners'][number];
type WireRun = WireRunner['runs'][number];

export function presentForm(
  race: LiveRace,
  form: RaceForm,
  lines: readonly FormLine[],
  rows: readonly RunRow[],
  nowMs: number,
): RaceFormWire {
  const { race_name, distance_m, track_condition, race_class } = race;
  const rowsByRun = new Map(rows.map((row) => [`${row.race_id}/${row.number}`, row]));
  return {
    race: {
      ...presentIdentity(race),
      date: form.meetingDate,
      race_name,
      distance_m,
      track_condition,
      ...presentGoing(track_condition),
      race_class,
      result_status: form.resultStatus,
    },
    field: form.field === null ? 'card' : 'result',
    as_of: new Date(nowMs).toISOString(),
    coverage_from: form.coverageFrom,
    runners: lines.map((line) => presentLine(line, race, rowsByRun)),
    reason: lines.length === 0 ? 'no_card' : null,
  };
}

function presentLine(
  { runner, own }: FormLine,
  { category }: LiveRace,
  rowsByRun: ReadonlyMap<string, RunRow>,
): WireRunner {
  const runs = (own.kind === 'known' ? own.runs : []).flatMap((run) => {
    const row = rowsByRun.get(`${run.raceId}/${run.number}`);
    return row ? [{ run, row, facts: runFacts(sourcesOf(run, row)) }] : [];
  });
  const { emergency, scratched, scratchedAt } = runner;
  return {
    ...presentRunner(runner, category),
    emergency,
    scratched,
    scratched_at: scratchedAt,
    record: recordOf(runs.map(({ facts }) => facts)),
    reason: own.kind === 'known' ? null : own.reason,
    runs: runs.map(({ run, row, facts }) => presentRun(run, row, facts)),
  };
}

const sourcesOf = ({ number, name }: OwnRun, { card, official, placings }: RunRow): RunSources => ({
  number,
  name,
  card,
  official,
  placings,
});

function presentRun({ runnerRef, joinedBy }: OwnRun, row: RunRow, facts: RunFacts): WireRun {
  const { race_id, start_time, venue, venue_id, race_number, category, country, distance_m, official } = row;
  const { track_condition, race_name, race_class, field_size, number } = row;
  return {
    race_id,
    date: row.meeting_date,
    start_time,
    venue,
    venue_id,
    race_number,
    category,
    country,
    distance_m,
    track_condition,
    ...presentGoing(track_condition),
    race_name,
    race_class,
    field_size,
    number,
    barrier: facts.barrier,
    jockey: facts.jockey,
    trainer: facts.trainer,
    weight_kg: facts.weightKg,
    position: facts.position,
    status: facts.status,
    finish_known: facts.finishKnown,
    dead_heat: facts.deadHeat,
    abnormal: official?.abnormal ?? null,
    margin: official?.margin ?? null,
    time_s: official?.time_s ?? null,
    sp: official?.sp ?? null,
    sp_note: official?.sp_note ?? null,
    win_price: facts.winPrice,
    place_price: facts.placePrice,
    result_status: row.result_status,
    runner_ref: runnerRef,
    joined_by: joinedBy,
  };
}

function presentGoing(trackCondition: string | null) {
  const { going, goingRating } = splitCondition(trackCondition);
  return { going, going_rating: goingRating };
}

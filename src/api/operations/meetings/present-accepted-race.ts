// Presents the races of one meeting's acceptances: the runners with their scratchings, and the checks of the runner
// set.
import type { Static } from '@sinclair/typebox';
import { horseRef, runnerKey } from '../../../domain/race/runner';
import { type CheckedRace, checkRaces, countRunners, type MissingRunner } from '../../../domain/registry/acceptances';
import { runnerRefOf } from '../../../domain/registry/registry';
import type { AcceptedMeeting, AcceptedRace, AcceptedRunner } from '../../../store/reads/meetings/acceptances';
import type { Acceptances } from './acceptances-schema';

type ShownRace = Static<typeof Acceptances>['meetings'][number]['races'][number];
type ShownRunner = ShownRace['runners'][number];

export function presentAcceptedRaces(meeting: AcceptedMeeting): ShownRace[] {
  const sheetRead = meeting.sheet_as_of !== null;
  const shown = meeting.races.map((race) => race.runners.map((runner) => presentRunner(runner, race, sheetRead)));
  const counted = shown.map((runners) =>
    runners.map((runner) => ({ ...runner, emergency: runner.emergency ?? false })),
  );
  const toCheck = meeting.races.map(({ sheet }, i) => ({ runners: counted[i]!, sheet }));
  const checked = checkRaces(toCheck, meeting.stated_runners);
  return meeting.races.map((race, i) => ({
    ...presentFacts(race),
    ...countRunners(counted[i]!),
    runner_set_status: checked[i]!.status,
    runner_set_note: noteOf(checked[i]!, meeting.stated_runners),
    missing_runners: checked[i]!.missing.map(presentMissing),
    runners: shown[i]!,
  }));
}

const presentFacts = (race: AcceptedRace) => ({
  race_number: race.raceNumber,
  race_name: race.name,
  start_time_local: race.startLocal,
  distance_m: race.distanceM,
  conditions: race.conditions,
  race_class: race.raceClass,
  prize_total: race.prizeTotal,
  prize_breakdown: race.prizes,
  bonus: null,
  track_name: race.trackName,
  track_type: race.trackType,
  field_limit: race.fieldLimit,
});

function presentRunner(runner: AcceptedRunner, race: AcceptedRace, sheetRead: boolean): ShownRunner {
  const { number, name, emergency, barrier, jockey, trainer, last10 } = runner;
  const official = race.sheet.find((row) => row.number === number && runnerKey(row.name) === runner.runnerKey);
  const out = runner.scratching ?? (official ? { at: official.at, late: null } : null);
  return {
    number,
    runner_name: name,
    runner_key: runner.runnerKey,
    runner_ref: runnerRefOf(runner.horseCode),
    horse_ref: horseRef(name, 'horse'),
    barrier,
    jockey,
    trainer,
    weight_kg: runner.weightKg,
    last10,
    hcp_rating: runner.rating,
    trainer_code: runner.trainerCode,
    raceentry_code: runner.raceEntryCode,
    emergency,
    // A runner without a reported scratching runs only if the official sheet was read.
    scratched: out ? true : sheetRead ? false : null,
    scratching: out && {
      scratched_at: out.at,
      late: out.late,
      emergency,
      eliminated: emergency ? null : false,
      note: null,
    },
  };
}

function noteOf({ status, missing }: CheckedRace, stated: number | null): string | null {
  if (status === 'checks_passed') return null;
  if (status === 'gap_detected')
    return `At least ${missing.length} more than the runners listed: the counts are minimums.`;
  if (stated === null)
    return 'The meeting’s page states no number of runners to check against: the counts are minimums.';
  return `The meeting’s page states ${stated} runners, a different number from the runners read: the counts are minimums.`;
}

const DETAIL: Readonly<Record<MissingRunner['source'], string>> = {
  scratching_sheet: 'On the official scratching sheet but not among the acceptances.',
  number_sequence: 'Its number is missing from the acceptances.',
};

const presentMissing = (missing: MissingRunner): ShownRace['missing_runners'][number] => ({
  ...missing,
  cause: 'not_determinable',
  cause_detail: DETAIL[missing.source],
  withheld_acceptance: null,
});

// The thoroughbred acceptances of one day (reference-shapes 3.6). Counts are minimums unless the runner set passed its
// checks.
import { Type } from '@sinclair/typebox';
import { aged, amount, count, day, instant, named, nullable, oneOf, text, whole, yes } from '../../wire/vocabulary';

const RUNNER_SET = ['checks_passed', 'gap_detected', 'unverified'] as const;
const runnerSetStatus = named(
  'RunnerSetStatus',
  oneOf(RUNNER_SET, {
    description:
      'Whether the runner set passed its completeness checks. Unless it is `checks_passed`, counts are minimums.',
  }),
);

/** The seven counts; null if the fact behind one is unknown. */
const counts = {
  runner_count: nullable(count('All acceptances, emergencies included.')),
  emergency_count: nullable(count('Emergencies.')),
  declared_count: nullable(count('Runners that are not emergencies.')),
  scratched_count: nullable(count('Scratched runners, emergencies included.')),
  unscratched_count: nullable(count('Runners that are not scratched.')),
  declared_scratched_count: nullable(count('Scratched runners that are not emergencies.')),
  declared_remaining_count: nullable(count('Declared runners that are not scratched.')),
};

const AcceptanceScratching = named(
  'AcceptanceScratching',
  Type.Object({
    scratched_at: nullable(
      instant('When the runner was scratched (UTC): the reporting book’s timestamp, otherwise the official sheet’s.'),
    ),
    late: nullable(yes()),
    emergency: nullable(yes()),
    eliminated: nullable(
      yes(
        'Whether the runner was an emergency that did not gain a start. Null for a scratched emergency: the sheet does not ' +
          'distinguish the two.',
      ),
    ),
    note: nullable(text()),
  }),
);

const AcceptedRunner = named(
  'AcceptedRunner',
  Type.Object({
    number: whole('Saddlecloth number.'),
    runner_name: text('Name as the registry publishes it.'),
    runner_key: text('Folded name: lowercase letters and digits.'),
    runner_ref: nullable(text('`ra:` followed by the registry’s code of this horse at this meeting.')),
    horse_ref: nullable(text('Persistent identity of the horse: `pe:` followed by its folded name.')),
    barrier: nullable(whole()),
    jockey: nullable(text()),
    trainer: nullable(text()),
    weight_kg: nullable(amount('Allotted weight in kilograms, before any claim.')),
    last10: nullable(text('Recent finishing positions, oldest to newest; `x` is a spell, `0` is tenth or worse.')),
    hcp_rating: nullable(amount('Handicap rating.')),
    trainer_code: nullable(text('Registry code of the trainer.')),
    raceentry_code: nullable(text('Registry code of this entry in this race.')),
    emergency: nullable(yes()),
    scratched: nullable(
      yes(
        'Whether the runner is scratched. Null if no scratching sheet has been read and no book reports the runner as scratched.',
      ),
    ),
    scratching: nullable(AcceptanceScratching),
  }),
);

const MissingRunner = named(
  'MissingRunner',
  Type.Object({
    number: whole(),
    name: nullable(text()),
    scratched: nullable(yes()),
    source: oneOf(['scratching_sheet', 'number_sequence', 'withheld_acceptance']),
    cause: oneOf(['duplicate_runner_key', 'declared_preferred', 'eliminated_emergency', 'not_determinable']),
    cause_detail: text('Why the runner counts as missing, as a sentence.'),
    withheld_acceptance: nullable(yes()),
  }),
);

const AcceptedRace = named(
  'AcceptedRace',
  Type.Object({
    race_number: whole(),
    race_name: text(),
    start_time_local: nullable(text('Local time in the state of the meeting, e.g. `2:00PM`.')),
    distance_m: whole('Distance in metres.'),
    conditions: nullable(text()),
    race_class: nullable(text()),
    prize_total: nullable(count('Prize money in whole Australian dollars.')),
    prize_breakdown: nullable(
      Type.Record(Type.String(), count(), {
        description: 'Prize money by place (`1st`, …), in whole Australian dollars.',
      }),
    ),
    bonus: nullable(text()),
    track_name: nullable(text()),
    track_type: nullable(text()),
    field_limit: nullable(count('Maximum field size.')),
    ...counts,
    runner_set_status: runnerSetStatus,
    runner_set_note: nullable(text('Why the counts are minimums; null if the checks passed.')),
    missing_runners: Type.Array(MissingRunner),
    runners: Type.Array(AcceptedRunner, { description: 'Ordered by saddlecloth number.' }),
  }),
);

const Track = named(
  'AcceptedTrack',
  Type.Object({
    track_condition: nullable(text('Track condition as published.')),
    going: nullable(text()),
    going_rating: nullable(whole()),
    rail: nullable(text()),
    weather: nullable(text()),
    penetrometer: nullable(text()),
    track_type: nullable(text()),
    track_info: nullable(text()),
    dual_track: nullable(yes()),
  }),
);

const AcceptedMeeting = named(
  'AcceptedMeeting',
  Type.Object({
    venue: text('Venue name as the registry spells it.'),
    venue_id: text(),
    venue_norm: text('Folded spelling of `venue`: lowercase words of letters and digits.'),
    venue_site: text(),
    acceptances_published: yes('Whether the registry has published the acceptances.'),
    publication_note: nullable(
      oneOf(['past', 'unpublished'], {
        description:
          'Why there are no acceptances: the day is past, or they are not published yet. Null if they are published.',
      }),
    ),
    as_of: aged(nullable(instant('When the acceptances were last read (UTC); null if they have not been read.'))),
    race_count: nullable(count()),
    ...counts,
    emergency_data: oneOf(['parsed', 'unknown']),
    scratching_data: oneOf(['parsed', 'unknown_date', 'unknown_meeting'], {
      description:
        '`parsed`: the scratching sheet of the meeting was read. `unknown_meeting`: no sheet of this meeting was read. ' +
        '`unknown_date`: no sheet of any meeting of the day was read.',
    }),
    scratching_sheet_as_of: nullable(
      instant('When the official scratching sheet was last read (UTC); null if it has not been read.'),
    ),
    withheld_acceptance_data: oneOf(['parsed', 'unplaced', 'unknown']),
    withheld_acceptance_slots_unplaced: nullable(count()),
    runner_set_status: runnerSetStatus,
    track: Track,
    races: Type.Array(AcceptedRace),
  }),
);

const Completeness = named(
  'AcceptancesCompleteness',
  Type.Object({
    counts_cover_every_published_meeting: yes('Whether every meeting with published acceptances has been read.'),
    known_missing_runners: count(),
    meetings_acceptances_unpublished: count(),
    meetings_emergency_data_unknown: count(),
    meetings_scratching_data_unknown: count(),
    meetings_scratching_sheet_absent_for_whole_date: count(),
    meetings_withheld_acceptance_data_unknown: count(),
    races_checks_passed: count(),
    races_gap_detected: count(),
    races_unverified: count(),
    runners_without_emergency_data: count(),
    runners_without_scratching_data: count(),
    withheld_acceptance_slots: nullable(count()),
    withheld_acceptance_slots_unplaced: nullable(count()),
    withheld_acceptances: oneOf(['parsed', 'unknown_date']),
  }),
);

export const Acceptances = named(
  'Acceptances',
  Type.Object({
    date: day('Meeting day (Australia/Sydney).'),
    date_status: oneOf(['past', 'today', 'future']),
    meeting_count: count(),
    race_count: count(),
    ...counts,
    runner_count: count('All acceptances, emergencies included.'),
    as_of: aged(nullable(instant('The oldest `as_of` of the meetings (UTC); null if no meeting has been read.'))),
    completeness: Completeness,
    meetings: Type.Array(AcceptedMeeting),
    note: text('What the data covers, and how to read the counts.'),
  }),
);

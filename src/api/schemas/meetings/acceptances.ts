// The thoroughbred acceptances of one day (reference-shapes 3.6). Counts are floors wherever a runner set was not checked through.
import { Type } from '@sinclair/typebox';
import { amount, count, day, instant, named, nullable, oneOf, text, whole, yes } from '../vocabulary';

const RUNNER_SET = ['checks_passed', 'gap_detected', 'unverified'] as const;
const runnerSetStatus = named(
  'RunnerSetStatus',
  oneOf(RUNNER_SET, { description: 'Counts are a floor wherever this is not `checks_passed`.' }),
);

/** The seven counts; null where the fact behind one is not known. */
const counts = {
  runner_count: nullable(count('Every acceptance held, emergencies included.')),
  emergency_count: nullable(count()),
  declared_count: nullable(count('Runners less emergencies.')),
  scratched_count: nullable(count()),
  unscratched_count: nullable(count('Runners less those scratched.')),
  declared_scratched_count: nullable(count('Scratched that are no emergencies.')),
  declared_remaining_count: nullable(count('Declared less those of them that are scratched.')),
};

const AcceptanceScratching = named(
  'AcceptanceScratching',
  Type.Object({
    scratched_at: nullable(instant('A reporting book’s own stamp, otherwise the official sheet’s.')),
    late: nullable(yes()),
    emergency: nullable(yes()),
    eliminated: nullable(yes('An emergency that got no start; the sheet does not tell it from a scratched one.')),
    note: nullable(text()),
  }),
);

const AcceptedRunner = named(
  'AcceptedRunner',
  Type.Object({
    number: whole('Saddlecloth number.'),
    runner_name: text('As the registry prints it.'),
    runner_key: text('Folded name.'),
    runner_ref: nullable(text('`ra:` and the registry’s code of this horse at this meeting.')),
    barrier: nullable(whole()),
    jockey: nullable(text()),
    trainer: nullable(text()),
    weight_kg: nullable(amount('Allotted, before any claim.')),
    last10: nullable(text('Oldest to newest; `x` a spell, `0` tenth or worse.')),
    hcp_rating: nullable(amount()),
    trainer_code: nullable(text()),
    raceentry_code: nullable(text('One entry in one race.')),
    emergency: nullable(yes()),
    scratched: nullable(yes('Null while no scratching sheet was read and no book has the runner out.')),
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
    cause_detail: text(),
    withheld_acceptance: nullable(yes()),
  }),
);

const AcceptedRace = named(
  'AcceptedRace',
  Type.Object({
    race_number: whole(),
    race_name: text(),
    start_time_local: nullable(text('The state’s wall time, e.g. `2:00PM`.')),
    distance_m: whole('Metres.'),
    conditions: nullable(text()),
    race_class: nullable(text()),
    prize_total: nullable(count('Whole Australian dollars.')),
    prize_breakdown: nullable(Type.Record(Type.String(), count(), { description: '`1st` … to whole dollars.' })),
    bonus: nullable(text()),
    track_name: nullable(text()),
    track_type: nullable(text()),
    field_limit: nullable(count()),
    ...counts,
    runner_set_status: runnerSetStatus,
    runner_set_note: nullable(text('What bounds the counts.')),
    missing_runners: Type.Array(MissingRunner),
    runners: Type.Array(AcceptedRunner, { description: 'In saddlecloth order.' }),
  }),
);

const Track = named(
  'AcceptedTrack',
  Type.Object({
    track_condition: nullable(text('As published.')),
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
    venue: text('As the registry spells it.'),
    venue_id: text(),
    venue_norm: text('Folded spelling.'),
    venue_site: text(),
    acceptances_published: yes(),
    publication_note: nullable(oneOf(['past', 'unpublished'])),
    as_of: nullable(instant('When the acceptances were last read.')),
    race_count: nullable(count()),
    ...counts,
    emergency_data: oneOf(['parsed', 'unknown']),
    scratching_data: oneOf(['parsed', 'unknown_date', 'unknown_meeting'], {
      description: '`unknown_date`: no sheet of the whole day was read; `unknown_meeting`: none of this meeting.',
    }),
    scratching_sheet_as_of: nullable(instant('When the official sheet was last read.')),
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
    counts_cover_every_published_meeting: yes('Whether every meeting whose acceptances are out was read.'),
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
    date: day('Meeting day.'),
    date_status: oneOf(['past', 'today', 'future']),
    meeting_count: count(),
    race_count: count(),
    ...counts,
    runner_count: count('Every acceptance held, emergencies included.'),
    as_of: nullable(instant('Oldest reading among the meetings.')),
    completeness: Completeness,
    meetings: Type.Array(AcceptedMeeting),
    note: text(),
  }),
);

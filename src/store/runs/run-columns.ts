// The columns of a stored run, by name: a session of a pooler outlives a release, and PostgreSQL refuses a prepared
// statement whose columns a migration has changed, as it would those of `*`.
import type { StoredRun } from '../../domain/form/stored-run';

const COLUMNS: Readonly<Record<keyof StoredRun, true>> = {
  result_id: true,
  number: true,
  race_id: true,
  category: true,
  origin: true,
  collector: true,
  runner_key: true,
  name: true,
  runner_ref: true,
  meeting_date: true,
  start_time: true,
  venue: true,
  venue_site: true,
  race_number: true,
  race_name: true,
  distance_m: true,
  track_condition: true,
  race_class: true,
  grade: true,
  field_size: true,
  race_time_s: true,
  last_600m_s: true,
  prize_total: true,
  box: true,
  status: true,
  position: true,
  abnormal: true,
  dead_heat: true,
  margin: true,
  time_s: true,
  first_split_s: true,
  second_split_s: true,
  pir: true,
  sp: true,
  sp_note: true,
  jockey: true,
  trainer: true,
  weight_kg: true,
  carried_kg: true,
  prize_won: true,
};

/** `of`: `s.`, of a table under another name. */
export const runColumns = (of = ''): string =>
  Object.keys(COLUMNS)
    .map((name) => `${of}${name}`)
    .join(', ');

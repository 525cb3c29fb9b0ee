// A result in the words of the wire (A 2.11).
import type { Static } from '@sinclair/typebox';
import type { FieldState } from '../../domain/field-coverage';
import { fieldStateOf } from '../../domain/field-coverage';
import type { Category } from '../../domain/race';
import { horseRef } from '../../domain/runner';
import { splitCondition } from '../../domain/track-condition';
import type { HeldPlacing, ResultRow } from '../../store/reads/results';
import type { CoverageRace } from '../../store/reads/results-coverage';
import type { ResultRunner } from '../../store/store';
import type { RaceResult } from '../schemas/result';
import { type Audience, marketStateFor } from '../visibility';
import { presentIdentity } from './race';

type Wire = Static<typeof RaceResult>;

export function presentResult(row: ResultRow, audience: Audience, now: string): Wire {
  const field = fieldOf({ ...row, has_runners: row.runners !== null }, now);
  const { market_closed_at, inplay_at, market_state_source } = row;
  const state = { market_status: null, inplay: null, market_closed_at, inplay_at, market_state_source };
  const shown = marketStateFor(audience, state);
  const { going, goingRating } = splitCondition(row.track_condition);
  const { coverage_from, race_name, distance_m, track_condition, weather, status, status_note, resulted_at } = row;
  return {
    ...presentIdentity(row),
    coverage_from,
    race_name,
    distance_m,
    track_condition,
    going,
    going_rating: goingRating,
    weather,
    status,
    status_note,
    placings: row.placings.map((placing) => presentPlacing(placing, row)),
    runners: row.runners?.map((runner) => withHorseRef(runner, row.category)) ?? null,
    field_status: field.status,
    field_source: field.source,
    field_note: field.note,
    deductions: row.deductions.map(({ name, number, win, place, scratched_at }) => ({
      name,
      number,
      win,
      place,
      scratched_at,
    })),
    dividends: row.dividends as Wire['dividends'],
    resulted_at,
    market_closed_at: shown.market_closed_at,
    inplay_at: shown.inplay_at,
    market_state_source: shown.market_state_source,
  };
}

/** Whether the field is held, by the function that the race's workflow asks too; a pass has run once the row says overdue. */
export function fieldOf(
  row: Pick<CoverageRace, 'category' | 'country' | 'status' | 'has_runners' | 'start_time' | 'field_status'>,
  now: string,
): FieldState {
  const passed = row.field_status === 'overdue' || row.field_status === 'unavailable';
  return fieldStateOf({
    category: row.category,
    country: row.country,
    resultStatus: row.status,
    hasRunners: row.has_runners,
    startTime: row.start_time,
    lastPassAt: passed ? row.start_time : null,
    now,
  });
}

/** `sp` and `sp_note` are absent, not null, when the full field is not held (D3). */
function presentPlacing(placing: HeldPlacing, { runners, category }: ResultRow): Wire['placings'][number] {
  const { position, number, name, win_price, place_price } = placing;
  const runner = runners?.find((one) => one.number === number);
  return {
    position,
    number,
    name,
    win_price,
    place_price,
    ...(runners && { sp: runner?.sp ?? null, sp_note: runner?.sp_note ?? null }),
    ...(category === 'horse' && { horse_ref: horseRef(name, category) }),
  };
}

function withHorseRef(runner: ResultRunner, category: Category): NonNullable<Wire['runners']>[number] {
  const { number, name, box, position, status, dead_heat, jockey, trainer, sp, sp_note, margin, time_s } = runner;
  const { abnormal, runner_ref, origin } = runner;
  return {
    number,
    name,
    box,
    position,
    status,
    dead_heat,
    jockey,
    trainer,
    sp,
    sp_note,
    margin,
    time_s,
    abnormal,
    runner_ref,
    ...(category === 'horse' && { horse_ref: horseRef(name, category) }),
    origin,
  };
}

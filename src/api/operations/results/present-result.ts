// Presents a result (A 2.11).
import type { Static } from '@sinclair/typebox';
import type { Category } from '../../../domain/race/race';
import { horseRef } from '../../../domain/race/runner';
import { splitCondition } from '../../../domain/registry/track-condition';
import { contradictsPlacings } from '../../../domain/results/field-agreement';
import { type FieldState, fieldSource, fieldStateOf } from '../../../domain/results/field-coverage';
import { placePriceOf, placesPaidOf } from '../../../domain/results/places-paid';
import { PLACES_THAT_COUNT } from '../../../domain/results/placings';
import type { ResultRunner } from '../../../domain/results/result';
import type { ResultPlacing, ResultRow } from '../../../store/reads/results/results';
import { type Audience, marketStateFor } from '../../kernel/endpoint/visibility';
import type { RaceResult } from './result-schema';

type Wire = Static<typeof RaceResult>;

export function presentResult(row: ResultRow, audience: Audience, now: string): Wire {
  const field = fieldOf(row, now);
  const paid = placesPaidOf(row);
  const { market_closed_at, inplay_at, market_state_source } = row;
  const state = { market_status: null, inplay: null, market_closed_at, inplay_at, market_state_source };
  const shown = marketStateFor(audience, state);
  const { going, goingRating } = splitCondition(row.track_condition);
  const { coverage_from, race_name, distance_m, track_condition, weather, status, resulted_at } = row;
  // Member by member: a spread of this many members costs 5 ms per page of 200 results.
  return {
    race_id: row.race_id,
    coverage_from,
    venue: row.venue,
    venue_id: row.venue_id,
    venue_canonical: row.venue_canonical,
    venue_site: row.venue_site,
    race_number: row.race_number,
    category: row.category,
    country: row.country,
    start_time: row.start_time,
    race_name,
    distance_m,
    track_condition,
    going,
    going_rating: goingRating,
    weather,
    status,
    status_note: noteOf(row),
    placings: placegetters(row).map((placing) => presentPlacing(placing, row, paid)),
    places_paid: paid,
    runners: row.runners?.map((runner) => withHorseRef(runner, row.category)) ?? null,
    field_status: field.status,
    // Also of an abandoned race: coverage counts it there.
    field_source: fieldSource(row.category, row.country),
    field_note: field.note,
    deductions: row.deductions.map(({ name, number, win, place, scratched_at }) => ({
      name,
      number,
      win,
      place,
      scratched_at,
    })),
    dividends: dividendsOf(row),
    resulted_at,
    market_closed_at: shown.market_closed_at,
    inplay_at: shown.inplay_at,
    market_state_source: shown.market_state_source,
  };
}

function fieldOf(row: ResultRow, now: string): FieldState {
  const { category, country, status, start_time, field_last_pass_at, runners, placings } = row;
  return fieldStateOf({
    category,
    country,
    resultStatus: status,
    hasRunners: runners !== null,
    contradicted: runners !== null && contradictsPlacings(runners, placings),
    startTime: start_time,
    lastPassAt: field_last_pass_at,
    now,
  });
}

type NoteFacts = Pick<ResultRow, 'status' | 'status_note' | 'protest'>;

/** The stored note, or `protest` for an interim result that is under protest without a note. */
export const noteOf = ({ status, status_note, protest }: NoteFacts): string | null =>
  status_note ?? (status === 'interim' && protest ? 'protest' : null);

/** Some books list the whole field as placings; only `runners` may show the full field (A 2.11). */
const placegetters = ({ placings }: ResultRow): readonly ResultPlacing[] =>
  placings.filter(({ position }) => position <= PLACES_THAT_COUNT);

/** Multi-race dividends are collected from this meeting day on; earlier results lack the key (A 2.11 rule 5). */
const MULTI_RACE_FROM = '2026-09-29';

function dividendsOf({ dividends, meeting_date }: ResultRow): Wire['dividends'] {
  if (dividends === null || meeting_date >= MULTI_RACE_FROM) return dividends as Wire['dividends'];
  const { multi_race: _, ...single } = dividends;
  return single as Wire['dividends'];
}

/** `sp` and `sp_note` are absent, not null, without a full field (D3). */
function presentPlacing(
  placing: ResultPlacing,
  { runners, category }: ResultRow,
  paid: number | null,
): Wire['placings'][number] {
  const { position, number, name, win_price } = placing;
  const place_price = placePriceOf(placing, paid);
  const runner = runners?.find((one) => one.number === number);
  return {
    position,
    number,
    name,
    win_price,
    place_price,
    ...(runners && { sp: runner?.sp ?? null, sp_note: runner?.sp_note ?? null }),
    horse_ref: horseRef(name, category),
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
    horse_ref: horseRef(name, category),
    origin,
  };
}

// Presents a horse's form (B 2.5): also the `form` of a backfill row.
import type { FormRun } from '../../../domain/form/horse-form';
import type { PageSource, ResultsSource, ServedForm, ServedRun } from '../../../domain/form/served-form';
import { horseRef } from '../../../domain/race/runner';
import { roundPrice } from '../../wire/rounded';
import type { HorseFormWire } from './horse-form-schema';

export function presentHorseForm({ name, ref, profile, career, runs, source }: ServedForm): HorseFormWire {
  return {
    horse_name: name,
    horse_ref: horseRef(name, 'horse'),
    runner_ref: ref,
    ambiguous: false,
    candidates: [],
    profile: profile && {
      age_sex: profile.ageSex,
      colours: profile.colours,
      dam: profile.dam,
      dob: profile.dob,
      last_gear_change: profile.lastGearChange,
      sire: profile.sire,
      trainer: profile.trainer,
      trainer_location: profile.trainerLocation,
    },
    career: career && { ...career, splits: { ...career.splits } },
    runs: runs.map(presentRun),
    source: presentSource(source),
  };
}

function presentRun(run: ServedRun): HorseFormWire['runs'][number] {
  const { date, track, trial, position, going, jockey, trainer, barrier, sp, prices } = run;
  return {
    date,
    track,
    trial,
    position,
    going,
    jockey,
    trainer,
    barrier,
    sp,
    prices: [...prices],
    race_number: run.raceNumber,
    field_size: run.fieldSize,
    distance_m: run.distanceM,
    going_rating: run.goingRating,
    jockey_code: run.jockeyCode,
    meet_code: run.meetCode,
    weight_kg: run.weightKg,
    margin_l: run.marginLengths,
    pir: run.inRunning.map(({ atM, position }) => ({ at_m: atM, position })),
    placegetters: run.placegetters.map(presentPlacegetter),
    prize_total: run.prizeTotal,
    prize_won: roundPrice(run.prizeWon),
    race_class: run.raceClass,
    result_raw: run.resultRaw,
    sectional_distance_m: run.sectionalDistanceM,
    sectional_time_s: run.sectionalTimeS,
    time_s: run.timeS,
  };
}

const presentPlacegetter = ({ name, position, code, weightKg }: FormRun['placegetters'][number]) => ({
  name,
  position,
  runner_ref: code === null ? null : `ra:${code}`,
  weight_kg: weightKg,
});

const presentSource = (source: PageSource | ResultsSource): HorseFormWire['source'] => ({
  feed: source.kind === 'page' ? 'racing_australia' : 'puntersedge_results',
  fetched_at: source.kind === 'page' ? source.fetchedAt : null,
  region: 'AU',
  sport: 'thoroughbred',
  stale: source.kind === 'page' && source.stale,
  note: noteOf(source),
});

function noteOf(source: PageSource | ResultsSource): string | null {
  if (source.kind === 'results')
    return `The registry cannot serve this page. Built from this service’s own results, which have the horse’s runs from ${source.from} to ${source.to}: not a career.`;
  return source.stale ? 'The registry cannot serve this page now: this is the last reading.' : null;
}

// Presents the stored runs of an animal (B 2.6, B 2.7).
import { type RunStats, runStats } from '../../../domain/form/run-stats';
import type { StoredRun } from '../../../domain/form/stored-run';
import type { RunSpan } from '../../../store/reads/runs/animal-runs';
import { roundPct, roundPrice } from '../../wire/rounded';
import type { HorseRunWire } from './horse-runs-schema';

/** Newest first, at least one. */
export type FoundRuns = readonly [StoredRun, ...StoredRun[]];

export function presentHorseRuns(found: FoundRuns, limit: number, span: RunSpan) {
  const { name, runner_key } = found[0];
  return {
    horse: name,
    name_key: runner_key,
    horse_ref: `pe:${runner_key}`,
    runner_refs: refsOf(found),
    runs_total: found.length,
    runs: found.slice(0, limit).map(presentHorseRun),
    stats: presentStats(runStats(found)),
    source: { ...presentSource(found, span), sport: 'thoroughbred' as const },
  };
}

function presentHorseRun(run: StoredRun): HorseRunWire {
  const { abnormal, time_s, sp_note, jockey, weight_kg, carried_kg, race_class } = run;
  const { race_time_s, last_600m_s, prize_total, prize_won } = run;
  return {
    ...presentRun(run),
    status: run.status === 'ran' ? 'ran' : 'scratched',
    abnormal,
    time_s,
    sp_note,
    jockey,
    weight_kg,
    carried_kg,
    race_class,
    race_time_s,
    last_600m_s,
    prize_total,
    prize_won: roundPrice(prize_won),
    horse_ref: `pe:${run.runner_key}`,
  };
}

export function presentRun(run: StoredRun) {
  const { start_time, venue, race_number, distance_m, race_name, track_condition, number, box, position, margin } = run;
  const { sp, dead_heat, trainer, field_size, runner_ref, result_id, origin } = run;
  return {
    date: run.meeting_date,
    start_time,
    venue,
    race_number,
    distance_m,
    race_name,
    track_condition,
    number,
    box,
    position,
    margin,
    sp,
    dead_heat,
    trainer,
    field_size,
    runner_ref,
    result_id,
    origin,
  };
}

export const refsOf = (runs: readonly StoredRun[]): string[] => [
  ...new Set(runs.flatMap(({ runner_ref }) => runner_ref ?? [])),
];

export function presentSource(runs: readonly StoredRun[], { from, to }: RunSpan) {
  return {
    feed: 'puntersedge_results' as const,
    region: 'AU' as const,
    coverage_from: from,
    coverage_to: to,
    collectors: [...new Set(runs.flatMap(({ collector }) => collector ?? []))].sort(),
    refreshed_hourly: true,
  };
}

export const presentStats = ({ starts, wins, places, winPct, placePct }: RunStats) => ({
  starts,
  wins,
  places,
  win_pct: roundPct(winPct),
  place_pct: roundPct(placePct),
});

// Presents a greyhound's record by group (B 4.8).
import { type Dimension, groupedRuns, type RunGroup } from '../../../domain/form/run-stats';
import type { StoredRun } from '../../../domain/form/stored-run';
import type { RunSpan } from '../../../store/reads/runs/animal-runs';
import { roundPrice } from '../../wire/rounded';
import { type FoundRuns, presentSource, presentStats, refsOf } from '../form/present-runs';
import type { GreyhoundStatsWire } from './greyhound-stats-schema';

export function presentGreyhoundStats(found: FoundRuns, by: readonly Dimension[], span: RunSpan): GreyhoundStatsWire {
  return {
    dog_id: dogIdOf(found),
    dog_name: found[0].name,
    ambiguous: false,
    candidates: [],
    group_by: [...by],
    groups: groupedRuns(found, by).map(presentGroup),
    source: { ...presentSource(found, span), sport: 'greyhound' },
  };
}

function presentGroup(group: RunGroup): GreyhoundStatsWire['groups'][number] {
  const { track, distanceM, box, grade, avgTimeS, bestTimeS, avgFirstSplitS } = group;
  return {
    track,
    distance_m: distanceM,
    box,
    grade,
    ...presentStats(group),
    avg_time_s: roundPrice(avgTimeS),
    best_time_s: bestTimeS,
    avg_first_split: roundPrice(avgFirstSplitS),
  };
}

const GRV = /^grv:(-?\d{1,15})$/;

/** Ids of two dogs with one name, or of another registry, are not the id of one dog. */
function dogIdOf(runs: readonly StoredRun[]): number | null {
  const ids = refsOf(runs).flatMap((ref) => GRV.exec(ref)?.[1] ?? []);
  return ids.length === 1 ? Number(ids[0]) : null;
}

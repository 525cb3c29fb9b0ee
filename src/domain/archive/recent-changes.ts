// The part of a series from which closes and analyses are made, live and in the archive: not older than a moved start
// explains, and of the day of the race.
import { oldestCaptureMs } from '../market/intelligence/captured';
import type { StoredSeries } from './stored-race';

const DAY_MS = 24 * 60 * 60_000;

export function recentChanges(series: StoredSeries, startMs: number): StoredSeries {
  const isRecent = (atMs: number): boolean => atMs >= oldestCaptureMs(startMs) && atMs < startMs + DAY_MS;
  if (series.changes.every(({ atMs }) => isRecent(atMs))) return series;
  const captured = series.changes.filter(({ what }) => typeof what === 'number');
  return {
    ...series,
    changes: series.changes.filter(({ atMs }) => isRecent(atMs)),
    legs: series.legs.filter((_, i) => isRecent(captured[i]!.atMs)),
  };
}

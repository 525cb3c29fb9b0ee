// A public report, computed periodically for all API processes. While the database is away, this process's last report
// is served: its `as_of` states its age (D36).
import { AppError } from '../../../errors';
import { isUnreachable } from '../../../store/pg/unreachable';
import type { SharedAnswers } from '../../../store/redis/shared-answers';

const WHOLE_MS = 30 * 60_000;
/** A report that lacks a part is soon computed again: a new installation has the part within minutes. */
const IN_PART_MS = 60_000;
const LAST_KNOWN_MS = 24 * 3_600_000;

interface Report {
  readonly as_of: string;
  readonly unavailable: readonly object[];
}

/** Seconds for which a report is served. */
export const standsFor = ({ unavailable }: Pick<Report, 'unavailable'>): number =>
  (unavailable.length === 0 ? WHOLE_MS : IN_PART_MS) / 1000;

/**
 * `form` is part of the cache key: raise its number when the report changes in form. A failure of `compute` is not
 * cached.
 */
export function recomputed<T extends Report>(
  form: string,
  shared: SharedAnswers,
  compute: (nowMs: number) => Promise<T>,
): (nowMs: number) => Promise<T> {
  let last: T | null = null;
  const read = async (nowMs: number): Promise<T> => {
    const { value } = await shared.get(form, WHOLE_MS, nowMs, () => compute(nowMs));
    if (value.unavailable.length === 0) return value;
    return (await shared.get(`${form} in part`, IN_PART_MS, nowMs, () => compute(nowMs))).value;
  };
  return async (nowMs) => {
    try {
      last = await read(nowMs);
      return last;
    } catch (error) {
      if (!isAway(error) || last === null || nowMs - Date.parse(last.as_of) > LAST_KNOWN_MS) throw error;
      return last;
    }
  };
}

/** The database cannot be read at the moment. */
export const isAway = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof AppError && error.code === 'unavailable' && !error.extensions.unavailable);

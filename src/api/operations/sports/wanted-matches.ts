// Which matches a request selects: by their ids and their starts.
import type { InputProblem } from '../../../errors';
import { endOf, startOf } from '../archive/pages/archive-query';

interface Sent {
  readonly commence_time_from?: string;
  readonly commence_time_to?: string;
  readonly event_ids?: readonly string[];
}

interface Match {
  readonly eventId: string;
  readonly commenceTime: string;
}

export function wantedMatches<T extends Match>(
  matches: readonly T[],
  { commence_time_from: from, commence_time_to: to, event_ids: ids }: Sent,
): readonly T[] {
  if (from === undefined && to === undefined && ids === undefined) return matches;
  const fromMs = from === undefined ? -Infinity : startOf(from);
  const untilMs = to === undefined ? Infinity : endOf(to);
  const wanted = ids && new Set(ids.map((id) => id.toLowerCase()));
  return matches.filter(({ eventId, commenceTime }) => {
    const startMs = Date.parse(commenceTime);
    return startMs >= fromMs && startMs < untilMs && (!wanted || wanted.has(eventId));
  });
}

/** What the schema of the parameters cannot express. */
export function startProblems({ commence_time_from: from, commence_time_to: to }: Sent): InputProblem[] {
  if (from === undefined || to === undefined || startOf(from) < endOf(to)) return [];
  const detail = `commence_time_from (${from}) must not be after commence_time_to (${to}).`;
  return [{ parameter: 'commence_time_from', detail }];
}

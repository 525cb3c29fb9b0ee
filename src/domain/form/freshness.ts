// Whether a stored form page is served unchanged or read again first (B 3).

const HOUR_MS = 3_600_000;
/** Up to this age a page is served without comparing it with the results. */
const UNCHECKED_FOR_MS = 6 * HOUR_MS;
const LASTS_MS = 7 * 24 * HOUR_MS;

interface FormAge {
  readonly fetchedAtMs: number;
  readonly nowMs: number;
  /** The results show a start of the horse that the page can't have. */
  readonly startedSinceRead: boolean;
}

/** A page of exactly six hours is compared; one of exactly seven days still stands. */
export function formNeed({ fetchedAtMs, nowMs, startedSinceRead }: FormAge): 'serve' | 'read' {
  const ageMs = nowMs - fetchedAtMs;
  if (ageMs < UNCHECKED_FOR_MS) return 'serve';
  return startedSinceRead || ageMs > LASTS_MS ? 'read' : 'serve';
}

// Continues a backfill job (D50 to D52): delivers what is stored for it, then reads the next horse of the whole queue,
// until its time is up. All its state is in the database, so a lost attempt loses nothing.
import type { BackfillWorkStatus } from '../../workflows/contract';
import { deliverNext, isBlocked } from './deliver';
import { type ReadDeps, readNext } from './read-next';
import { waiting } from './waiting';

export interface CollectOrder {
  readonly jobId: string;
  /** As the workflow shows it. */
  readonly shown: BackfillWorkStatus;
}

export type Collected =
  /** Nothing of the job is queued any more. */
  | { readonly kind: 'complete' }
  /** `handled`: horses delivered or failed, of any job; `queued`: of this one. */
  | { readonly kind: 'going'; readonly handled: number; readonly queued: number }
  /** It waits for something other than what is shown. */
  | { readonly kind: 'waiting'; readonly status: BackfillWorkStatus; readonly queued: number };

export interface CollectHost {
  /** Aborted when the attempt is cancelled or its worker stops. */
  readonly signal: AbortSignal;
  alive(): void;
}

/** Wall time. Then another job has the slot. */
const ATTEMPT_MS = 20_000;
const MOST_HANDLED = 100;
/** Others read what this job waits for, and deliver it to this one too. */
const NOTHING_TO_READ_MS = 10_000;
const BLOCKED_MS = 10 * 60_000;

/** Fails benignly as long as the job waits for what is shown. */
export async function collectHorses(
  deps: ReadDeps,
  { jobId, shown }: CollectOrder,
  { signal, alive }: CollectHost,
): Promise<Collected> {
  const untilMs = deps.wallMs() + ATTEMPT_MS;
  let handled = 0;
  for (;;) {
    alive();
    const work = await deps.stores.backfill.work(jobId);
    if (!work) return { kind: 'complete' };
    const { queued } = work;
    const going = { kind: 'going', handled, queued } as const;
    const waits = (status: BackfillWorkStatus, message: string, inMs: number): Collected => {
      if (handled > 0) return going;
      if (status !== shown) return { kind: 'waiting', status, queued };
      throw waiting(`${message}; ${queued} horses queued`, inMs);
    };
    if (signal.aborted || deps.wallMs() >= untilMs || handled >= MOST_HANDLED)
      return waits('running', 'another job’s turn', 0);
    const delivery = await deliverNext(deps, jobId, work);
    if (delivery === 'delivered') handled += 1;
    if (delivery === 'spent') return waits('blocked', 'too few credits', BLOCKED_MS);
    if (delivery !== null) continue;
    if (await isBlocked(deps, work)) return waits('blocked', 'too few credits', BLOCKED_MS);
    const end = await readNext(deps, signal);
    if (end.kind === 'served') handled += end.delivered;
    else if (end.kind === 'failed') handled += 1;
    else if (end.kind === 'none') return waits('running', 'nothing to read now', NOTHING_TO_READ_MS);
    else
      return waits(
        end.why === 'paused' || end.why === 'walled' ? end.why : 'running',
        `the registry: ${end.why}`,
        end.inMs,
      );
  }
}

// The messages between the thread that serves requests and the thread of large bodies.
import type { ErrorCode, InputProblem, ProblemExtensions } from '../../../errors';

export interface LargeBody {
  /** JSON. */
  readonly schema: string;
  readonly bytes: Uint8Array;
}

/** An `AppError`, which loses its class between threads. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly extensions: ProblemExtensions;
}

interface Read {
  readonly problems: readonly InputProblem[];
  readonly unlisted: number | null;
  /** How many were sent; none for a body whose problems are not counted. */
  readonly slices: number;
}

export type Verdict = { readonly refusal: Refusal } | { readonly read: Read };

export interface Judged {
  readonly verdict: Verdict;
  /** Processor time of the thread. */
  readonly workMs: number;
}

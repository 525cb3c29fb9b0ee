// How a stored jump is known (D24): by the close of the market, or only from the advertised start or a result. Pages
// state no instant that was not observed.
import { isJumpClose } from './lifecycle';

/**
 * `observed`: the market closed then. `assumed`: the advertised start, for want of better. `latest`: it was seen to
 * have jumped by then, as from its result.
 */
export type JumpBasis = 'observed' | 'assumed' | 'latest';

interface StoredJump {
  /** Epoch milliseconds, as all. */
  readonly jumpedMs: number;
  /** Advertised start. */
  readonly startMs: number;
  /** When the market was first seen closed; null: never. A pause before the start is stamped too. */
  readonly closedMs: number | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function jumpBasis({ jumpedMs, startMs, closedMs }: StoredJump): JumpBasis {
  if (closedMs !== null && closedMs === jumpedMs && isJumpClose(iso(closedMs), iso(startMs))) return 'observed';
  return jumpedMs === startMs ? 'assumed' : 'latest';
}

// How a stored jump is known (D24): from the close of the market, or only from the advertised start or a result. Pages
// never show an instant that was not observed.
import { isJumpClose } from './lifecycle';

/**
 * `observed`: the market closed then. `assumed`: the advertised start, because nothing better is known. `latest`: it
 * had jumped by then, as its result shows.
 */
export type JumpBasis = 'observed' | 'assumed' | 'latest';

interface StoredJump {
  /** Epoch milliseconds, like the others. */
  readonly jumpedMs: number;
  /** Advertised start. */
  readonly startMs: number;
  /** When the market was first seen closed; null: never. A pause before the start sets it too. */
  readonly closedMs: number | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function jumpBasis({ jumpedMs, startMs, closedMs }: StoredJump): JumpBasis {
  if (closedMs !== null && closedMs === jumpedMs && isJumpClose(iso(closedMs), iso(startMs))) return 'observed';
  return jumpedMs === startMs ? 'assumed' : 'latest';
}

// Where reads of the past run, each by itself: on the replica while its age is proven to be within the bound and it
// does not rest, otherwise on the primary. Nothing waits, so of two reads the later one may see the earlier state, by
// the bound at most.
import { isUnreachable } from '../unreachable';

export interface ReadRoute {
  /** Runs a read on the replica, and once on the primary if the replica fails; or on the primary alone. */
  read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T>;
  /** What the last comparison proved, and why the replica may not be used whatever its age; null: it may. */
  compared(provenMs: number, reason: string | null): void;
  /** Whether a read that begins at this moment runs on the replica. */
  usesReplica(): boolean;
  /** Milliseconds; null: not proven. */
  ageMs(): number | null;
}

export interface RouteSetup {
  readonly maxAgeMs: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Also for another reason. */
  readonly onChange?: (usesReplica: boolean, reason: string | null) => void;
  readonly onRead?: (server: 'replica' | 'primary') => void;
}

const NOT_COMPARED = 'it was not compared yet';
/** In a row. */
const MOST_FAILURES = 3;
const FIRST_REST_MS = 1000;
export const LONGEST_REST_MS = 30_000;

/** What a server says of itself, its login or its replay (40), and not of the statement. */
const OF_SERVER = /^(28|3D|40|53|58|XX)/;

function isOfReplica(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isUnreachable(error) || (typeof code === 'string' && OF_SERVER.test(code));
}

export const createReadRoute = (setup: RouteSetup): ReadRoute => new Route(setup);

class Route implements ReadRoute {
  private provenMs = Number.NEGATIVE_INFINITY;
  private reason: string | null = NOT_COMPARED;
  /** Comparisons that found it unusable. */
  private refusals = 0;
  private failures = 0;
  private restUntilMs = Number.NEGATIVE_INFINITY;
  private restMs = FIRST_REST_MS;
  private restReason = '';
  /** What `onChange` was last called with. */
  private reported: string | null = NOT_COMPARED;

  constructor(private readonly setup: RouteSetup) {}

  async read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (this.usesReplica()) {
      const { refusals } = this;
      this.setup.onRead?.('replica');
      try {
        const found = await onReplica();
        this.answered();
        // Otherwise it may have been started again meanwhile, on an earlier state than was proven.
        if (refusals === this.refusals) return found;
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        this.failed((error as Error).message);
      }
    }
    this.setup.onRead?.('primary');
    return onPrimary();
  }

  compared(provenMs: number, reason: string | null): void {
    this.provenMs = provenMs;
    this.reason = reason;
    if (reason !== null) {
      this.refusals += 1;
      this.rest(reason);
    }
    this.usesReplica();
  }

  usesReplica(): boolean {
    const why = this.whyNot();
    if (why !== this.reported) this.setup.onChange?.(why === null, why);
    this.reported = why;
    return why === null;
  }

  ageMs(): number | null {
    return Number.isFinite(this.provenMs) ? this.setup.nowMs() - this.provenMs : null;
  }

  private whyNot(): string | null {
    const { maxAgeMs, nowMs } = this.setup;
    if (this.reason !== null) return this.reason;
    if (nowMs() < this.restUntilMs) return this.restReason;
    return nowMs() - this.provenMs <= maxAgeMs ? null : `it may be more than ${maxAgeMs} ms behind`;
  }

  private answered(): void {
    this.failures = 0;
    if (this.setup.nowMs() >= this.restUntilMs) this.restMs = FIRST_REST_MS;
  }

  private failed(why: string): void {
    this.failures += 1;
    if (this.failures < MOST_FAILURES) return;
    this.failures = 0;
    this.rest(why);
    this.usesReplica();
  }

  /** What fails during a rest does not prolong it. */
  private rest(why: string): void {
    const nowMs = this.setup.nowMs();
    if (nowMs < this.restUntilMs) return;
    this.restReason = why;
    this.restUntilMs = nowMs + this.restMs;
    this.restMs = Math.min(2 * this.restMs, LONGEST_REST_MS);
  }
}

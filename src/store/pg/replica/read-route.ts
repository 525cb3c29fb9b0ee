// Where reads of the past run: on the replica while its age is proven to be within the bound, otherwise on the primary.
// No caller sees an earlier state than a caller before it: reads leave the replica together, and return to it together,
// when it is proven to show all that the primary has shown to them.
import { setTimeout as delay } from 'node:timers/promises';
import { isUnreachable } from '../unreachable';

export interface ReadRoute {
  /** Runs a read once on either server; again on the primary if the replica fails or is left meanwhile. */
  read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T>;
  /** What the last probe proved, and why the replica may not be used whatever its age; null: it may. */
  probed(provenMs: number, reason: string | null): void;
  /** Leaves a replica that is too old. Between two probes, because one may hang. */
  look(): void;
  usesReplica(): boolean;
  /** Milliseconds; null: not proven. */
  ageMs(): number | null;
}

export interface RouteSetup {
  readonly maxAgeMs: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Compares the servers at once, and calls `probed`. Never rejects. */
  readonly probe: () => Promise<void>;
  readonly onChange?: (usesReplica: boolean, reason: string | null) => void;
  readonly onRead?: (server: 'replica' | 'primary') => void;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Reads wait no longer for their return to the replica. */
const RETURN_WITHIN_MS = 300;
const RETURN_PAUSE_MS = 5;
/** A replica that is further behind would not catch up in that time. */
const NEARLY_CAUGHT_UP_MS = 600;
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 30_000;
/** Of one read, on the replica. */
const MOST_TRIES = 2;

/** A read was given up because the replica is no longer used. */
class ReplicaLeft extends Error {}

/** Whether the replica, and not the read, is the reason: a conflict with its replay, or any refusal but a slow read. */
function isOfReplica(error: unknown): boolean {
  if (error instanceof ReplicaLeft) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === '57014' && /statement timeout/.test(String(message))) return false;
  return isUnreachable(error) || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
}

export const createReadRoute = (setup: RouteSetup): ReadRoute => new Route(setup);

class Route implements ReadRoute {
  /** Reads wait for it while they return to the replica. */
  private returning: Promise<void> | null = null;
  private isOnReplica = false;
  /** Ends a read that is under way on the replica. */
  private readonly underWay = new Set<(left: ReplicaLeft) => void>();
  private provenMs = Number.NEGATIVE_INFINITY;
  private reason: string | null = 'it was not compared yet';
  private reading = 0;
  /** When the last read on the primary ended. */
  private readMs = Number.NEGATIVE_INFINITY;
  private restUntilMs = Number.NEGATIVE_INFINITY;
  private restMs = FIRST_REST_MS;

  constructor(private readonly setup: RouteSetup) {}

  async read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      while (this.returning) await this.returning;
      this.look();
      if (tries > MOST_TRIES) this.leave('a read failed on it again');
      // At once, so that no return begins in between.
      if (!this.isOnReplica) return this.onThePrimary(onPrimary);
      try {
        return await this.onTheReplica(onReplica);
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        if (!(error instanceof ReplicaLeft)) this.leave((error as Error).message);
      }
    }
  }

  probed(provenMs: number, reason: string | null): void {
    this.provenMs = provenMs;
    this.reason = reason;
    this.look();
    if (this.isOnReplica || this.returning || this.setup.nowMs() < this.restUntilMs) return;
    if (!this.isYoung(NEARLY_CAUGHT_UP_MS)) return;
    this.returning = this.goBack().finally(() => {
      this.returning = null;
    });
  }

  look(): void {
    if (!this.isYoung(this.setup.maxAgeMs))
      this.leave(this.reason ?? `it may be more than ${this.setup.maxAgeMs} ms behind`);
  }

  usesReplica(): boolean {
    return this.isOnReplica;
  }

  ageMs(): number | null {
    return Number.isFinite(this.provenMs) ? this.setup.nowMs() - this.provenMs : null;
  }

  private isYoung(withinMs: number): boolean {
    return this.reason === null && this.setup.nowMs() - this.provenMs <= withinMs;
  }

  private leave(why: string): void {
    if (!this.isOnReplica) return;
    this.isOnReplica = false;
    for (const end of this.underWay) end(new ReplicaLeft(why));
    this.underWay.clear();
    this.setup.onChange?.(false, why);
  }

  /** No `Promise.race`: a promise for all reads would remember each of them. */
  private async onTheReplica<T>(read: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.underWay.add(reject);
    this.setup.onRead?.('replica');
    read().then(resolve, reject);
    return promise.finally(() => this.underWay.delete(reject));
  }

  private async onThePrimary<T>(read: () => Promise<T>): Promise<T> {
    this.reading += 1;
    this.setup.onRead?.('primary');
    try {
      return await read();
    } finally {
      this.reading -= 1;
      this.readMs = this.setup.nowMs();
    }
  }

  /** New reads wait until those on the primary have ended and the replica shows what they showed. */
  private async goBack(): Promise<void> {
    const { nowMs, pause = delay, probe, maxAgeMs, onChange } = this.setup;
    const untilMs = nowMs() + RETURN_WITHIN_MS;
    while (nowMs() < untilMs) {
      if (this.reading === 0 && this.provenMs > this.readMs && this.isYoung(maxAgeMs)) {
        this.isOnReplica = true;
        this.restMs = FIRST_REST_MS;
        onChange?.(true, null);
        return;
      }
      await pause(RETURN_PAUSE_MS);
      await probe();
    }
    this.restUntilMs = nowMs() + this.restMs;
    this.restMs = Math.min(2 * this.restMs, LONGEST_REST_MS);
  }
}

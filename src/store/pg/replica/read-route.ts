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
  readonly usesReplica: () => boolean;
  /** Milliseconds; null: not proven. */
  readonly ageMs: () => number | null;
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

export function createReadRoute(setup: RouteSetup): ReadRoute {
  const { maxAgeMs, nowMs, probe, onChange, onRead, pause = delay } = setup;
  /** Reads wait for `held` while they return. */
  let held: Promise<void> | null = null;
  let onReplica = false;
  let left = Promise.withResolvers<never>();
  let provenMs = Number.NEGATIVE_INFINITY;
  let reason: string | null = 'it was not compared yet';
  let reading = 0;
  /** When the last read on the primary ended. */
  let readMs = Number.NEGATIVE_INFINITY;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  let restMs = FIRST_REST_MS;

  const isYoung = (withinMs: number): boolean => reason === null && nowMs() - provenMs <= withinMs;

  function leave(why: string): void {
    if (!onReplica) return;
    onReplica = false;
    left.promise.catch(() => undefined);
    left.reject(new ReplicaLeft(why));
    left = Promise.withResolvers<never>();
    onChange?.(false, why);
  }

  const look = (): void => {
    if (!isYoung(maxAgeMs)) leave(reason ?? `it is more than ${maxAgeMs} ms behind`);
  };

  async function onThePrimary<T>(read: () => Promise<T>): Promise<T> {
    reading += 1;
    onRead?.('primary');
    try {
      return await read();
    } finally {
      reading -= 1;
      readMs = nowMs();
    }
  }

  /** New reads wait until those on the primary have ended and the replica shows what they showed. */
  async function goBack(): Promise<void> {
    const untilMs = nowMs() + RETURN_WITHIN_MS;
    while (nowMs() < untilMs) {
      if (reading === 0 && provenMs > readMs && isYoung(maxAgeMs)) {
        onReplica = true;
        restMs = FIRST_REST_MS;
        onChange?.(true, null);
        return;
      }
      await pause(RETURN_PAUSE_MS);
      await probe();
    }
    restUntilMs = nowMs() + restMs;
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
  }

  return {
    async read(replica, primary) {
      for (let tries = 1; ; tries++) {
        while (held) await held;
        look();
        if (tries > MOST_TRIES) leave('a read failed on it again');
        if (!onReplica) return onThePrimary(primary);
        const { promise: gone } = left;
        onRead?.('replica');
        try {
          return await Promise.race([replica(), gone]);
        } catch (error) {
          if (!isOfReplica(error)) throw error;
          if (!(error instanceof ReplicaLeft)) leave((error as Error).message);
        }
      }
    },
    probed(proven, why) {
      provenMs = proven;
      reason = why;
      look();
      if (onReplica || held || nowMs() < restUntilMs || !isYoung(NEARLY_CAUGHT_UP_MS)) return;
      held = goBack().finally(() => {
        held = null;
      });
    },
    look,
    usesReplica: () => onReplica,
    ageMs: () => (Number.isFinite(provenMs) ? nowMs() - provenMs : null),
  };
}

// Counts refused calls in memory by key, code and five minutes, and keeps the newest of each, within bounds. Pure but
// for its own state; the clock is an argument.
import { KEPT_REFUSED_CALLS } from '../../../plans/limits';
import type { RefusedCall, RefusedCount } from '../../../store/keys/refused-calls';

const BUCKET_MS = 300_000;
/** A count that could not be stored is given up after so long. */
const LATEST_MS = 3_600_000;
/** Of keys, codes and five minutes. */
const MOST_COUNTS = 5000;
/** Beyond this many calls only the newest of each count is kept until they are stored. */
const MOST_CALLS = 2000;

interface Counted {
  readonly of: Pick<RefusedCall, 'accountId' | 'keyId' | 'code'>;
  readonly fromMs: number;
  calls: number;
  isStored: boolean;
  /** Oldest first. */
  newest: RefusedCall[];
}

/** What has changed since it was last taken. */
export interface TakenRefusals {
  readonly counts: readonly RefusedCount[];
  readonly calls: readonly RefusedCall[];
  /** For another time, because it could not be stored. */
  giveBack(): void;
}

export class RefusalTally {
  readonly #counted = new Map<string, Counted>();
  #calls = 0;

  /** False: there is no room for another count. */
  add(call: RefusedCall): boolean {
    const one = this.#countOf(call);
    if (!one) return false;
    one.calls += 1;
    one.isStored = false;
    this.#keep(one, [...one.newest, call], this.#calls < MOST_CALLS ? KEPT_REFUSED_CALLS : 1);
    return true;
  }

  take(): TakenRefusals {
    const due = [...this.#counted.values()].filter(({ isStored }) => !isStored);
    const taken = due.map((one) => ({ one, newest: one.newest }));
    const counts = due.map(({ of, fromMs, calls }) => ({ ...of, fromAt: new Date(fromMs).toISOString(), calls }));
    for (const one of due) {
      one.isStored = true;
      this.#keep(one, [], 0);
    }
    return {
      counts,
      calls: taken.flatMap(({ newest }) => newest),
      giveBack: () => {
        for (const { one, newest } of taken) {
          one.isStored = false;
          this.#keep(one, [...newest, ...one.newest], KEPT_REFUSED_CALLS);
        }
      },
    };
  }

  /** Ends the counts of earlier five minutes that are stored, or too old. Returns how many calls were given up. */
  forgetEnded(nowMs: number): number {
    let lost = 0;
    for (const [name, one] of this.#counted) {
      const isOver = one.fromMs + BUCKET_MS <= nowMs;
      if (!isOver || (!one.isStored && one.fromMs + LATEST_MS > nowMs)) continue;
      if (!one.isStored) lost += one.calls;
      this.#keep(one, [], 0);
      this.#counted.delete(name);
    }
    return lost;
  }

  #countOf({ accountId, keyId, code, at }: RefusedCall): Counted | null {
    const fromMs = Math.floor(Date.parse(at) / BUCKET_MS) * BUCKET_MS;
    const name = `${keyId} ${code} ${fromMs}`;
    const known = this.#counted.get(name);
    if (known) return known;
    if (this.#counted.size >= MOST_COUNTS) return null;
    const one = { of: { accountId, keyId, code }, fromMs, calls: 0, isStored: false, newest: [] };
    this.#counted.set(name, one);
    return one;
  }

  #keep(one: Counted, calls: readonly RefusedCall[], most: number): void {
    const newest = most === 0 ? [] : calls.slice(-most);
    this.#calls += newest.length - one.newest.length;
    one.newest = newest;
  }
}

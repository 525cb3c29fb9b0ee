// How many polls a process has in flight at most, from samples of its load. By Little's law the time that a poll takes
// on our side falls as fewer are in flight, while as many get done: the limit goes to where that time is as allowed.
// Our event loop's lateness is always that of a queue. The database's time may also be its distance, or another's
// load: then fewer in flight are fewer done, and the limit goes back. While polls wait it rises until that time is as
// allowed, and above only with a measured gain.

/** More are never in flight: a process that keeps up has as many as its books' latency requires. */
const MOST_IN_FLIGHT = 2000;
const FEWEST_IN_FLIGHT = 32;
const AT_FIRST = 128;
/** A process keeps up below these. */
const LATE_MS = 100;
const STORE_MS = 500;
/** Up to this part of them it may take on many more at once, and a few from there on. */
const EASY = 0.5;
/** The limit of one change: a stall of a second is not the load of a minute. */
const LEAST = 0.5;
const MOST = 2;
/** From this many times the allowed time on no distance explains it. */
const CERTAIN = 4;
/** A trial of fewer is kept if at least this part of the polls is done, one of more if this many times as many are. */
const KEPT = 0.9;
const GAINED = 1.1;
const MORE = 1.25;
/** Wall: a rate is counted for so long, and after a trial that was taken back the next begins. */
const COUNTED_MS = 1500;
const AGAIN_AFTER_MS = 10_000;

/** The recent load of this process, wall milliseconds. */
export interface LoadSample {
  readonly atMs: number;
  /** How late its event loop was. */
  readonly lateMs: number;
  /** How long our database took to check and store a poll; null: none was stored. A slow book is not our load. */
  readonly storeMs: number | null;
  /** How many it stored since the previous sample. */
  readonly stored: number;
}

interface Trial {
  /** The limit before it, and the rate at that limit. */
  readonly before: number;
  readonly rateBefore: number;
}

export class FlightLimit {
  inFlight = AT_FIRST;
  private trial: Trial | null = null;
  /** The rate is counted from here on; null: not yet. */
  private counting: { readonly fromMs: number; done: number } | null = null;
  private restUntilMs = Number.NEGATIVE_INFINITY;
  private triesMore = false;
  /** Of the latest poll that was stored: a moment without one says nothing. */
  private storeMs = 0;

  /** `inFlight`: at this moment. `isShort`: whether due polls wait for their turn. */
  sample({ atMs, lateMs, storeMs, stored }: LoadSample, inFlight: number, isShort: boolean): void {
    this.storeMs = storeMs ?? this.storeMs;
    const late = lateMs / LATE_MS;
    const slow = this.storeMs / STORE_MS;
    const strain = Math.max(late, slow);
    if (strain <= 1) {
      this.trial = null;
      this.counting = null;
      this.triesMore = false;
      // What was not stored yet has not shown that it was easy.
      if (isShort && stored > 0)
        this.limitTo(this.inFlight * Math.min(MOST, Math.max(MORE, EASY / Math.max(strain, 0.01))));
      return;
    }
    if (late > 1 || slow >= CERTAIN) {
      if (atMs < this.restUntilMs) return;
      this.trial = null;
      this.counting = null;
      this.fewer(strain, inFlight);
      // Until the stored polls were started under the new limit.
      this.restUntilMs = atMs + this.storeMs;
      return;
    }
    this.tryOut(atMs, stored, slow, inFlight);
  }

  /** The database is slow, and the loop is not: what a change does to the rate decides whether it stays. */
  private tryOut(atMs: number, stored: number, slow: number, inFlight: number): void {
    if (atMs < this.restUntilMs) return;
    if (!this.counting) {
      this.counting = { fromMs: atMs, done: 0 };
      return;
    }
    this.counting.done += stored;
    const countedMs = atMs - this.counting.fromMs;
    if (countedMs < COUNTED_MS) return;
    const rate = (1000 * this.counting.done) / countedMs;
    this.counting = null;
    if (this.trial && this.isLoss(this.trial, rate)) {
      this.limitTo(this.trial.before);
      this.trial = null;
      this.triesMore = !this.triesMore;
      this.restUntilMs = atMs + AGAIN_AFTER_MS;
      return;
    }
    this.trial = { before: this.inFlight, rateBefore: rate };
    if (this.triesMore) this.limitTo(this.inFlight * MORE);
    // A smaller step loses too little to show, and is followed by the next.
    else this.fewer(Math.max(MORE, slow), inFlight);
    this.restUntilMs = atMs + this.storeMs;
  }

  private isLoss({ rateBefore }: Trial, rate: number): boolean {
    return this.triesMore ? rate < GAINED * rateBefore : rate < KEPT * rateBefore;
  }

  /** A stall may come when few are in flight: they are not the limit that is halved. */
  private fewer(strain: number, inFlight: number): void {
    this.limitTo(Math.max(LEAST * this.inFlight, Math.min(this.inFlight, inFlight) / strain));
  }

  private limitTo(inFlight: number): void {
    this.inFlight = Math.max(FEWEST_IN_FLIGHT, Math.min(MOST_IN_FLIGHT, Math.ceil(inFlight)));
  }
}

// Admits the due polls of one process. A process that keeps up starts each poll when it is due. One that does not would
// lose its work to deadlines and late heartbeats: it keeps fewer polls in flight instead and thins them, evenly by
// interval, and those near their jump last. Knows neither books nor races; the clock and the samples of its load are
// arguments.
import { isNearJump } from '../../../domain/time/cadence';

/** A due poll. `start` is called once, when it is its turn. */
export interface DuePoll {
  /** The race's advertised start. */
  startMs: number;
  /** Start of the last poll; null before the first. */
  readonly lastAtMs: number | null;
  readonly intervalMs: number;
  /** Polls that share a call: those waiting are admitted together. Null: the poll has its own call. */
  readonly call: string | null;
  start(): void;
}

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

/** More are never in flight: a process that keeps up has as many as its books' latency requires. */
const MOST_IN_FLIGHT = 2000;
const FEWEST_IN_FLIGHT = 32;
/** A process keeps up below these. */
const LATE_MS = 100;
const STORE_MS = 500;
/** Below this part of them it may take on more. */
const EASY = 0.5;
/** The limit of one change: a stall of a second is not the load of a minute. */
const LEAST = 0.5;
const MOST = 2;
/** Fewer in flight must not mean fewer done: below this part of its recent rate the limit goes up again. */
const KEPT = 0.9;
const UP_AGAIN = 1.25;
/** The weight of each sample in the recent rate, and the remaining part of the maximum at each. */
const SHARE = 0.3;
const FADES = 0.985;

/** Polls of one call that are admitted together with the first. */
const MOST_TOGETHER = 50;

export class PollQueue {
  private readonly waiting = new Set<DuePoll>();
  private inFlight = 0;
  private storeTimes: number[] = [];
  private limit = MOST_IN_FLIGHT;
  private settledAtMs = Number.NEGATIVE_INFINITY;
  private done = 0;
  private mostDone = 0;

  /** `now`: race time, epoch milliseconds. */
  constructor(private readonly now: () => number) {}

  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Starts the poll now or when its turn comes. */
  enter(poll: DuePoll): void {
    this.waiting.add(poll);
    this.admit();
  }

  /** The poll no longer waits. */
  withdraw(poll: DuePoll): void {
    this.waiting.delete(poll);
  }

  /** A started poll has ended. */
  left(): void {
    this.inFlight -= 1;
    this.admit();
  }

  /** How long our database took to check and store a poll. */
  stored(ms: number): void {
    this.storeTimes.push(ms);
  }

  /** Since the last call. */
  takeStored(): Pick<LoadSample, 'storeMs' | 'stored'> {
    const times = this.storeTimes;
    this.storeTimes = [];
    const stored = times.length;
    return { stored, storeMs: stored === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / stored };
  }

  /**
   * About twice a second. By Little's law the time that a poll takes on our side falls as fewer are in flight, while as
   * many get done: the limit goes to where that time is as allowed. If fewer get done, the time is not that of a queue
   * (a database far away, or shared), and the limit goes back.
   */
  sample({ atMs, lateMs, storeMs, stored }: LoadSample): void {
    this.done += SHARE * (stored - this.done);
    this.mostDone = Math.max(FADES * this.mostDone, this.done);
    const strain = Math.max(lateMs / LATE_MS, (storeMs ?? 0) / STORE_MS);
    if (strain > 1 && atMs >= this.settledAtMs) {
      const keeps = this.done >= KEPT * this.mostDone;
      if (keeps) this.limitTo(Math.min(this.limit, this.inFlight) * Math.max(LEAST, 1 / strain));
      else this.limitTo(this.limit * UP_AGAIN);
      // Until the stored polls were started under the new limit.
      this.settledAtMs = atMs + (storeMs ?? 0);
    }
    if (strain < EASY) this.limitTo(this.limit * Math.min(MOST, EASY / strain));
    this.admit();
  }

  private limitTo(inFlight: number): void {
    this.limit = Math.max(FEWEST_IN_FLIGHT, Math.min(MOST_IN_FLIGHT, Math.ceil(inFlight)));
  }

  private admit(): void {
    while (this.waiting.size > 0 && this.inFlight < this.limit) {
      const nowMs = this.now();
      const first = this.next(nowMs);
      this.start(first);
      if (first.call === null) continue;
      const near = isNear(first, nowMs);
      let together = 0;
      for (const poll of this.waiting) {
        if (poll.call !== first.call || isNear(poll, nowMs) !== near) continue;
        this.start(poll);
        together += 1;
        if (together === MOST_TOGETHER) break;
      }
    }
  }

  private start(poll: DuePoll): void {
    this.waiting.delete(poll);
    this.inFlight += 1;
    poll.start();
  }

  /** Near its jump before far from it; then the poll that has waited for the most of its own intervals. */
  private next(nowMs: number): DuePoll {
    let first: DuePoll | null = null;
    let best = Number.NEGATIVE_INFINITY;
    for (const poll of this.waiting) {
      const merit = meritOf(poll, nowMs);
      if (first && merit <= best) continue;
      best = merit;
      first = poll;
    }
    return first!;
  }
}

const isNear = ({ startMs }: DuePoll, nowMs: number): boolean => isNearJump((startMs - nowMs) / 1000);

/** Above every number of intervals that a poll may wait. */
const NEAR = 1e6;
const FIRST = 1e5;

function meritOf(poll: DuePoll, nowMs: number): number {
  const waited = poll.lastAtMs === null ? FIRST : (nowMs - poll.lastAtMs) / poll.intervalMs;
  return isNear(poll, nowMs) ? NEAR + waited : waited;
}

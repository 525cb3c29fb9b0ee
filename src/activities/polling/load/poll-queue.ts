// Admits the due polls of one process. A process that keeps up starts each poll when it is due. One that does not would
// lose its work to deadlines and late heartbeats: it keeps fewer polls in flight instead and thins them, evenly by
// interval, and those near their jump last. A poll that cannot start in time is not begun while another can: the next
// due time of its book takes its place. Knows neither books nor races; the clock and the samples of its load are
// arguments.
import { isNearJump } from '../../../domain/time/cadence';
import { FlightLimit } from './flight-limit';

/** A due poll: one for each race and book, however often it falls due while it waits. Race time. */
export interface DuePoll {
  /** The race's advertised start. */
  startMs: number;
  /** Start of the last poll; null before the first. */
  readonly lastAtMs: number | null;
  /** When it first fell due, and the interval at which it falls due again. */
  dueAtMs: number;
  intervalMs: number;
  /** Polls that share a call: those waiting are admitted together. Null: the poll has its own call. */
  readonly call: string | null;
  /** Called once, when it is its turn. */
  start(at: PollTurn): void;
}

interface PollTurn {
  /** The latest due time: at most an interval ago. */
  readonly dueAtMs: number;
  /** Earlier due times at which the poll was not made. */
  readonly thinned: number;
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

/** Polls of one call that are admitted together with the first. */
const MOST_TOGETHER = 50;

/** A poll is in time within this part of its interval behind its due time; near the jump within this, if it is less. */
const IN_TIME = 0.5;
const IN_TIME_NEAR_MS = 4000;

/** Polls that are ordered at once, and for how long the order holds: all that wait are not compared for each turn. */
const ORDERED = 64;
const ORDERED_FOR_MS = 250;

export class PollQueue {
  private readonly waiting = new Set<DuePoll>();
  /** The next of them, best first. */
  private turns: Turn[] = [];
  private orderedAtMs = Number.NEGATIVE_INFINITY;
  private inFlight = 0;
  private storeTimes: number[] = [];
  private readonly limit = new FlightLimit();

  /** `now`: race time, epoch milliseconds. */
  constructor(private readonly now: () => number) {}

  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Due polls wait: this process does not keep up. */
  get isShort(): boolean {
    return this.waiting.size > 0;
  }

  /** Starts the poll now or when its turn comes. */
  enter(poll: DuePoll): void {
    this.waiting.add(poll);
    const nowMs = this.now();
    if (this.turns.length > 0) place(this.turns, { poll, merit: meritOf(poll, nowMs) }, this.turns.length);
    this.admit();
  }

  /** The poll no longer waits. Returns how many of its due times have passed. */
  withdraw(poll: DuePoll): number {
    return this.waiting.delete(poll) ? thinnedOf(poll, this.now()) : 0;
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

  /** About twice a second. */
  sample(load: LoadSample): void {
    this.limit.sample(load, this.inFlight, this.isShort);
    this.admit();
  }

  private admit(): void {
    while (this.waiting.size > 0 && this.inFlight < this.limit.inFlight) {
      const nowMs = this.now();
      const first = this.next(nowMs);
      const near = isNear(first, nowMs);
      const timely = isTimely(first, nowMs);
      this.start(first, nowMs);
      if (first.call === null) continue;
      let together = 0;
      for (const poll of this.waiting) {
        if (poll.call !== first.call || isNear(poll, nowMs) !== near || isTimely(poll, nowMs) !== timely) continue;
        this.start(poll, nowMs);
        together += 1;
        if (together === MOST_TOGETHER) break;
      }
    }
  }

  private start(poll: DuePoll, nowMs: number): void {
    this.waiting.delete(poll);
    this.inFlight += 1;
    const thinned = thinnedOf(poll, nowMs);
    poll.start({ dueAtMs: poll.dueAtMs + thinned * poll.intervalMs, thinned });
  }

  /**
   * In time before late, then near its jump before far from it, then the poll that has waited for the most of its own
   * intervals.
   */
  private next(nowMs: number): DuePoll {
    if (Math.abs(nowMs - this.orderedAtMs) > ORDERED_FOR_MS) this.turns = [];
    for (;;) {
      for (let turn = this.turns.shift(); turn; turn = this.turns.shift())
        if (this.waiting.has(turn.poll)) return turn.poll;
      this.orderedAtMs = nowMs;
      for (const poll of this.waiting) place(this.turns, { poll, merit: meritOf(poll, nowMs) }, ORDERED);
    }
  }
}

interface Turn {
  readonly poll: DuePoll;
  readonly merit: number;
}

/** Keeps the best `most` in order; of equals the earlier is first. */
function place(turns: Turn[], turn: Turn, most: number): void {
  if (turns.length >= most && turn.merit <= turns.at(-1)!.merit) return;
  let from = 0;
  let to = turns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (turns[middle]!.merit >= turn.merit) from = middle + 1;
    else to = middle;
  }
  turns.splice(from, 0, turn);
  if (turns.length > most) turns.pop();
}

const isNear = ({ startMs }: DuePoll, nowMs: number): boolean => isNearJump((startMs - nowMs) / 1000);

/** Due times that the next one has replaced. */
const thinnedOf = ({ dueAtMs, intervalMs }: DuePoll, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - dueAtMs) / intervalMs));

/** By its latest due time. */
function isTimely(poll: DuePoll, nowMs: number): boolean {
  const { dueAtMs, intervalMs } = poll;
  const lateMs = Math.max(0, nowMs - dueAtMs) % intervalMs;
  const inTimeMs = IN_TIME * intervalMs;
  return lateMs <= (isNear(poll, nowMs) ? Math.min(IN_TIME_NEAR_MS, inTimeMs) : inTimeMs);
}

/** Each above all that the next may add up to. */
const TIMELY = 1e9;
const NEAR = 1e6;
const FIRST = 1e5;

function meritOf(poll: DuePoll, nowMs: number): number {
  const { lastAtMs, intervalMs } = poll;
  const waited = lastAtMs === null ? FIRST : (nowMs - lastAtMs) / intervalMs;
  return waited + (isNear(poll, nowMs) ? NEAR : 0) + (isTimely(poll, nowMs) ? TIMELY : 0);
}

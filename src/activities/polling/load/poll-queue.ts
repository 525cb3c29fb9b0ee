// Admits the due polls of one process. A process that keeps up starts each poll when it is due. One that does not would
// lose its work to deadlines and late heartbeats: it keeps fewer polls in flight instead and thins them, evenly by
// interval, and those near their jump last but for a small share. A poll that cannot start in time is not begun while
// another can: the next due time of its book takes its place. Knows neither books nor races; the clock and the samples
// of its load are arguments.
import { isNearJump } from '../../../domain/time/cadence';
import { FlightLimit, type LoadSample } from './flight-limit';
import { Turns } from './turns';

/** A due poll: one for each race and book, however often it falls due while it waits. Race time. */
export interface DuePoll {
  /** The race's advertised start. */
  startMs: number;
  /** Start of the last poll; null before the first. */
  readonly lastAtMs: number | null;
  /** When it first fell due, and the interval at which it falls due again. */
  dueAtMs: number;
  intervalMs: number;
  /** Its book is not polled more often, however near the jump. */
  readonly restMs: number;
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
  /** Whether it goes with the call of another poll, be it in time or late. */
  readonly rides: boolean;
}

/** Polls of one call that are admitted together with the first. */
const MOST_TOGETHER = 50;

/** A poll is in time within this part of its interval behind its due time. */
const IN_TIME = 0.5;
/** Near the jump (D21), unless the book rests for longer. */
const NEAR_AGAIN_MS = 8000;

/** Of so many turns at least one is for a race far from its jump, if one waits: none gets nothing for good. */
const TURNS_PER_FAR = 10;

export class PollQueue {
  private readonly waiting = new Set<DuePoll>();
  private readonly turns = new Turns(this.waiting, meritOf);
  private readonly farTurns = new Turns(this.waiting, farMeritOf);
  /** Turns since that of a race far from its jump. */
  private nearTurns = 0;
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
    this.turns.add(poll, nowMs);
    this.farTurns.add(poll, nowMs);
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
      this.nearTurns = near ? this.nearTurns + 1 : 0;
      this.start(first, nowMs, false);
      if (first.call === null) continue;
      let together = 0;
      for (const poll of this.waiting) {
        if (poll.call !== first.call || isNear(poll, nowMs) !== near) continue;
        this.start(poll, nowMs, true);
        together += 1;
        if (together === MOST_TOGETHER) break;
      }
    }
  }

  private start(poll: DuePoll, nowMs: number, rides: boolean): void {
    this.waiting.delete(poll);
    this.inFlight += 1;
    const thinned = thinnedOf(poll, nowMs);
    poll.start({ dueAtMs: poll.dueAtMs + thinned * againMsOf(poll, nowMs), thinned, rides });
  }

  /**
   * In time before late, then near its jump before far from it, then near it a rare poll before the others, then the
   * poll that has waited for the most of its own intervals. Now and then, of those far from their jump, the one that
   * has waited for the most.
   */
  private next(nowMs: number): DuePoll {
    const far = this.nearTurns >= TURNS_PER_FAR - 1 ? this.farTurns.next(nowMs) : null;
    return far ?? this.turns.next(nowMs)!;
  }
}

/** Its next due time is too far away to replace this one: a minute for the exchange while its stream runs. */
const isRare = ({ restMs }: DuePoll): boolean => restMs > NEAR_AGAIN_MS;

/** Or will be before a rare poll falls due again: what it has waited until then would be its lag near the jump. */
const isNear = (poll: DuePoll, nowMs: number): boolean =>
  isNearJump((poll.startMs - nowMs - (isRare(poll) ? poll.restMs : 0)) / 1000);

/** Due times that the next one has replaced. */
const thinnedOf = (poll: DuePoll, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - poll.dueAtMs) / againMsOf(poll, nowMs)));

/** Its interval at this moment: it may have begun to wait before its race came near. */
const againMsOf = (poll: DuePoll, nowMs: number): number =>
  isNear(poll, nowMs) ? Math.max(poll.restMs, Math.min(NEAR_AGAIN_MS, poll.intervalMs)) : poll.intervalMs;

/** By its latest due time. Near its jump a rare poll is in time until it starts. */
function isTimely(poll: DuePoll, nowMs: number): boolean {
  if (isRare(poll) && isNear(poll, nowMs)) return true;
  const againMs = againMsOf(poll, nowMs);
  return Math.max(0, nowMs - poll.dueAtMs) % againMs <= IN_TIME * againMs;
}

/** Each above all that the next may add up to. */
const TIMELY = 1e9;
const NEAR = 1e6;
const RARE = 3e5;
const FIRST = 1e5;

const waitedOf = (poll: DuePoll, nowMs: number): number =>
  poll.lastAtMs === null ? FIRST : (nowMs - poll.lastAtMs) / againMsOf(poll, nowMs);

const nearMeritOf = (poll: DuePoll): number => (isRare(poll) ? NEAR + RARE : NEAR);

const meritOf = (poll: DuePoll, nowMs: number): number =>
  waitedOf(poll, nowMs) + (isNear(poll, nowMs) ? nearMeritOf(poll) : 0) + (isTimely(poll, nowMs) ? TIMELY : 0);

const farMeritOf = (poll: DuePoll, nowMs: number): number | null =>
  isNear(poll, nowMs) ? null : waitedOf(poll, nowMs);

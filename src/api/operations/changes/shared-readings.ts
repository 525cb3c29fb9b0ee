// Reads the board on while there is a stream: four times a second, and in between, at once, the races whose prices a
// poller reports as written. Such a notice only shortens the wait: without it the next reading of the board finds the
// same. No reading begins before the previous one has been sent.
import type { Selection } from '../../kernel/stream/selection';
import { type BoardReading, ClockWentBack, type ReadFor } from './board-reading';
import type { BoardFollower, Following, OpenViews } from './open-views';

export interface ReadBoard {
  /** Of all races. */
  whole(last: BoardReading | null, of: ReadFor): Promise<BoardReading | Error>;
  /** Of these races; null: nothing new can be said. */
  anew(last: BoardReading, raceIds: Iterable<string>): Promise<BoardReading | null>;
}

/** A starting stream does not wait that long. */
const JOIN_PAUSE_MS = 20;
/** A slow reading is not repeated at once. */
const REST_SHARE = 2;
/** Sending what notices cause takes at most a tenth of the time: it occupies the process. */
const SENT_REST_SHARE = 9;
/** The least pause before a reading for notices. */
const LEAST_REST_MS = 25;
/** Of one rest; more wait for the whole reading. */
const MOST_NOTICED = 200;

interface Joining {
  readonly selection: Selection;
  readonly follower: BoardFollower;
  readonly joined: PromiseWithResolvers<Following>;
}

export class SharedReadings {
  private readonly joining: Joining[] = [];
  /** The streams that the current reading is for. */
  private beginning: Joining[] = [];
  /** Races written since the last reading began. */
  private noticedIds = new Set<string>();
  private isRunning = false;
  private isAway = false;
  /** On the board at the last whole reading; null: none was read. */
  private shown: BoardReading['races'] | null = null;
  /** When notices may be followed again. */
  private noticeMs = 0;
  private wake = (): void => {};

  constructor(
    private readonly read: ReadBoard,
    private readonly views: OpenViews,
    private readonly log: { error(fields: object, message: string): void },
    private readonly pauseMs: number,
  ) {}

  follow(selection: Selection, follower: BoardFollower): Promise<Following> {
    const joined = Promise.withResolvers<Following>();
    this.joining.push({ selection, follower, joined });
    this.wake();
    if (!this.isRunning) {
      this.isRunning = true;
      this.run().catch((error) => this.broken(error));
    }
    return joined.promise;
  }

  /** Committed writes. Those of races that are not on the board wait for the whole reading. */
  noticed(raceIds: readonly string[]): void {
    if (!this.isRunning) return;
    const known = raceIds.filter((id) => this.shown?.has(id) ?? true);
    for (const id of known) if (this.noticedIds.size < MOST_NOTICED) this.noticedIds.add(id);
    if (known.length > 0) this.wake();
  }

  private async run(): Promise<void> {
    let last: BoardReading | null = null;
    for (;;) {
      const beganMs = performance.now();
      this.beginning = this.joining.splice(0);
      this.noticedIds.clear();
      const reading = await this.read.whole(last, { withLinks: this.needsLinks(), begins: this.beginning.length > 0 });
      const tookMs = performance.now() - beganMs;
      const sentMs = reading instanceof Error ? 0 : await this.views.pass(reading);
      last = this.take(reading, last);
      if (this.isIdle()) break;
      last = await this.rest(last, tookMs, sentMs);
      if (this.isIdle()) break;
    }
    this.stopped();
  }

  private stopped(): void {
    this.isRunning = false;
    this.isAway = false;
    this.shown = null;
  }

  /**
   * Not in `run`, whose frame would keep the last stream that started. Returns what the next reading follows; null:
   * nothing.
   */
  private take(reading: BoardReading | Error, last: BoardReading | null): BoardReading | null {
    if (reading instanceof Error) {
      this.fail(reading);
      return reading instanceof ClockWentBack ? null : last;
    }
    this.isAway = false;
    this.shown = reading.races;
    for (const { selection, follower, joined } of this.beginning)
      joined.resolve(this.views.follow(selection, follower, reading));
    return reading;
  }

  private fail(error: Error): void {
    if (!this.isAway) this.log.error({ err: error }, 'the board cannot be read: streams wait');
    this.isAway = true;
    if (error instanceof ClockWentBack) {
      this.views.end('clock');
      this.joining.unshift(...this.beginning);
    } else for (const { joined } of this.beginning) joined.reject(error);
  }

  private broken(err: unknown): void {
    this.log.error({ err }, 'the board cannot be shown: streams end');
    this.stopped();
    this.views.end();
    for (const { joined } of [...this.beginning, ...this.joining.splice(0)]) joined.reject(err);
  }

  private isIdle(): boolean {
    return this.views.isEmpty && this.joining.length === 0;
  }

  private needsLinks(): boolean {
    return this.beginning.some(({ selection }) => selection.betslip) || this.views.haveLinks;
  }

  /**
   * Until the next whole reading, earlier if a stream waits to start. `readMs`, `sentMs`: how long the previous reading
   * took, and sending its events. Returns what the next one follows.
   */
  private async rest(whole: BoardReading | null, readMs: number, sentMs: number): Promise<BoardReading | null> {
    const beganMs = performance.now();
    const tookMs = readMs + sentMs;
    const joinMs = beganMs + Math.max(Math.min(this.pauseMs, JOIN_PAUSE_MS), tookMs);
    const untilMs = beganMs + Math.max(this.pauseMs, REST_SHARE * tookMs);
    this.pauseNotices(readMs, sentMs);
    let last = whole;
    for (;;) {
      const nowMs = performance.now();
      const endMs = this.joining.length > 0 ? Math.min(joinMs, untilMs) : untilMs;
      if (nowMs >= endMs) return last;
      const isNoticed = last !== null && !this.isAway && this.noticedIds.size > 0 && !this.views.isEmpty;
      if (isNoticed && nowMs >= this.noticeMs) last = await this.readNoticed(last!);
      else await this.sleep((isNoticed ? Math.min(endMs, this.noticeMs) : endMs) - nowMs);
    }
  }

  /** Returns what the next reading follows. */
  private async readNoticed(last: BoardReading): Promise<BoardReading> {
    const beganMs = performance.now();
    const reading = await this.read.anew(last, this.takeNoticed());
    const readMs = performance.now() - beganMs;
    this.pauseNotices(readMs, reading ? await this.views.pass(reading) : 0);
    return reading ?? last;
  }

  private takeNoticed(): ReadonlySet<string> {
    const raceIds = this.noticedIds;
    this.noticedIds = new Set();
    return raceIds;
  }

  /** Until when notices are not followed: a whole reading does not shorten it. */
  private pauseNotices(readMs: number, sentMs: number): void {
    const pauses = [LEAST_REST_MS, REST_SHARE * readMs, SENT_REST_SHARE * sentMs];
    this.noticeMs = Math.max(this.noticeMs, performance.now() + Math.max(...pauses));
  }

  /** Shorter if something happens. */
  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms)).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

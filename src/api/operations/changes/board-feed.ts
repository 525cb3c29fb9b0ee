// The single reading of the board that all streams of a process share (D61, D64), while there is a stream. A stream's
// state is that of a reading that began after the stream, and it gets the events of every later reading, so nothing is
// missed between the two.
import { setTimeout as delay } from 'node:timers/promises';
import type { WrittenRace } from '../../../store/reads/races/board-marks';
import type { Reads } from '../../../store/reads/reads';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { type ClockSteps, createClockSteps } from '../../kernel/stream/clock-steps';
import type { Selection } from '../../kernel/stream/selection';
import { createBetslipBoard, noneWithoutDatabase } from '../betslip/betslip-links';
import { type BoardReading, ClockWentBack, type ReadingDeps, readWholeBoard } from './board-reading';
import { type BoardFollower, type Following, OpenViews } from './open-views';

export interface BoardFeed {
  follow(selection: Selection, follower: BoardFollower): Promise<Following>;
  /** Writes since then, by the database's clock; at `nowMs`, race time. */
  writtenSince(sinceMs: number, nowMs: number, links: boolean): Promise<readonly WrittenRace[]>;
  /** Whether `writtenSince` may be incomplete, because the clock of the database was set back. */
  isDoubtful(sinceMs: number): boolean;
  readonly betslipTemplates: Readonly<Record<string, string>>;
  readonly clock: ReadingDeps['clock'];
  readonly slewMs: number;
}

export interface BoardFeedDeps extends Omit<ReadingDeps, 'betslip'> {
  readonly reads: ReadingDeps['reads'] & Pick<Reads, 'boardWritten' | 'betslipIds'>;
  /** By bookmaker key. */
  readonly betslipTemplates?: Readonly<Record<string, string>>;
  readonly log: { error(fields: object, message: string): void };
  /** Between two readings, wall time. */
  readonly pauseMs?: number;
  /** Covers unnoticed steps back of the database's clock, wall time. */
  readonly slewMs?: number;
}

const PAUSE_MS = 250;
const SLEW_MS = 1000;
/** A starting stream does not wait that long. */
const JOIN_PAUSE_MS = 20;
/** A slow reading is not repeated at once. */
const REST_SHARE = 2;

interface Joining {
  readonly selection: Selection;
  readonly follower: BoardFollower;
  readonly joined: PromiseWithResolvers<Following>;
}

export function createBoardFeed(deps: BoardFeedDeps): BoardFeed {
  const { reads, clock, log, betslipTemplates = {}, pauseMs = PAUSE_MS, slewMs = SLEW_MS } = deps;
  const steps = createClockSteps();
  const readings = new SharedReadings(readerOf(deps, steps), new OpenViews(log), log, pauseMs);
  return {
    clock,
    slewMs,
    betslipTemplates,
    isDoubtful: steps.isDoubtful,
    writtenSince: (sinceMs, nowMs, links) =>
      reads.boardWritten({ sinceMs, now: new Date(nowMs).toISOString(), bookmakers: CUSTOMERS.bookmakers, links }),
    follow: (selection, follower) => readings.follow(selection, follower),
  };
}

type ReadBoard = (last: BoardReading | null, withLinks: boolean) => Promise<BoardReading | Error>;

function readerOf({ reads, clock, now, betslipTemplates = {} }: BoardFeedDeps, steps: ClockSteps): ReadBoard {
  // An unreadable link is not a deleted one.
  const betslip = createBetslipBoard(reads, betslipTemplates, noneWithoutDatabase);
  const boardPlace = async (): ReturnType<typeof reads.boardPlace> => {
    const beforeMs = performance.now();
    const place = await reads.boardPlace();
    steps.note(place.nowMs, beforeMs, performance.now());
    return place;
  };
  return (last, withLinks) =>
    readWholeBoard({ reads: { ...reads, boardPlace }, betslip, clock, now }, last, withLinks).catch(
      (error: Error) => error,
    );
}

/** Reads on while there is a stream. */
class SharedReadings {
  private readonly joining: Joining[] = [];
  /** The streams that the current reading is for. */
  private beginning: Joining[] = [];
  private isRunning = false;
  private isAway = false;
  private wake = (): void => {};

  constructor(
    private readonly read: ReadBoard,
    private readonly views: OpenViews,
    private readonly log: BoardFeedDeps['log'],
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

  private async run(): Promise<void> {
    let last: BoardReading | null = null;
    for (;;) {
      const beganMs = performance.now();
      this.beginning = this.joining.splice(0);
      last = this.take(await this.read(last, this.needsLinks()), last);
      if (this.isIdle()) break;
      const tookMs = performance.now() - beganMs;
      const leastMs = Math.max(Math.min(this.pauseMs, JOIN_PAUSE_MS), tookMs);
      await this.rest(leastMs, Math.max(this.pauseMs, REST_SHARE * tookMs));
      if (this.isIdle()) break;
    }
    this.isRunning = false;
    this.isAway = false;
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
    this.views.pass(reading);
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
    this.isRunning = false;
    this.isAway = false;
    this.views.end();
    for (const { joined } of [...this.beginning, ...this.joining.splice(0)]) joined.reject(err);
  }

  private isIdle(): boolean {
    return this.views.isEmpty && this.joining.length === 0;
  }

  private needsLinks(): boolean {
    return this.beginning.some(({ selection }) => selection.betslip) || this.views.haveLinks;
  }

  /** Shorter if a stream waits to start. */
  private async rest(leastMs: number, ms: number): Promise<void> {
    await delay(leastMs, undefined, { ref: false });
    if (this.joining.length > 0) return;
    const woken = new AbortController();
    this.wake = () => woken.abort();
    await delay(Math.max(0, ms - leastMs), undefined, { ref: false, signal: woken.signal }).catch(() => {});
  }
}

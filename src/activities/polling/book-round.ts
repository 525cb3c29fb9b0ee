// Polls every book of one live race, each on its own schedule. A slow book never delays the others, and no book is
// polled twice at once.
import type { Instant } from '../../domain/race/race';
import { isNearJump } from '../../domain/time/cadence';
import { toWallDelayMs } from '../../domain/time/clock';
import type { Urgency } from '../../feeds/feed';
import type { Fence } from '../../store/card/book-poll';
import type { ActivityDeps } from '../deps';
import { isRefusal } from './call-feed';
import { recordLag, recordPoll, recordThinned } from './collection-metrics';
import {
  answered,
  type BookSchedule,
  dueBooks,
  dueSinceMs,
  failed,
  intervalMsOf,
  newSchedule,
  nextDueMs,
  nextStepMs,
  refused,
  started,
  untilTickMs,
} from './due-books';
import type { HealthTally } from './health-tally';
import type { DuePoll, PollQueue } from './load/poll-queue';
import { type BookReport, pollBook } from './poll-book';
import type { PolledRace, PollerHost, PollerProgress } from './poller';
import { listedBooks, pollTarget, restMsOf } from './race-books';
import { type PollerEnd, type Sighting, sightingOf, strongest } from './sightings';

/** A book may list the race late, or give it another id. Race time. */
const BOOKS_EVERY_MS = 60_000;
/** After a read that failed. */
const BOOKS_AGAIN_MS = 5_000;

/** With this start nothing falls due from one instant until the other, unless a book changes. Race time. */
interface Quiet {
  readonly start: Instant;
  readonly fromMs: number;
  readonly untilMs: number;
}

export class BookRound {
  private readonly books: Map<string, BookSchedule>;
  private readonly inFlight = new Map<string, Promise<void>>();
  /** Due, and waiting for their turn in this process. */
  private readonly queued = new Map<string, DuePoll>();
  /** Books whose last reply is stored: only they may respond "not modified". */
  private readonly stored = new Set<string>();
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;
  private readonly sightings: Sighting[] = [];
  private polls: number;
  private fenced = false;
  private moved = false;
  /** Hundreds of races look at their books at each beat: those with nothing to do must cost nothing. */
  private quiet: Quiet | null = null;
  private booksReadAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly deps: ActivityDeps,
    private readonly race: PolledRace,
    private readonly fence: Fence,
    host: PollerHost,
    private readonly tally: HealthTally,
    private readonly queue: PollQueue,
    resume?: PollerProgress,
  ) {
    this.books = new Map(resume?.books.map((book) => [book.bookmakerKey, book]));
    this.polls = resume?.polls ?? 0;
    this.signal = AbortSignal.any([host.signal, this.stopping.signal]);
  }

  /** Why the poller must end, from the polls so far; null: continue. */
  end(): PollerEnd | null {
    return this.fenced ? { kind: 'fenced' } : strongest(this.sightings);
  }

  /**
   * Whether a poll moved the race's start since the last call: the control row then shows what the workflow has yet to
   * take in.
   */
  startMoved(): boolean {
    const moved = this.moved;
    this.moved = false;
    return moved;
  }

  progress(): PollerProgress {
    return { polls: this.polls, books: [...this.books.values()] };
  }

  /** Throws only while there are no books. Only the first read is waited for: a silent connection delays no poll. */
  async refreshBooks(): Promise<void> {
    const isFirst = this.booksReadAtMs === Number.NEGATIVE_INFINITY;
    if (this.deps.now() - this.booksReadAtMs < BOOKS_EVERY_MS) return;
    this.booksReadAtMs = this.deps.now();
    const reading = this.readBooks().catch((error: unknown) => {
      if (this.books.size === 0) throw error;
      this.booksReadAtMs = this.deps.now() - BOOKS_EVERY_MS + BOOKS_AGAIN_MS;
      this.deps.log.warn({ err: error, raceId: this.race.raceId }, 'the books of a race were not read');
    });
    if (isFirst || this.books.size === 0) await reading;
  }

  private async readBooks(): Promise<void> {
    for (const listed of await listedBooks(this.deps, this.race.raceId)) {
      const scheduled = this.books.get(listed.bookmakerKey);
      const onBeat = this.deps.feeds.get(listed.bookmakerKey)?.bulk !== undefined;
      const restMs = restMsOf(this.deps, listed.bookmakerKey);
      const isSame = scheduled?.sourceRaceId === listed.sourceRaceId;
      if (isSame && scheduled.onBeat === onBeat && (scheduled.restMs ?? 0) === restMs) continue;
      // An attempt before this one may have had another configuration.
      const schedule = isSame ? { ...scheduled, onBeat, restMs } : newSchedule(listed, onBeat, restMs);
      this.books.set(listed.bookmakerKey, schedule);
      this.quiet = null;
    }
  }

  pollDue(start: Instant): void {
    const nowMs = this.deps.now();
    if (this.quietAt(start, nowMs)) return;
    const startMs = Date.parse(start);
    for (const [key, poll] of this.queued) {
      const { dueAtMs, ...due } = this.dueOf(this.books.get(key)!, startMs);
      // A first poll has been due since it entered.
      Object.assign(poll, due, poll.lastAtMs !== null && { dueAtMs });
    }
    for (const book of dueBooks(this.idle(), startMs, nowMs)) this.enqueue(book, startMs);
    const stepMs = nextStepMs(this.books.values(), startMs, nowMs);
    this.quiet = { start, fromMs: nowMs, untilMs: nextDueMs(this.idle(), startMs, nowMs, stepMs) };
  }

  /** Null: its books have to be looked at. */
  private quietAt(start: Instant, nowMs: number): Quiet | null {
    const { quiet } = this;
    // The clock may have been set back.
    return quiet?.start === start && nowMs >= quiet.fromMs && nowMs < quiet.untilMs ? quiet : null;
  }

  /** Wall milliseconds until the tick at which the next book is due, `mostMs` at most. */
  waitMs(start: Instant, mostMs: number): number {
    const nowMs = this.deps.now();
    const dueInMs = (this.quietAt(start, nowMs)?.untilMs ?? nowMs) - nowMs;
    const wallMs = Number.isFinite(dueInMs) ? toWallDelayMs(this.deps.clock, dueInMs) : mostMs;
    return Math.min(mostMs, untilTickMs(performance.now(), wallMs));
  }

  isNear(start: Instant): boolean {
    return this.urgency(start) === 'near';
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    // Their due times so far are counted by the attempt that resumes this one.
    for (const poll of this.queued.values()) this.queue.withdraw(poll);
    await Promise.all(this.inFlight.values());
  }

  private idle(): BookSchedule[] {
    return [...this.books.values()].filter(({ bookmakerKey: key }) => !this.inFlight.has(key) && !this.queued.has(key));
  }

  private update(key: string, change: (book: BookSchedule) => BookSchedule): void {
    const book = this.books.get(key);
    if (book) this.books.set(key, change(book));
  }

  private enqueue(book: BookSchedule, startMs: number): void {
    const { bookmakerKey: key } = book;
    const poll: DuePoll = {
      ...this.dueOf(book, startMs),
      lastAtMs: book.lastAtMs,
      restMs: book.restMs ?? 0,
      call: book.onBeat ? key : null,
      start: ({ dueAtMs, thinned, rides }) => {
        this.queued.delete(key);
        this.recordThinned(key, poll, thinned);
        this.launch(this.books.get(key)!, new Date(poll.startMs).toISOString(), dueAtMs, rides);
      },
    };
    this.queued.set(key, poll);
    this.queue.enter(poll);
  }

  private dueOf(book: BookSchedule, startMs: number): Pick<DuePoll, 'startMs' | 'dueAtMs' | 'intervalMs'> {
    const nowMs = this.deps.now();
    const dueAtMs = dueSinceMs(book, startMs, nowMs);
    return { startMs, dueAtMs, intervalMs: intervalMsOf(book, startMs, nowMs) };
  }

  private recordThinned(key: string, { startMs }: DuePoll, thinned: number): void {
    if (thinned > 0) recordThinned(key, this.urgency(new Date(startMs).toISOString()), thinned);
  }

  private launch(book: BookSchedule, start: Instant, dueAtMs: number, rides: boolean): void {
    const { bookmakerKey: key } = book;
    const nowMs = this.deps.now();
    const lateMs = toWallDelayMs(this.deps.clock, Math.max(0, nowMs - dueAtMs));
    recordLag(key, this.urgency(start), lateMs / 1000, rides);
    this.update(key, (each) => started(each, nowMs, this.deps.random()));
    const polling = this.poll(book, start)
      .catch((error: unknown) => this.recordOwnFailure(key, error))
      .finally(() => {
        this.inFlight.delete(key);
        this.quiet = null;
        this.queue.left();
      });
    this.inFlight.set(key, polling);
  }

  private async poll(book: BookSchedule, start: Instant): Promise<void> {
    const { raceId } = this.race;
    const { bookmakerKey: key } = book;
    const target = pollTarget(raceId, start, this.books.get(key)!, this.books.values());
    const wasStored = this.stored.delete(key);
    const { isShort } = this.queue;
    const call = { signal: this.signal, whole: !wasStored, urgency: this.urgency(start), isShort };
    const report = await pollBook(this.deps, target, this.fence, call);
    if (this.signal.aborted && report.kind === 'failed') return;
    this.tally.add(report.health);
    if (report.kind === 'failed' && isRefusal(report.reason)) return this.putBack(book, report.retryAfterMs, wasStored);
    this.polls += 1;
    this.record(key, report);
    const sighting = sightingOf(key, report, this.race);
    if (sighting) this.sightings.push(sighting);
    this.moved ||= report.kind === 'answered' && report.verdict.startMoved;
  }

  private urgency(start: Instant): Urgency {
    return isNearJump((Date.parse(start) - this.deps.now()) / 1000) ? 'near' : 'usual';
  }

  /** Nothing was sent: the schedule stays the same, and the poll is retried. */
  private putBack(before: BookSchedule, retryAfterMs: number | null, wasStored: boolean): void {
    if (wasStored) this.stored.add(before.bookmakerKey);
    const waitMs = (retryAfterMs ?? 0) * this.deps.clock.speed;
    this.update(before.bookmakerKey, () => refused(before, waitMs, this.deps.now()));
  }

  private record(key: string, report: BookReport): void {
    if (report.kind === 'answered') {
      const { fenced, changed, ticks } = report.verdict;
      recordPoll(key, fenced ? 'fenced' : changed > 0 ? 'written' : 'same', ticks);
      this.stored.add(key);
      this.queue.stored(report.storeMs);
      this.fenced ||= fenced;
      this.update(key, answered);
      return;
    }
    // Retry-After is wall time, at any speed of the race clock.
    const { reason, retryAfterMs } = report;
    recordPoll(key, reason, 0);
    const waitMs = retryAfterMs === null ? null : retryAfterMs * this.deps.clock.speed;
    this.update(key, (book) => failed(book, reason, waitMs, this.deps.now()));
  }

  // Our own database or Temporal failed, not the book.
  private recordOwnFailure(key: string, error: unknown): void {
    this.deps.log.warn({ err: error, raceId: this.race.raceId, book: key }, 'a poll failed on our side');
    this.update(key, (book) => failed(book, 'network', null, this.deps.now()));
  }
}

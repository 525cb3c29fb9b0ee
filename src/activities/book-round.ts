// Every book of one live race, each asked on its own beat: a slow book never holds up the others, and none is asked twice at once.
import { toWallDelayMs } from '../domain/clock';
import type { Instant } from '../domain/race';
import type { Fence } from '../store/store';
import type { ActivityDeps } from './deps';
import { answered, type BookSchedule, dueBooks, failed, newSchedule, nextDueMs, started } from './due-books';
import type { HealthTally } from './health-tally';
import { type BookAnswer, pollBook } from './poll-book';
import type { PolledRace, PollerHost, PollerProgress, PollOutcome } from './poller';
import { listedBooks, pollTargets } from './race-books';
import { type Sighting, sightingOf, strongest } from './sightings';
import { tellStartMoved } from './tell-race';

const LONGEST_WAIT_MS = 1000;
const SHORTEST_WAIT_MS = 20;
/** A book may list the race late, or give it another id. Race time. */
const BOOKS_EVERY_MS = 60_000;

export class BookRound {
  private readonly books: Map<string, BookSchedule>;
  private readonly inFlight = new Map<string, Promise<void>>();
  /** Books whose last reply is in the store, so that they may answer "unchanged" about it. */
  private readonly stored = new Set<string>();
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;
  private readonly sightings: Sighting[] = [];
  private polls: number;
  private fenced = false;
  private booksReadAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly deps: ActivityDeps,
    private readonly race: PolledRace,
    private readonly fence: Fence,
    host: PollerHost,
    private readonly tally: HealthTally,
    resume?: PollerProgress,
  ) {
    this.books = new Map(resume?.books.map((book) => [book.bookmakerKey, book]));
    this.polls = resume?.polls ?? 0;
    this.signal = AbortSignal.any([host.signal, this.stopping.signal]);
  }

  /** What the polls so far have to tell the workflow; null: go on. */
  news(): PollOutcome | null {
    return this.fenced ? { kind: 'fenced' } : strongest(this.sightings);
  }

  progress(): PollerProgress {
    return { polls: this.polls, books: [...this.books.values()] };
  }

  async refreshBooks(): Promise<void> {
    if (this.deps.now() - this.booksReadAtMs < BOOKS_EVERY_MS) return;
    this.booksReadAtMs = this.deps.now();
    for (const listed of await listedBooks(this.deps, this.race.raceId)) {
      const held = this.books.get(listed.bookmakerKey);
      if (held?.sourceRaceId !== listed.sourceRaceId) this.books.set(listed.bookmakerKey, newSchedule(listed));
    }
  }

  askDue(start: Instant): void {
    const due = dueBooks(this.idle(), Date.parse(start), this.deps.now());
    for (const { bookmakerKey } of due) this.launch(bookmakerKey, start);
  }

  /** How long to wait on the wall until a book falls due, a second at most: the control row is read that often. */
  waitMs(start: Instant): number {
    const startMs = Date.parse(start);
    const nowMs = this.deps.now();
    const dueInMs = nextDueMs(this.idle(), startMs, nowMs, Number.POSITIVE_INFINITY) - nowMs;
    const wallMs = Number.isFinite(dueInMs) ? toWallDelayMs(this.deps.clock, dueInMs) : LONGEST_WAIT_MS;
    return Math.max(SHORTEST_WAIT_MS, Math.min(LONGEST_WAIT_MS, wallMs));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.inFlight.values());
  }

  private idle(): BookSchedule[] {
    return [...this.books.values()].filter((book) => !this.inFlight.has(book.bookmakerKey));
  }

  private update(key: string, change: (book: BookSchedule) => BookSchedule): void {
    const book = this.books.get(key);
    if (book) this.books.set(key, change(book));
  }

  private launch(key: string, start: Instant): void {
    this.update(key, (book) => started(book, this.deps.now(), this.deps.random()));
    const asking = this.ask(key, start)
      .catch((error: unknown) => this.blameOurselves(key, error))
      .finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, asking);
  }

  private async ask(key: string, start: Instant): Promise<void> {
    const { raceId, marketShut } = this.race;
    const target = pollTargets(raceId, start, [...this.books.values()]).find((each) => each.bookmakerKey === key)!;
    const whole = !this.stored.delete(key);
    const answer = await pollBook(this.deps, target, this.fence, { signal: this.signal, whole });
    if (this.signal.aborted && answer.kind === 'failed') return;
    this.tally.add(answer.health);
    this.polls += 1;
    this.note(key, answer);
    const sighting = sightingOf(key, answer, marketShut);
    if (sighting) this.sightings.push(sighting);
    if (answer.kind === 'failed' || !answer.outcome.startMoved || !answer.startTime) return;
    await tellStartMoved(this.deps, raceId, answer.startTime, answer.outcome.startVersion);
  }

  private note(key: string, answer: BookAnswer): void {
    if (answer.kind === 'answered') {
      this.stored.add(key);
      this.fenced ||= answer.outcome.fenced;
      this.update(key, answered);
      return;
    }
    // A book's Retry-After passes on the wall, whatever the speed of the race clock.
    const { reason, retryAfterMs } = answer;
    const waitMs = retryAfterMs === null ? null : retryAfterMs * this.deps.clock.speed;
    this.update(key, (book) => failed(book, reason, waitMs, this.deps.now()));
  }

  // Our own database or Temporal failed, not the book: the next round tells whether it lasts.
  private blameOurselves(key: string, error: unknown): void {
    this.deps.log.warn({ err: error, raceId: this.race.raceId, book: key }, 'a poll failed on our side');
    this.update(key, (book) => failed(book, 'network', null, this.deps.now()));
  }
}

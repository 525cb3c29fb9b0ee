// The life of one seeded race: its polls, lifecycle, effects and results are those of a live one, as of instants of the
// past. No workflow: the lifecycle's own deadlines are its ticks.
import type { PollDeps } from '../../activities/deps';
import { carryOut } from '../../activities/outcome/carry-out';
import { pollResults } from '../../activities/outcome/poll-results';
import { type PollTarget, pollBook } from '../../activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../activities/polling/race-books';
import { sightingOf, strongest } from '../../activities/polling/sightings';
import { BOOKMAKERS } from '../../domain/bookmakers';
import { initialRace, nextDeadline, type RaceEvent, type RaceState, step } from '../../domain/lifecycle/lifecycle';
import type { RaceHeader } from '../../store/card/races';
import { pastPolls } from '../../wiring/past';
import type { Wiring } from '../../wiring/service';
import { dueBooks, firstPollMs, type Gap, isPolled, restMs } from './poll-plan';

const MINUTE_MS = 60_000;
/** After the jump: the placings with their first dividends; later any protest is decided. */
const RESULTS_AFTER_MS = [6 * MINUTE_MS, 14 * MINUTE_MS];
const FINAL_AFTER_MS = 60 * MINUTE_MS;

/** The books that report results (`resultBooks`). */
const RESULT_BOOKS = BOOKMAKERS.filter(({ kind, settlesRank }) => kind === 'exchange' || settlesRank != null).map(
  ({ key }) => key,
);

const instant = (ms: number): string => new Date(ms).toISOString();

export class SimulatedPastRace {
  polls = 0;
  ticks = 0;
  private state: RaceState;

  constructor(
    private readonly wiring: Wiring,
    { raceId, identity, country, startTime, startVersion }: RaceHeader,
    private readonly gap: Gap,
  ) {
    const { category } = identity;
    const at = instant(firstPollMs(Date.parse(startTime)));
    this.state = initialRace({ raceId, category, country, advertisedStart: startTime, startVersion, at });
  }

  get raceId(): string {
    return this.state.raceId;
  }

  /** To its final result, if it has one. */
  async run(): Promise<void> {
    await this.tickUntil(Date.parse(this.state.asOf));
    await this.pollToJump();
    const jumpMs = Date.parse(this.state.jumpedAt ?? this.state.advertisedStart);
    await this.tickUntil(jumpMs + RESULTS_AFTER_MS[0]!);
    if (this.gap !== 'unresulted') for (const after of RESULTS_AFTER_MS) await this.readResult(jumpMs + after);
    await this.tickUntil(jumpMs + FINAL_AFTER_MS);
  }

  /** The changes by time alone until now. `filled`: its full field is stored. */
  async close(filled: boolean, nowMs: number): Promise<void> {
    if (filled) await this.take({ type: 'fieldFilled', at: this.state.asOf });
    await this.tickUntil(nowMs);
  }

  private async pollToJump(): Promise<void> {
    const listed = await listedBooks(pastPolls(this.wiring, Date.parse(this.state.asOf)), this.raceId);
    const targets = pollTargets(this.raceId, this.state.advertisedStart, listed);
    const books = targets.map(({ bookmakerKey }) => bookmakerKey);
    const lastMs = new Map<string, number>();
    const odd = Number.parseInt(this.raceId.slice(0, 4), 16);
    let atMs = Date.parse(this.state.asOf);
    for (let turn = 0; this.state.phase === 'live'; turn++) {
      const leftMs = Date.parse(this.state.advertisedStart) - atMs;
      if (!isPolled(leftMs, this.gap)) return;
      const due = dueBooks(books, { turn, atMs, leftMs }, lastMs, odd);
      for (const key of due) lastMs.set(key, atMs);
      await this.tickUntil(atMs);
      const polled = targets.filter(({ bookmakerKey }) => due.includes(bookmakerKey));
      await this.poll(polled, atMs);
      atMs += restMs(leftMs);
    }
  }

  private async poll(targets: readonly PollTarget[], atMs: number): Promise<void> {
    const books = targets.map(({ bookmakerKey }) => bookmakerKey);
    const deps = pastPolls(this.wiring, atMs, books);
    const { epoch, advertisedStart, marketShut } = this.state;
    const fence = { epoch, attempt: 1 };
    const reports = await Promise.all(
      targets.map((target) => pollBook(deps, { ...target, advertisedStart }, fence, { whole: true })),
    );
    this.polls += reports.length;
    for (const report of reports) if (report.kind === 'answered') this.ticks += report.verdict.ticks;
    if (reports.some((report) => report.kind === 'answered' && report.verdict.startMoved)) await this.moveStart(deps);
    const seen = strongest(reports.map((report, i) => sightingOf(targets[i]!.bookmakerKey, report, { marketShut })));
    const event = seen && eventOf(seen);
    if (event) await this.take(event);
  }

  private async moveStart(deps: PollDeps): Promise<void> {
    const { startTime: start, startVersion: version } = (await deps.stores.races.raceHeader(this.raceId))!;
    await this.take({ type: 'startMoved', start, version, at: instant(deps.now()) });
  }

  private async readResult(atMs: number): Promise<void> {
    const deps = pastPolls(this.wiring, atMs, RESULT_BOOKS);
    await this.tickUntil(atMs);
    const { abandoned } = await pollResults(deps, this.raceId, {});
    const stored = await deps.stores.results.read(this.raceId);
    const seen = stored ? ({ kind: 'result', facts: stored, at: instant(atMs) } as const) : abandoned;
    const event = seen && eventOf(seen);
    if (event) await this.take(event);
  }

  private async tickUntil(untilMs: number): Promise<void> {
    for (let turn = 0; turn < MOST_TICKS; turn++) {
      const { asOf } = this.state;
      const dueMs = Math.max(Date.parse(nextDeadline(this.state)?.at ?? NEVER), Date.parse(asOf));
      if (dueMs > untilMs) return;
      await this.take({ type: 'tick', at: instant(dueMs) });
    }
    throw new Error(`race ${this.raceId} does not come to an end`);
  }

  private async take(event: RaceEvent): Promise<void> {
    const { state, effects } = step(this.state, event);
    this.state = state;
    const writes = effects.filter((effect) => effect.do !== 'run_field_pass');
    // Only the last check before a final result polls a book.
    const only = writes.some((effect) => effect.do === 'finalise') ? RESULT_BOOKS : [];
    const deps = pastPolls(this.wiring, Date.parse(state.asOf), only);
    const notFinal = await carryOut(deps, { raceId: this.raceId, effects: writes });
    if (notFinal === null) return;
    const { placingsKey, protest } = notFinal;
    await this.take({ type: 'notFinal', placingsKey, protest, at: state.asOf });
  }
}

/** Far more than the passes of a field within its horizon. */
const MOST_TICKS = 100;
const NEVER = '9999-01-01T00:00:00.000Z';

type Seen = NonNullable<ReturnType<typeof strongest>>;

function eventOf(seen: Seen): RaceEvent {
  const { at } = seen;
  if (seen.kind === 'market-closed') return { type: 'marketClosed', at };
  if (seen.kind === 'market-reopened') return { type: 'marketReopened', at };
  if (seen.kind === 'abandoned')
    return { type: 'resultSeen', stage: 'abandoned', placingsKey: '', protest: false, note: seen.note, at };
  const { status, placingsKey, protest } = seen.facts;
  return { type: 'resultSeen', stage: status, placingsKey, protest, at };
}

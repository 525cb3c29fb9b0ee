// The life of one race of the year: its polls, lifecycle, effects and results are computed by the same functions as
// those of a live race. No workflow: the lifecycle's own deadlines are its ticks, and the clocks stand at its end.
import type { PollDeps } from '../../../src/activities/deps';
import { carryOut } from '../../../src/activities/outcome/carry-out';
import { pollResults } from '../../../src/activities/outcome/poll-results';
import { pollBook } from '../../../src/activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../../src/activities/polling/race-books';
import { type Sighting, sightingOf, strongest } from '../../../src/activities/polling/sightings';
import {
  initialRace,
  nextDeadline,
  type RaceEvent,
  type RaceState,
  step,
} from '../../../src/domain/lifecycle/lifecycle';
import type { Day, Instant } from '../../../src/domain/race/race';
import type { RaceHeader } from '../../../src/store/card/races';
import { yearFeeds } from './books';
import type { SteppedClock } from './clock';
import type { YearService } from './service';

const MINUTE_MS = 60_000;
/** Inside the captured hour, the last ones near the jump. */
const POLLED_BEFORE_MS = [58, 10, 1].map((minutes) => minutes * MINUTE_MS);
/** Until the books close their markets. */
const POLLED_AFTER_MS = [2, 9].map((minutes) => minutes * MINUTE_MS);
const RESULTS_AFTER_MS = [6, 16].map((minutes) => minutes * MINUTE_MS);
const FINAL_AFTER_MS = 60 * MINUTE_MS;
/** The clocks stand here when its life is written. */
const OVER_AFTER_MS = 75 * MINUTE_MS;
const NEVER = '9999-01-01T00:00:00.000Z';
const MOST_TICKS = 100;

const instant = (ms: number): Instant => new Date(ms).toISOString();

interface Starting {
  readonly id: string;
  readonly start: Instant;
}

/** In order of start. */
export async function racesOfDay({ wiring: { pool } }: YearService, day: Day): Promise<readonly Starting[]> {
  const text =
    'SELECT race_id AS id, start_time AS start FROM races WHERE meeting_date = $1 ORDER BY start_time, race_id';
  return (await pool.query<Starting>(text, [day])).rows;
}

/** Resolves to the number of ticks that its polls wrote. */
export async function liveRace(service: YearService, clock: SteppedClock, { id, start }: Starting): Promise<number> {
  await clock.to(Date.parse(start) + OVER_AFTER_MS);
  const header = (await service.wiring.stores.races.raceHeader(id))!;
  const race = new LivedRace(service, header);
  await race.run();
  await race.tickUntil(clock.now());
  return race.ticks;
}

class LivedRace {
  ticks = 0;
  private state: RaceState;

  constructor(
    private readonly service: YearService,
    { raceId, identity: { category }, country, startTime, startVersion }: RaceHeader,
  ) {
    const at = instant(Date.parse(startTime) - 60 * MINUTE_MS + 20_000);
    this.state = initialRace({ raceId, category, country, advertisedStart: startTime, startVersion, at });
  }

  async run(): Promise<void> {
    await this.tickUntil(Date.parse(this.state.asOf));
    // A start may move while it is polled.
    for (const before of POLLED_BEFORE_MS) await this.poll(Date.parse(this.state.advertisedStart) - before);
    for (const after of POLLED_AFTER_MS) await this.poll(Date.parse(this.state.advertisedStart) + after);
    const jumpMs = Date.parse(this.state.jumpedAt ?? this.state.advertisedStart);
    for (const after of RESULTS_AFTER_MS) await this.readResult(jumpMs + after);
    await this.tickUntil(jumpMs + FINAL_AFTER_MS);
  }

  async tickUntil(untilMs: number): Promise<void> {
    for (let turn = 0; turn < MOST_TICKS; turn++) {
      const { asOf } = this.state;
      const dueMs = Math.max(Date.parse(nextDeadline(this.state)?.at ?? NEVER), Date.parse(asOf));
      if (dueMs > untilMs) return;
      await this.take({ type: 'tick', at: instant(dueMs) });
    }
    throw new Error(`race ${this.state.raceId} does not come to an end`);
  }

  private depsAt(atMs: number): PollDeps {
    const { world, wiring } = this.service;
    const now = (): number => atMs;
    const { stores, log } = wiring;
    return { stores, log, now, feeds: yearFeeds(world, now), cardRunners: stores.races.runnersOf };
  }

  private async poll(atMs: number): Promise<void> {
    await this.tickUntil(atMs);
    const { raceId, epoch, advertisedStart, marketShut, phase } = this.state;
    if (phase !== 'live') return;
    const deps = this.depsAt(atMs);
    const targets = pollTargets(raceId, advertisedStart, await listedBooks(deps, raceId));
    const fence = { epoch, attempt: 1 };
    const reports = await Promise.all(targets.map((target) => pollBook(deps, target, fence, { whole: true })));
    for (const report of reports) {
      if (report.kind === 'failed') throw new Error(`a book of race ${raceId} was not polled: ${report.reason}`);
      this.ticks += report.verdict.ticks;
    }
    if (reports.some((report) => report.kind === 'answered' && report.verdict.startMoved)) await this.moveStart(deps);
    await this.see(strongest(reports.map((one, i) => sightingOf(targets[i]!.bookmakerKey, one, { marketShut }))));
  }

  private async moveStart(deps: PollDeps): Promise<void> {
    const { startTime: start, startVersion: version } = (await deps.stores.races.raceHeader(this.state.raceId))!;
    await this.take({ type: 'startMoved', start, version, at: instant(deps.now()) });
  }

  private async readResult(atMs: number): Promise<void> {
    await this.tickUntil(atMs);
    const deps = this.depsAt(atMs);
    const { abandoned } = await pollResults(deps, this.state.raceId, {});
    const facts = await deps.stores.results.read(this.state.raceId);
    await this.see(facts ? { kind: 'result', facts, at: instant(atMs) } : abandoned);
  }

  private async see(seen: Sighting | null): Promise<void> {
    if (seen !== null) await this.take(eventOf(seen));
  }

  private async take(event: RaceEvent): Promise<void> {
    const { state, effects } = step(this.state, event);
    this.state = state;
    const writes = effects.filter((effect) => effect.do !== 'run_field_pass');
    const notFinal = await carryOut(this.depsAt(Date.parse(state.asOf)), { raceId: state.raceId, effects: writes });
    if (notFinal === null) return;
    const { placingsKey, protest } = notFinal;
    await this.take({ type: 'notFinal', placingsKey, protest, at: state.asOf });
  }
}

function eventOf(seen: Sighting): RaceEvent {
  const { at } = seen;
  if (seen.kind === 'market-closed') return { type: 'marketClosed', at };
  if (seen.kind === 'market-reopened') return { type: 'marketReopened', at };
  const base = { type: 'resultSeen', at } as const;
  if (seen.kind === 'abandoned')
    return { ...base, stage: 'abandoned', placingsKey: '', protest: false, note: seen.note };
  const { status, placingsKey, protest } = seen.facts;
  return { ...base, stage: status, placingsKey, protest };
}

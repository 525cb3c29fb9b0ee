// A race workflow on the time-skipping server. The activities are fakes at the edge of I/O: they follow a script of the
// books' reports and record what the workflow writes. They never wait inside an attempt, because a running activity
// stops the clock.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import type { Decision, WriteEffect } from '../../src/activities/outcome/carry-out';
import type { PolledRace } from '../../src/activities/polling/poller';
import type { PollerEnd } from '../../src/activities/polling/sightings';
import type { ResultFacts } from '../../src/activities/result-facts';
import { placingsKey } from '../../src/domain/results/placings';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES, type RaceInput, raceWorkflowId, WORKFLOWS } from '../../src/workflows/contract';
import type { race } from '../../src/workflows/race';
import { raceInput } from '../support/races/race-input';
import { openTimeSkipping } from '../support/servers/time-skipping';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What the books show of a race, in milliseconds from its first advertised start. */
export interface Script {
  closes?: number;
  reopens?: number;
  abandoned?: { at: number; note: string };
  results?: readonly { at: number; key: string; protest?: boolean }[];
  filledAt?: number;
  /** Before this, an operator's placings cannot be written. */
  overridesFrom?: number;
  /** Before this, no abandonment can be written. */
  abandonsFrom?: number;
  /**
   * The fence's initial epoch: a poller is refused until it has a newer one. Null: none. `all`: it refuses every
   * poller.
   */
  held?: number | null | 'all';
  /** Before this, a collector's pass does not end. */
  passesFrom?: number;
  /** Time between two polls. Default: until the script's next change, which is fastest. */
  pollEvery?: number;
}

interface Written {
  readonly at: number;
  readonly effect: WriteEffect;
}

export interface RaceRun {
  readonly handle: Awaited<ReturnType<TestWorkflowEnvironment['client']['workflow']['start']>>;
  readonly input: RaceInput;
  readonly startMs: number;
  readonly written: Written[];
  readonly polls: { card: number; live: number; result: number; passes: number };
  readonly meetingSignals: string[];
  /** When it was archived, from its first advertised start. */
  readonly archived: number[];
  script: Script;
}

export interface RaceLab {
  readonly env: TestWorkflowEnvironment;
  /** Starts a race whose advertised start is `inMs` from now. */
  start(script: Script, inMs?: number, over?: Partial<RaceInput>): Promise<RaceRun>;
  /** Skips to this instant, counted from the race's first advertised start. */
  until(run: RaceRun, fromStartMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function openRaceLab(): Promise<RaceLab> {
  const server = await openTimeSkipping();
  const { env } = server;
  const namespace = env.namespace ?? 'default';
  await skipToMidnight(env);
  const runs = new Map<string, RaceRun>();
  const activities = scripted(env, runs);
  const common = { connection: env.nativeConnection, namespace };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.poll, activities: { pollLive: activities.pollLive } }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities }),
    await Worker.create({ ...common, taskQueue: QUEUES.decisions, activities }),
  ];
  const running = workers.map((worker) => worker.run());
  return {
    env,
    start: (script, inMs = 5 * HOUR, over = {}) => startRace(env, runs, script, inMs, over),
    until: async (run, fromStartMs) => env.sleep(Math.max(1, run.startMs + fromStartMs - (await env.currentTimeMs()))),
    close: async () => {
      for (const run of runs.values()) await run.handle.terminate().catch(() => undefined);
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await server.close();
    },
  };
}

/**
 * Collectors' passes are at fixed hours of the day: each lab begins at midnight UTC, so that a race has the same
 * distance from them whenever the tests run.
 */
async function skipToMidnight(env: TestWorkflowEnvironment): Promise<void> {
  const nowMs = await env.currentTimeMs();
  await env.sleep(Math.ceil(nowMs / DAY) * DAY - nowMs);
}

async function startRace(
  env: TestWorkflowEnvironment,
  runs: Map<string, RaceRun>,
  script: Script,
  inMs: number,
  over: Partial<RaceInput>,
): Promise<RaceRun> {
  const startMs = Math.ceil((await env.currentTimeMs()) / 1000) * 1000 + inMs;
  const raceId = randomUUID();
  const input: RaceInput = {
    ...raceInput(raceId, startMs),
    ...over,
  };
  const polls = { card: 0, live: 0, result: 0, passes: 0 };
  const run = {
    input,
    startMs,
    script,
    written: [] as Written[],
    polls,
    meetingSignals: [] as string[],
    archived: [] as number[],
  };
  runs.set(raceId, run as unknown as RaceRun);
  const handle = await env.client.workflow.start<typeof race>(WORKFLOWS.race, {
    workflowId: raceWorkflowId(raceId),
    taskQueue: QUEUES.workflows,
    args: [input],
  });
  return Object.assign(run, { handle }) as unknown as RaceRun;
}

const CARD_EVERY = 15 * MINUTE;
const LIVE_EVERY = 20_000;

function scripted(env: TestWorkflowEnvironment, runs: ReadonlyMap<string, RaceRun>): Activities {
  const runOf = (raceId: string): RaceRun => runs.get(raceId)!;
  const sinceStart = async (run: RaceRun) => (await env.currentTimeMs()) - run.startMs;
  const record = async ({ raceId, effects }: Decision) => {
    const run = runOf(raceId);
    const at = await sinceStart(run);
    const abandons = effects.some((effect) => effect.do === 'write_abandoned');
    if (abandons && at < (run.script.abandonsFrom ?? at)) throw new Error('the database is away');
    run.written.push(...effects.map((effect) => ({ at, effect })));
    const named = effects.find((effect) => effect.do === 'finalise')?.placingsKey;
    const facts = factsAt(run, at);
    return named !== undefined && facts && (facts.placingsKey !== named || facts.protest) ? facts : null;
  };
  const poll = async (tier: 'card' | 'live', race: PolledRace, everyMs: number) => {
    const run = runOf(race.raceId);
    const at = await sinceStart(run);
    run.polls[tier] += 1;
    const { held } = run.script;
    if (held === 'all') return { kind: 'fenced', held: race.epoch } as const;
    if (held !== undefined && race.epoch <= (held ?? 1)) return { kind: 'superseded', held } as const;
    const seen = whatBooksShow(run, race, at);
    if (seen) return seen;
    throw callAgain(run, at, everyMs);
  };
  return {
    pollCard: (race) => poll('card', race, CARD_EVERY),
    pollLive: (race) => poll('live', race, LIVE_EVERY),
    awaitResult: async ({ raceId, known, reinstated }) => {
      const run = runOf(raceId);
      const at = await sinceStart(run);
      run.polls.result += 1;
      const { abandoned } = run.script;
      if (abandoned && at >= abandoned.at && !known && !reinstated)
        return { kind: 'abandoned', note: abandoned.note, source: 'tab', at: instant(run, at) };
      const facts = factsAt(run, at);
      if (facts && (facts.placingsKey !== known?.placingsKey || facts.protest !== known.protest))
        return { kind: 'result', facts };
      throw callAgain(run, at, MINUTE);
    },
    carryOut: record,
    collectField: async (pass) => {
      const run = runOf(pass.raceId);
      run.polls.passes += 1;
      const at = await sinceStart(run);
      if (at < (run.script.passesFrom ?? at)) throw callAgain(run, at, MINUTE);
      const filled = isFilled(run, at);
      const notFinal = await record({ raceId: pass.raceId, effects: pass.before });
      if (!filled) await record({ raceId: pass.raceId, effects: pass.ifEmpty });
      return { filled, notFinal };
    },
    readResult: async (raceId) => factsAt(runOf(raceId), await sinceStart(runOf(raceId))),
    overrideResult: async ({ raceId, placings }) => {
      const run = runOf(raceId);
      const result = { at: await sinceStart(run), key: placingsKey(placings) };
      if (result.at < (run.script.overridesFrom ?? result.at)) throw new Error('the database is away');
      run.script = { ...run.script, results: [result] };
      return { ...factsOf(run, result, result.at), overridden: true };
    },
    abandonMeeting: async ({ raceId, note }) => runOf(raceId).meetingSignals.push(note),
    discover: async () => ({ listed: 0, created: 0, startsMoved: 0, refused: 0, failedLists: 0 }),
    listsToRead: async () => ({ lists: [], apartMs: 0 }),
    readList: async () => ({ listed: 0, created: 0, startsMoved: 0, refused: 0 }),
    startRaces: async () => ({ missing: 0, started: 0 }),
    readHorseForm: async () => ({ kind: 'absent' }),
    probeRegistry: async () => 'was_open',
    openRegistry: async () => undefined,
    startGates: async () => 0,
    resultsRegions: async () => [],
    collectRegion: async () => ({ documents: 0, failed: 0, filled: 0, refused: 0, abandoned: 0 }),
    settleCoverage: async () => ({ awaited: 0, passesMadeUp: 0, filled: 0 }),
    readRegistry: async () => ({ meetings: 0, documents: 0, failed: 0, changes: 0 }),
    joinRegistry: async () => ({ joined: 0, refused: 0, merged: 0 }),
    collectPremierships: async () => ({ read: 0, failed: 0 }),
    checkBetslipLinks: async () => ({ checked: [], failing: [] }),
    auditPrices: async () => ({ verdict: 'empty', faults: 0, outliers: 0 }),
    dueBulkPeriods: async () => [],
    buildBulkPeriod: async () => 'unchanged',
    sweepBulkFiles: async () => 0,
    archiveRace: async (raceId) => {
      runOf(raceId).archived.push(await sinceStart(runOf(raceId)));
      return true;
    },
    archivePast: async () => ({ archived: 0, failed: 0 }),
    reconcileArchive: async () => ({ days: 0, wrong: [] }),
    dropArchivedTicks: async () => ({ dropped: [], kept: [] }),
    attemptDelivery: async () => ({ status: 'delivered', attempts: [] }),
    sweepWebhooks: async () => ({ late: 0, started: 0, disabled: 0, dropped: 0 }),
    collectHistory: async () => ({ read: 0, failed: 0, runs: 0 }),
    fillRuns: async () => ({ races: 0, runs: 0, failed: 0 }),
    collectHorses: async () => ({ kind: 'complete' }),
    sweepBackfills: async () => ({ open: 0, started: 0, hastened: 0 }),
    closeCredits: async () => ({ lines: 0 }),
    auditCredits: async () => ({ accounts: 0, faults: 0, isWhole: true }),
    probeUptime: async () => undefined,
    streamExchange: async () => undefined,
    pollSports: async () => ({ waitMs: null }),
  };
}

const instant = (run: RaceRun, at: number): string => new Date(run.startMs + at).toISOString();
const isFilled = ({ script }: RaceRun, at: number): boolean => script.filledAt !== undefined && at >= script.filledAt;

function whatBooksShow(run: RaceRun, { marketShut, reinstated }: PolledRace, at: number): PollerEnd | null {
  const { script } = run;
  if (script.abandoned && at >= script.abandoned.at && !reinstated) {
    return { kind: 'abandoned', note: script.abandoned.note, source: 'tab', at: instant(run, at) };
  }
  const reopened = script.reopens !== undefined && at >= script.reopens;
  const shut = script.closes !== undefined && at >= script.closes && !reopened;
  if (shut !== marketShut) return { kind: shut ? 'market-closed' : 'market-reopened', at: instant(run, at) };
  const facts = factsAt(run, at);
  return facts && { kind: 'result', facts, at: instant(run, at) };
}

function factsAt(run: RaceRun, at: number): ResultFacts | null {
  const latest = (run.script.results ?? []).filter((result) => at >= result.at).at(-1);
  return latest ? factsOf(run, latest, at) : null;
}

const factsOf = (run: RaceRun, result: { at: number; key: string; protest?: boolean }, at: number): ResultFacts => ({
  status: 'interim',
  placingsKey: result.key,
  placingsSince: instant(run, result.at),
  protest: result.protest ?? false,
  overridden: false,
  resultedAt: instant(run, result.at),
  fieldStatus: isFilled(run, at) ? 'complete' : 'pending',
});

function callAgain(run: RaceRun, at: number, everyMs: number): ApplicationFailure {
  const { closes, reopens, abandoned, results = [], pollEvery } = run.script;
  const instants = [closes, reopens, abandoned?.at, ...results.map((result) => result.at)];
  const next = Math.min(...instants.filter((each) => each !== undefined && each > at).map(Number)) - at;
  const delay = pollEvery ?? (Number.isFinite(next) ? Math.max(everyMs, next) : 6 * HOUR);
  return ApplicationFailure.create({
    type: 'NothingYet',
    message: 'not yet',
    nextRetryDelay: delay,
    category: 'BENIGN',
  });
}

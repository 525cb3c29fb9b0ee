// The panel with and without 20 backfill jobs beside it, in turn, on one running service: whether they delay a poll, a
// decision or a call (bench/panel.ts).
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackfillStarter } from '../../src/api/operations/backfill/backfill-starter';
import { runnerKey } from '../../src/domain/race/runner';
import { aetDay } from '../../src/domain/time/aet';
import { issueKey } from '../../src/ops/issue-key';
import { horseCodeOf, stateOf } from '../../src/simulator/registry/meetings';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import type { OwnServers } from '../../test/support/servers/own-servers';
import type { Service } from '../../test/support/servers/service';
import { gained, quantile, withLabel } from './metrics-page';
import { latencies, metricsOf, openPanel, type Panel, type PanelLoad, warmUp } from './panel';

const MINUTE_MS = 60_000;
const JOBS = 20;
const ACCOUNTS = 3;
/** What was in flight when a window ended is over after this. */
const SETTLE_MS = 20_000;
const MOST = 1.2;

export interface Pairs {
  readonly pairs: number;
  /** Of a window. */
  readonly minutes: number;
  readonly spacingMs: number;
}

/** p99 in seconds, by what waits. */
type Waits = Readonly<Record<string, number>>;

/** Whether the median of the ratios is at most 1.2 for each; what could not be measured is not. */
export async function runPairs(servers: OwnServers, load: PanelLoad, of: Pairs): Promise<boolean> {
  let panel: Panel | null = null;
  try {
    const spacing = { FEED_REGISTRY_SPACING_MS: String(of.spacingMs) };
    panel = await openPanel(servers, load, { WORKER_SDK_METRICS_PORT: 'auto', ...spacing });
    await panel.service.startWorker({ WORKER_ROLES: 'backfill,forms', ...spacing });
    const jobs = await prepare(panel.service);
    await warmUp(panel, load);
    const ratios: Waits[] = [];
    for (let pair = 1; pair <= of.pairs; pair++) {
      const without = await measured(panel, of.minutes);
      const started = await jobs.start();
      const beside = await measured(panel, of.minutes);
      const delivered = await jobs.stop(started);
      if (delivered === 0) throw new Error('no horse was delivered: nothing was measured');
      const ratio = Object.fromEntries(Object.entries(without).map(([what, p99]) => [what, beside[what]! / p99]));
      ratios.push(ratio);
      console.log(`pair ${pair}: ${delivered} horses delivered; ${textOf(without, beside, ratio)}`);
    }
    return report(ratios);
  } finally {
    panel?.callers.kill();
    await panel?.service.close();
    panel?.groups?.removeEmpty();
  }
}

async function measured(panel: Panel, minutes: number): Promise<Waits> {
  await sleep(SETTLE_MS);
  await latencies(panel.callers, 'reset');
  const before = await metricsOf(panel);
  await sleep(minutes * MINUTE_MS);
  const page = gained(before, await metricsOf(panel));
  const { p99Ms } = await latencies(panel.callers, 'reset');
  const decisions = withLabel(page, 'task_queue', 'racing-decisions');
  const workflows = withLabel(page, 'task_queue', 'racing-workflows');
  return {
    poll: quantile(page, 'racing_poll_lag', 0.99),
    'poll near the jump': quantile(withLabel(page, 'urgency', 'near'), 'racing_poll_lag', 0.99),
    decision: quantile(decisions, 'temporal_activity_schedule_to_start_latency', 0.99) / 1000,
    'workflow task': quantile(workflows, 'temporal_workflow_task_schedule_to_start_latency', 0.99) / 1000,
    call: p99Ms / 1000,
  };
}

const textOf = (without: Waits, beside: Waits, ratio: Waits): string =>
  Object.keys(without)
    .map((what) => `${what} ${without[what]!.toFixed(3)} → ${beside[what]!.toFixed(3)} s (${ratio[what]!.toFixed(2)})`)
    .join(', ');

function report(ratios: readonly Waits[]): boolean {
  const medians = Object.keys(ratios[0] ?? {}).map((what) => {
    const sorted = ratios.map((ratio) => ratio[what]!).filter(Number.isFinite);
    sorted.sort((a, b) => a - b);
    return [what, sorted[Math.floor(sorted.length / 2)] ?? Number.NaN] as const;
  });
  for (const [what, median] of medians)
    console.log(`p99 of a ${what}, median of the ratios:`.padEnd(52), median.toFixed(2));
  return medians.every(([, median]) => median <= MOST);
}

interface Jobs {
  start(): Promise<readonly string[]>;
  /** Cancels what is queued, and resolves to the number of delivered horses. */
  stop(jobs: readonly string[]): Promise<number>;
}

/** The horses of the card, ordered by three accounts in 20 jobs; their pages are read anew in every window. */
async function prepare({ db, now, simulator, temporal }: Service): Promise<Jobs> {
  const { keys, backfill } = createStores(db.pool);
  const startWorkflow = createBackfillStarter(temporal.client, (error) => console.error(error));
  const instant = (): string => new Date(now()).toISOString();
  const races = simulator.world.meetings(aetDay(now())).flatMap((meeting) => meeting.races);
  // The registry has none of New Zealand's.
  const thoroughbreds = races.filter(({ meeting }) => meeting.track.category === 'horse' && stateOf(meeting) !== null);
  const card = [
    ...new Map(
      thoroughbreds.flatMap((race) =>
        race.runners.map((runner) => [runnerKey(runner.name), `ra:${horseCodeOf(race, runner)}`] as const),
      ),
    ),
  ].map(([key, ref]) => ({ input: key, key, name: key, refs: [ref], pageRef: null }));
  const owners = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => {
      const key = await issueKey(keys, { label: 'backfill', plan: 'enterprise', role: 'customer' }, instant());
      return (await keys.find([hashApiKey(key)]))[0]!;
    }),
  );
  const share = Math.ceil(card.length / Math.ceil(JOBS / ACCOUNTS));
  const order = async (i: number): Promise<string> => {
    const { accountId, keyId } = owners[i % ACCOUNTS]!;
    const from = Math.floor(i / ACCOUNTS) * share;
    const at = instant();
    const jobId = `bf_${at.slice(0, 10).replaceAll('-', '')}_${randomBytes(3).toString('hex')}`;
    await backfill.submit({
      jobId,
      accountId,
      keyId,
      price: 3,
      label: null,
      request: randomBytes(32).toString('hex'),
      at,
      repeatedSince: at,
      horses: card.slice(from, from + share),
      repeated: 0,
      notFound: [],
    });
    startWorkflow(jobId);
    return jobId;
  };
  return {
    async start() {
      await db.pool.query('DELETE FROM horse_forms');
      return Promise.all(Array.from({ length: JOBS }, (_, i) => order(i)));
    },
    async stop(jobs) {
      for (const job of jobs) for (const { accountId } of owners) await backfill.cancel(job, accountId, instant());
      const text = "SELECT count(*) AS n FROM backfill_items WHERE job_id = ANY ($1) AND state = 'done'";
      return Number((await db.pool.query<{ n: number }>(text, [jobs])).rows[0]!.n);
    },
  };
}

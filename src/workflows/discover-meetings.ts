// Discovers the races of today and tomorrow from the books' lists, starts missing workflows, and joins the registry's
// races to ours. Each has its own Schedule, because none may wait for a book's list; a discovery that found a new race
// runs the others at once. Each list is an activity with its own retries, and a run that could not read most of them
// fails; those behind a wall count neither way and are queried once.
import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  isCancellation,
  log,
  patched,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** Today and tomorrow, Sydney time. */
const DAYS = 2;

const { discover, joinRegistry } = proxyActivities<Pick<Activities, 'discover' | 'joinRegistry'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '4m',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
});

const { listsToRead } = proxyActivities<Pick<Activities, 'listsToRead'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '20s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/**
 * Retried after 5 s, 15 s and 45 s. Nothing limits the wait for a worker: a worker that was away reads every list when
 * it returns.
 */
const { readList } = proxyActivities<Pick<Activities, 'readList'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '45s',
  retry: { initialInterval: '5s', backoffCoefficient: 3, maximumAttempts: 4 },
});

/** Heartbeats at each step: thousands of races take minutes, and seeking a race's result takes one. */
const { startRaces } = proxyActivities<Pick<Activities, 'startRaces'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
});

/** After a discovery: shorter than its interval. The rest is left to the sweep's own Schedule. */
const { startRaces: startNewRaces } = proxyActivities<Pick<Activities, 'startRaces'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '3m',
  heartbeatTimeout: '2m',
  retry: { maximumAttempts: 1 },
});

export async function discoverMeetings(): Promise<void> {
  if (!patched('list-per-book')) return discoverAtOnce();
  const { lists, apartMs } = await listsToRead({ days: DAYS });
  const walled = walledBefore();
  const asked = lists.filter((list) => !walled.includes(nameOf(list)));
  const run: Run = { created: 0, ended: false, failed: [], walled };
  const reading = Promise.all(asked.map((list, i) => readOne(list, i * apartMs, run))).finally(() => {
    run.ended = true;
  });
  await Promise.all([reading, serveWhatIsNew(run)]);
  if (run.failed.length * 2 > lists.length - run.walled.length) throw mostFailed(run, lists.length);
}

type ListToRead = Parameters<Activities['readList']>[0];

interface Run {
  created: number;
  /** Every list was read, or given up. */
  ended: boolean;
  readonly failed: string[];
  /** Refused by a wall, in this run or in the one that it repeats. They are not queried again before the next tick. */
  readonly walled: string[];
}

const nameOf = ({ bookmakerKey, day }: ListToRead): string => `${bookmakerKey} ${day}`;

/** Only for a run that repeats a failed one: the tick after a failed run queries every book. */
function walledBefore(): string[] {
  const { attempt, lastFailure } = workflowInfo();
  if (attempt === 1 || !(lastFailure instanceof ApplicationFailure)) return [];
  const walled = lastFailure.details?.[0] as readonly string[] | undefined;
  return walled?.length && patched('walled-apart') ? [...walled] : [];
}

/** `readList` makes only a block final. */
const isWall = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.type === 'ListFailed' &&
  error.cause.nonRetryable === true;

/** A book that fails does not delay others: its races appear as soon as it answers, those of the others before. */
async function readOne(list: ListToRead, afterMs: number, run: Run): Promise<void> {
  const what = nameOf(list);
  if (afterMs > 0) await sleep(afterMs);
  try {
    const { created } = await readList.executeWithOptions({ summary: what }, [list]);
    run.created += created;
  } catch (error) {
    if (isCancellation(error)) throw error;
    const walled = isWall(error) && patched('walled-apart');
    (walled ? run.walled : run.failed).push(what);
    log.warn('a list could not be read', { ...list, error });
  }
}

/** New races are started while other lists are still read, and again when there are more. */
async function serveWhatIsNew(run: Run): Promise<void> {
  for (let served = 0; ; ) {
    await condition(() => run.created > served || run.ended);
    if (run.created === served) return;
    served = run.created;
    await Promise.all([joinNew(), startNew()]);
  }
}

/** The Schedule's retry repeats the run, without the lists behind a wall. */
const mostFailed = ({ failed, walled }: Run, of: number): ApplicationFailure =>
  ApplicationFailure.retryable(
    `${failed.length} of ${of} lists could not be read: ${[...failed].sort().join(', ')}`,
    'ListsFailed',
    [...walled].sort(),
  );

async function discoverAtOnce(): Promise<void> {
  const summary = `lists of ${DAYS} days from every book`;
  const { created } = await discover.executeWithOptions({ summary }, [{ days: DAYS }]);
  // An older version always swept and joined here, and the replay of its runs must do so too.
  if (patched('sweep-apart') && created === 0) return;
  // The starts of a new stack take minutes, and its acceptances are to be served in the first.
  const joining = patched('join-beside-starts') ? registryJoin() : null;
  joining?.catch(() => undefined);
  await startNew();
  await (joining ?? registryJoin());
}

async function startNew(): Promise<void> {
  try {
    await startNewRaces.executeWithOptions({ summary: 'new races, nearest first' }, []);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('not every new race was started: the sweep goes on', { error });
  }
}

/** A failed join ends no reading of lists: the registry has its own Schedule. */
async function joinNew(): Promise<void> {
  try {
    await registryJoin();
  } catch (error) {
    if (isCancellation(error) || !patched('join-never-ends-run')) throw error;
    log.warn('new races were not joined to the registry: its own Schedule repeats it', { error });
  }
}

export async function sweepRaces(): Promise<void> {
  await startRaces.executeWithOptions({ summary: 'races without a workflow, nearest first' }, []);
}

export async function registryJoin(): Promise<void> {
  await joinRegistry.executeWithOptions({ summary: 'registry data for new races' }, []);
}

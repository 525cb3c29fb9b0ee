// Kill the worker in the middle of the live tier: another takes the race over when its heartbeat is missed, or at once when it stops by order;
// no tick is written twice, none of the last prices is lost, and what is stamped once stays stamped.
import { raceWorkflowId } from '../../src/workflows/contract';
import { lostTicks, repeatedTicks, silentBooks } from '../support/ledger';
import { PATIENT_MS } from '../support/patient';
import { type Service, type ServiceProcess, startService, waitFor } from '../support/service';

const SPEED = 4;
const MINUTE = 60_000;
/** What may pass, by the race's own settings, until a lost worker's race is offered to another. */
const TAKEOVER_MS = 30_000;
/** On a machine that does nothing else it takes some twenty seconds; it says how long it took. */
let service: Service;
beforeAll(async () => {
  service = await startService(SPEED, (nowMs) => [
    // Live, and its prices captured, for as long as a slow machine may take; and one that is over within minutes.
    { startMs: nowMs + 58 * MINUTE, venue: 'Flemington', runners: 10 },
    { startMs: nowMs + 8 * MINUTE, venue: 'Randwick', runners: 10, jumpDelaySeconds: 30, interimAfterSeconds: 150 },
  ]);
});
afterAll(() => service?.close());

const one = async <T>(text: string): Promise<T> => (await service.db.pool.query(text)).rows[0] as T;
const polledSince = async (atMs: number): Promise<boolean> => (await silentBooks(service.db.pool, atMs)).length === 0;
const describe = (raceId: string) => service.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).describe();

/** Who polls the race now, and why the one before does not; null while nobody does. */
async function poller(raceId: string) {
  const pending = (await describe(raceId)).raw.pendingActivities?.find(
    (each) => each.activityType?.name === 'pollLive',
  );
  const pid = Number(pending?.lastWorkerIdentity?.split('@')[0]);
  if (pending?.state !== STARTED || !(pid > 0)) return null;
  const { timeoutFailureInfo: timeout, applicationFailureInfo: failure } = pending.lastFailure ?? {};
  return { pid, after: timeout?.timeoutType === HEARTBEAT ? 'missed heartbeat' : failure?.type };
}

/** Of the server's API. */
const [STARTED, HEARTBEAT] = [2, 4];

test('another worker takes the race over; ticks and stamps are as if nothing had happened', async () => {
  const workers: ServiceProcess[] = [await service.startWorker(), await service.startWorker()];
  const { race_id: raceId } = await waitFor(
    () => one<{ race_id: string }>("SELECT race_id FROM races WHERE venue = 'Flemington'"),
    PATIENT_MS,
  );
  await waitFor(
    async () =>
      (await polledSince(service.now() - 30 * MINUTE)) &&
      (await one<{ n: number }>('SELECT count(*)::int n FROM price_ticks')).n > 100,
    PATIENT_MS,
  );

  expect(await loseMs(raceId)).toBeLessThan(TAKEOVER_MS);
  expect(await takenOver(raceId, workers, 'SIGKILL')).toBe('missed heartbeat');
  expect(await lostTicks(service.db.pool)).toBe(0);

  workers.push(await service.startWorker());
  expect(await takenOver(raceId, workers, 'SIGTERM')).toBe('WorkerShutdown');
  expect(await lostTicks(service.db.pool)).toBe(0);

  const stamps = () => one('SELECT market_closed_at, jumped_at FROM races WHERE jumped_at IS NOT NULL');
  const stamped = await waitFor(stamps, 2 * MINUTE + PATIENT_MS);
  expect(stamped).toMatchObject({ market_closed_at: expect.any(String) });
  await service.startWorker();
  await workers[0]!.kill('SIGKILL');
  await waitFor(() => one("SELECT 1 FROM race_results WHERE placings_key <> ''"), PATIENT_MS);
  expect(await stamps()).toEqual(stamped);

  expect(await repeatedTicks(service.db.pool)).toBe(0);
  expect(await lostTicks(service.db.pool)).toBe(0);
}, 1_800_000);

/** How long after its last sign of life a poller's race is offered to another, as the race's workflow orders it. */
async function loseMs(raceId: string): Promise<number> {
  const { events } = await service.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).fetchHistory();
  const ordered = events!
    .map((event) => event.activityTaskScheduledEventAttributes)
    .find((order) => order?.activityType?.name === 'pollLive');
  const [heartbeat, retry] = [ordered!.heartbeatTimeout, ordered!.retryPolicy!.initialInterval];
  return 1000 * (Number(heartbeat!.seconds) + Number(retry!.seconds));
}

/** Ends the worker that polls the race; answers when every book has been polled by another, with why that one has the race. */
async function takenOver(raceId: string, workers: ServiceProcess[], signal: 'SIGKILL' | 'SIGTERM') {
  const holder = await waitFor(() => poller(raceId), PATIENT_MS);
  const [victim] = workers.splice(
    workers.findIndex((worker) => worker.pid === holder.pid),
    1,
  );
  const gone = Date.now();
  const ending = victim!.kill(signal);
  const next = await waitFor(async () => {
    const now = await poller(raceId);
    return now?.pid === holder.pid ? null : now;
  }, PATIENT_MS);
  const before = service.now();
  expect(workers.map((worker) => worker.pid)).toContain(next.pid);
  await waitFor(() => polledSince(before - 1000 * SPEED), PATIENT_MS);
  process.stdout.write(`  ${signal}: taken over after ${((Date.now() - gone) / 1000).toFixed(1)} s\n`);
  await ending;
  return next.after;
}

// Kill the worker in the middle of the live tier: another takes the race over within 30 seconds, no tick is written twice, none of
// the last prices is lost, and what is stamped once stays stamped.
import { raceWorkflowId } from '../../src/workflows/contract';
import { lostTicks, repeatedTicks, silentBooks } from '../support/ledger';
import { type Service, type ServiceProcess, startService, waitFor } from '../support/service';

const SPEED = 4;
const MINUTE = 60_000;
const TAKEOVER_MS = 30_000;
const HAND_OVER_MS = 10_000;

let service: Service;
beforeAll(async () => {
  service = await startService(SPEED, (nowMs) => [
    { startMs: nowMs + 8 * MINUTE, venue: 'Flemington', runners: 10, jumpDelaySeconds: 30, interimAfterSeconds: 150 },
  ]);
});
afterAll(() => service?.close(), 30_000);

const one = async <T>(text: string): Promise<T> => (await service.db.pool.query(text)).rows[0] as T;
const polledSince = async (atMs: number): Promise<boolean> => (await silentBooks(service.db.pool, atMs)).length === 0;

async function pollerPid(raceId: string): Promise<number | null> {
  const described = await service.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).describe();
  const poller = described.raw.pendingActivities?.find((each) => each.activityType?.name === 'pollLive');
  const pid = Number(poller?.lastWorkerIdentity?.split('@')[0]);
  return poller?.state === 2 && pid > 0 ? pid : null;
}

test('another worker takes the race over within 30 seconds; ticks and stamps are as if nothing had happened', async () => {
  const workers: ServiceProcess[] = [await service.startWorker(), await service.startWorker()];
  const { race_id: raceId } = await waitFor(() => one<{ race_id: string }>('SELECT race_id FROM races'), 30_000);
  await waitFor(
    async () =>
      (await polledSince(service.now() - 30 * MINUTE)) &&
      (await one<{ n: number }>('SELECT count(*)::int n FROM price_ticks')).n > 100,
    60_000,
  );

  const killed = await lose(raceId, workers, 'SIGKILL');
  process.stdout.write(`  killed: taken over after ${(killed / 1000).toFixed(1)} s\n`);
  expect(killed).toBeLessThan(TAKEOVER_MS);
  expect(await lostTicks(service.db.pool)).toBe(0);

  workers.push(await service.startWorker());
  const stopped = await lose(raceId, workers, 'SIGTERM');
  process.stdout.write(`  stopped: handed over after ${(stopped / 1000).toFixed(1)} s\n`);
  expect(stopped).toBeLessThan(HAND_OVER_MS);
  expect(await lostTicks(service.db.pool)).toBe(0);

  const stamps = () => one('SELECT market_closed_at, jumped_at FROM races WHERE jumped_at IS NOT NULL');
  const stamped = await waitFor(stamps, 180_000);
  expect(stamped).toMatchObject({ market_closed_at: expect.any(String) });
  await service.startWorker();
  await workers[0]!.kill('SIGKILL');
  await waitFor(() => one("SELECT 1 FROM race_results WHERE placings_key <> ''"), 120_000);
  expect(await stamps()).toEqual(stamped);

  expect(await repeatedTicks(service.db.pool)).toBe(0);
  expect(await lostTicks(service.db.pool)).toBe(0);
}, 300_000);

/** Ends the worker that polls the race; how long, on the wall, until every book has been polled by another. */
async function lose(raceId: string, workers: ServiceProcess[], signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
  const holder = await waitFor(() => pollerPid(raceId), 10_000);
  const [victim] = workers.splice(
    workers.findIndex((worker) => worker.pid === holder),
    1,
  );
  const gone = Date.now();
  const ending = victim!.kill(signal);
  const next = await waitFor(async () => {
    const pid = await pollerPid(raceId);
    return pid !== holder ? pid : null;
  }, TAKEOVER_MS);
  const before = service.now();
  expect(workers.map((worker) => worker.pid)).toContain(next);
  await waitFor(() => polledSince(before - 1000 * SPEED), TAKEOVER_MS);
  const tookMs = Date.now() - gone;
  await ending;
  return tookMs;
}

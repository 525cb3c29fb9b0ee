// In the middle of a live card each part of the whole is killed in turn, and counted afterwards: no tick twice, none lost that a poll had
// stored, every set-once stamp as it was, every live race polled again after the part's return (within 30 seconds on a machine of its own: it
// says how long it took), and the API answering all the while from what it has, saying how old that is.

import { type Kept, keptNow, lostTicks, repeatedTicks, silentBooks } from '../support/ledger';
import { canRunOwnServers, type OwnServers, startOwnServers } from '../support/own-servers';
import { PATIENT_MS } from '../support/patient';
import { type Service, type ServiceProcess, startService, waitFor } from '../support/service';
import { type Customer, openCustomer } from './customer';

const SPEED = 2;
const MINUTE = 60_000;
const DOWN_MS = 4000;
/** The first jump while parts are killed; the last are there for as long as a slow machine may take. */
const STARTS_IN_MINUTES = [4, 7, 12, 18, 40, 58];
const VENUES = ['Flemington', 'Randwick', 'Doomben', 'Ascot', 'Cranbourne', 'Newcastle'];

const why = canRunOwnServers
  ? ''
  : ' (skipped: the servers are not ours to kill; `npm test` runs it where it starts them itself)';
const maybe = canRunOwnServers ? describe : describe.skip;

maybe(`with one part killed in the middle of a live card${why}`, () => {
  let servers: OwnServers;
  let service: Service;
  let customer: Customer;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    servers = await startOwnServers();
    // What a killed server costs is told by the counts, not by a thousand lines of refused connections.
    process.env.SERVICE_LOG_LEVEL = 'silent';
    process.env.DATABASE_URL = servers.databaseUrl;
    process.env.REDIS_URL = servers.redisUrl;
    process.env.TEMPORAL_ADDRESS = servers.temporalAddress;
    service = await startService(SPEED, (nowMs) =>
      STARTS_IN_MINUTES.map((minutes, i) => ({ startMs: nowMs + minutes * MINUTE, venue: VENUES[i]!, runners: 10 })),
    );
    workers.push(await service.startWorker(), await service.startWorker());
    const polled = async () => (await silentBooks(service.db.pool, service.now() - 30 * MINUTE)).length === 0;
    await waitFor(async () => (await keptNow(service.db.pool)).ticks.size > 200, PATIENT_MS);
    await waitFor(polled, PATIENT_MS);
    customer = await openCustomer(service);
  }, 900_000);
  afterAll(async () => {
    await service?.close();
    await servers?.close();
  });

  const faults: readonly { name: string; down: () => Promise<void>; up: () => Promise<void> }[] = [
    {
      name: 'one worker',
      down: () => workers.shift()!.kill('SIGKILL'),
      up: async () => void workers.push(await service.startWorker()),
    },
    { name: 'Redis', down: () => servers.kill('redis'), up: () => servers.start('redis') },
    { name: 'PostgreSQL', down: () => servers.kill('postgres'), up: () => servers.start('postgres') },
    { name: 'Temporal', down: () => servers.kill('temporal'), up: () => servers.start('temporal') },
    { name: 'the simulator', down: () => service.stopSimulator(), up: () => service.startSimulator() },
  ];

  test.each(faults)(
    '$name',
    async ({ name, down, up }) => {
      const before = await keptNow(service.db.pool);
      await down();
      await customer.askedFor(DOWN_MS);
      await up();
      const backMs = Date.now();
      const backInRace = service.now();
      const resumed = async () => (await silentBooks(service.db.pool, backInRace)).length === 0;
      await waitFor(resumed, PATIENT_MS);
      process.stdout.write(
        `  ${name}: every live race polled again after ${((Date.now() - backMs) / 1000).toFixed(1)} s\n`,
      );

      expectKept(before, await keptNow(service.db.pool));
      expect(await repeatedTicks(service.db.pool)).toBe(0);
      expect(await lostTicks(service.db.pool)).toBe(0);
      expect(customer.unanswered()).toEqual([]);
    },
    900_000,
  );
});

function expectKept(before: Kept, after: Kept): void {
  expect([...before.ticks].filter((tick) => !after.ticks.has(tick))).toEqual([]);
  for (const [stamp, value] of before.stamps) expect([stamp, after.stamps.get(stamp)]).toEqual([stamp, value]);
}

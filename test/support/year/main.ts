// The program of `npm run year` (scripts/year/program.mjs), as a separate process: it gets the addresses of its servers
// in `YEAR` and prints the table.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { migrate } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { createRoles, type GROUPS, grantRights } from '../../../src/store/pg/roles';
import { createRedis } from '../../../src/store/redis/redis';
import { cardOf, daysFrom } from './card';
import { createSteppedClock } from './clock';
import { monthsBefore } from './judges/ledger';
import { ageRedis } from './redis-age';
import { printYear } from './report';
import { standing, startService } from './service';
import { liveYear, PAST_MONTHS } from './year';

const FIRST = '2027-07-01';
const REDIS_WITHIN_MS = 5000;

interface Order {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly clockFile: string;
  readonly folder: string;
  readonly days: number;
}

async function main(order: Order): Promise<boolean> {
  const beganMs = performance.now();
  const days = daysFrom(FIRST, order.days);
  const redis = createRedis(order.redisUrl, REDIS_WITHIN_MS);
  await redis.connect();
  const beginMs = Date.parse(`${monthsBefore(FIRST, PAST_MONTHS)}-10`);
  const clock = createSteppedClock(order.clockFile, beginMs, (byMs) => ageRedis(redis, byMs));
  const owner = standing(createPool(order.databaseUrl, 2));
  const urls = await prepare(owner, order.databaseUrl);
  const races = daysFrom(FIRST, order.days + 2).flatMap(cardOf);
  const service = await startService({ ...urls, redisUrl: order.redisUrl, folder: order.folder }, clock, races);
  const end = await liveYear({ clock, service, owner, redis, days, say: (line) => console.log(`  ${line}`) });
  await service.close();
  redis.disconnect();
  await owner.end();
  return printYear(end, days, performance.now() - beganMs);
}

/** The schema, the groups with their rights, and a login in each. */
async function prepare(owner: Pool, databaseUrl: string): Promise<{ workerUrl: string; apiUrl: string }> {
  await createRoles(owner);
  await migrate(owner);
  await grantRights(owner);
  const login = async (group: (typeof GROUPS)[number]): Promise<string> => {
    const url = new URL(databaseUrl);
    url.username = `${group}_year`;
    url.password = randomBytes(12).toString('hex');
    await owner.query(`CREATE ROLE ${url.username} LOGIN PASSWORD '${url.password}' IN ROLE ${group}`);
    return url.toString();
  };
  return { workerUrl: await login('racing_worker'), apiUrl: await login('racing_api') };
}

let ended = false;
// Node would otherwise end silently if the year waits while nothing is in progress.
process.on('exit', () => {
  if (ended) return;
  console.error('The year stopped before its end.');
  process.exitCode = 1;
});
main(JSON.parse(process.env.YEAR!))
  .catch((error: unknown) => {
    console.error(error);
    return false;
  })
  .then((whole) => {
    ended = true;
    process.exit(whole ? 0 : 1);
  });

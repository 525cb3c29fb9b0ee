// A metered API as a separate process, which a test may kill, in its own time zone and on a clock that the test sets.
// Its operations: `/v1/thing` (3 credits), `/v1/one` (1), and `/v1/held` (3), whose work ends only when the test
// releases it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Type } from '@sinclair/typebox';
import type { Pool } from 'pg';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { endpoint, flat } from '../../../src/api/kernel/endpoint/endpoint';
import { usage } from '../../../src/api/operations/account/usage';
import { createStores } from '../../../src/store/create-stores';
import { followKeyChanges } from '../../../src/store/keys/key-changes';
import { createPool } from '../../../src/store/pg/pool';
import type { Reads } from '../../../src/store/reads/reads';
import { type Answer, startApi } from './api';

export interface MeteredApi {
  get(path: string, key: string): Promise<Answer>;
  /** Sets the wall time, which then stands still. Resolves to the time zone of the process. */
  setClock(instant: string): Promise<string>;
  /** Resolves once a call of `/v1/held` is being processed. */
  working(): Promise<unknown>;
  kill(): Promise<void>;
}

export async function startMeteredApi(databaseUrl: string, instant: string, zone = 'UTC'): Promise<MeteredApi> {
  const child = fork(__filename, ['metered-api', databaseUrl, instant], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TZ: zone },
  });
  const url = (await reported(child, 'url')).url!;
  return {
    async get(path, key) {
      const response = await fetch(url + path, { headers: { 'X-API-Key': key, connection: 'close' } });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    },
    async setClock(next) {
      const set = reported(child, 'instant');
      child.send(next);
      return (await set).zone!;
    },
    working: () => reported(child, 'working'),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function reported(child: ChildProcess, what: string): Promise<Record<string, string>> {
  for (;;) {
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [null])]);
    if (message === null) throw new Error(`the API ended before it reported its ${what}`);
    if (what in message) return message;
  }
}

const about = { tag: 'Health', summary: 's', description: 'd', method: 'get', auth: 'key' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const named = (name: string, credits: number, work: () => Promise<unknown>) =>
  endpoint()({
    ...about,
    path: `/v1/${name}`,
    operationId: name,
    cost: flat(credits),
    ok,
    handler: async () => {
      await work();
      return { body: {} };
    },
  });

async function serve(databaseUrl: string, instant: string): Promise<void> {
  const pool: Pool = createPool(databaseUrl, 5);
  const clock = { wallMs: Date.parse(instant) };
  const { keys, credits, usage: used } = createStores(pool);
  const api = await startApi({
    reads: {} as Reads,
    keys,
    charger: createCharger(credits),
    usage: used,
    keyChanges: followKeyChanges(databaseUrl),
    wallMs: () => clock.wallMs,
    endpoints: [
      named('thing', 3, async () => {}),
      named('one', 1, async () => {}),
      named('held', 3, async () => {
        process.send!({ working: 'yes' });
        await new Promise(() => {});
      }),
      usage,
    ],
  });
  process.on('message', (next: string) => {
    clock.wallMs = Date.parse(next);
    process.send!({ instant: next, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  });
  // Without its test it has nothing to serve.
  process.once('disconnect', () => process.exit());
  process.send!({ url: api.url });
}

if (process.argv[2] === 'metered-api') void serve(process.argv[3]!, process.argv[4]!);

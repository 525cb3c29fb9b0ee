// A customer of the year: an account on the plan Business with a key, a webhook and occasionally an order of horses'
// form. It keeps its own account of what each call cost, from the API's responses, with which the ledger is compared.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createKeyStore, hashApiKey } from '../../../src/store/keys/keys';
import { type Answer, keyRow, newKey } from '../api/api';
import type { YearService } from './service';

export interface Customer {
  /** Credits by UTC month (`2027-07`), from the API's responses. */
  readonly spent: ReadonlyMap<string, number>;
  readonly calls: number;
  /** Horses. */
  readonly delivered: number;
  /** Events by id, each once. */
  readonly events: ReadonlySet<string>;
  /** Throws if the response has another status than 200. */
  get(path: string): Promise<{ readonly body: unknown; readonly text: string }>;
  /** Orders the form of these horses. */
  order(horses: readonly string[]): Promise<void>;
  /** Runs the jobs that the sweep has started, as far as they can go now. The next sweep restarts the waiting ones. */
  collect(): Promise<void>;
  close(): Promise<void>;
}

const HORSE_CREDITS = 3;
/** Each of these posts is refused once, and is then sent again. */
const REFUSED_EACH = 50;

export async function openCustomer(service: YearService, owner: Pool, wallMs: () => number): Promise<Customer> {
  const { api } = service;
  const key = newKey();
  const issuedAt = new Date(wallMs()).toISOString();
  await createKeyStore(owner).insert(hashApiKey(key), keyRow(key, { plan: 'business', issuedAt }));
  const spent = new Map<string, number>();
  const events = new Set<string>();
  let calls = 0;
  let posts = 0;
  const receiver = createServer((request, response) => {
    posts += 1;
    request.resume();
    if (posts % REFUSED_EACH === 0) response.statusCode = 500;
    else events.add(String(request.headers['webhook-id']));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const note = (credits: number): void => {
    const month = new Date(wallMs()).toISOString().slice(0, 7);
    spent.set(month, (spent.get(month) ?? 0) + credits);
  };
  const json = { 'Content-Type': 'application/json' };
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await api.send(method, path, { key, headers: json, ...(body && { body: JSON.stringify(body) }) });
    if (answer.status === 429) {
      // At the end every race is compared: more calls than a plan allows in a minute of this machine.
      await delay(Number(answer.headers.get('retry-after')) * 1000);
      return send(method, path, body);
    }
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    calls += 1;
    note(Number(answer.headers.get('x-credits-cost') ?? 0));
    return answer;
  };
  let delivered = 0;
  /** The horses delivered since the last time. */
  const tally = async (): Promise<void> => {
    const text = `SELECT count(*) AS n FROM backfill_items WHERE state = 'done'`;
    const all = (await owner.query<{ n: number }>(text)).rows[0]!.n;
    note((all - delivered) * HORSE_CREDITS);
    delivered = all;
  };
  await send('POST', '/v1/webhooks', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events` });
  return {
    spent,
    events,
    get delivered() {
      return delivered;
    },
    get calls() {
      return calls;
    },
    get: (path) => send('GET', path),
    async order(horses) {
      await send('POST', '/v1/racing/horses/backfill', { horses });
      await tally();
    },
    async collect() {
      for (const jobId of service.startedJobs()) await work(service, jobId);
      await tally();
    },
    close: () =>
      new Promise((resolve) => {
        receiver.close(() => resolve());
        receiver.closeAllConnections();
      }),
  };
}

async function work(service: YearService, jobId: string): Promise<void> {
  try {
    for (;;) {
      const { kind } = await service.run('collectHorses', { jobId, shown: 'running' });
      if (kind !== 'going') return;
    }
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'BackfillWaits') throw error;
  }
}

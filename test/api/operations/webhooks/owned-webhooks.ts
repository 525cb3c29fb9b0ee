// Webhooks of owners over real HTTP, with names on the test's own DNS server, and deliveries as workers leave them.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { createStores } from '../../../../src/store/create-stores';
import { createResolver } from '../../../../src/webhooks/address/resolver';
import { NOW } from '../../../support/api/api';
import { type Served, serve } from '../../../support/api/served';
import { poolAs } from '../../../support/servers/roles';
import { type DnsServer, startDnsServer } from '../../../support/webhooks/dns-server';
import { PATH, webhookOwner } from './webhook-owner';

export const URL_OF_OURS = 'https://hooks.example.com/odds';
export const DAY_MS = 86_400_000;

/** The time of the tests, plus this offset. */
export const after = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();

/** Call it once; every test begins at the time of the tests. */
export function ownedWebhooks() {
  const settings = { rules: { allowLoopback: false, allowHttp: false }, testPatienceMs: 200 };
  const lab = { wallMs: Date.parse(NOW) } as { served: Served; wallMs: number; clock: () => number };
  let dns: DnsServer;
  let apiPool: Pool;
  beforeAll(async () => {
    dns = await startDnsServer();
    dns.names.set('hooks.example.com', ['93.184.216.34']);
    dns.names.set('inside.example.com', ['10.0.0.1']);
    lab.served = await serve((db) => {
      apiPool = poolAs(db, 'racing_api');
      return {
        wallMs: () => lab.clock(),
        webhooks: Object.assign(settings, {
          store: createStores(apiPool).ownedWebhooks,
          resolve: createResolver(3000, [dns.address]),
          random: randomBytes,
        }),
      };
    });
  });
  afterAll(async () => {
    await lab.served.stop();
    await apiPool.end();
    await dns.close();
  });
  beforeEach(() => {
    lab.wallMs = Date.parse(NOW);
    lab.clock = () => lab.wallMs;
  });

  const owner = webhookOwner(() => lab.served, URL_OF_OURS);
  const list = (key: string) => owner.ok('list_webhooks', owner.send(key, 'GET', PATH));
  const db = () => lab.served.db.pool;

  /** Deliveries as workers leave them, a second apart, the first at the time of the test. */
  async function delivered(webhookId: string, ...rows: { kind?: string; status?: string }[]): Promise<string[]> {
    const ids: string[] = [];
    for (const [i, { kind = 'race.result', status = 'delivered' }] of rows.entries()) {
      const at = new Date(lab.wallMs + i * 1000).toISOString();
      const { rows: made } = await db().query(
        `WITH e AS (
           INSERT INTO events (kind, occurred_at, facts, fanned_at, sequence, body) VALUES ($2, $4, '{}', $4, $5, $6) RETURNING event_id, written
         ) INSERT INTO webhook_deliveries (webhook_id, event_id, kind, written, status, created_at, delivered_at, settled_at)
           SELECT $1, event_id, $2, written, $3, $4::timestamptz, CASE WHEN $3 = 'delivered' THEN $4::timestamptz END,
                  CASE WHEN $3 NOT IN ('pending', 'retrying') THEN $4::timestamptz END
             FROM e RETURNING delivery_id AS id`,
        [webhookId, kind, status, at, i + 1, JSON.stringify({ event: kind, sequence: i + 1 })],
      );
      ids.push(made[0].id);
    }
    return ids;
  }
  const rowsOf = async (webhookId: string) =>
    (
      await db().query('SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY due_at, delivery_id', [
        webhookId,
      ])
    ).rows;

  return Object.assign(lab, { settings, ...owner, list, db, delivered, rowsOf });
}

// A database with secrets of webhooks, mails and the service, which processes with different keys write and seal.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { insertMail } from '../../../src/store/accounts/mails';
import { createStores } from '../../../src/store/create-stores';
import { inTransaction } from '../../../src/store/pg/transaction';
import type { KeyRing } from '../../../src/store/secrets/seal';
import { createSealer } from '../../../src/store/secrets/sealer';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { type Outbox, openOutbox } from '../../support/webhooks/outbox';

export const ALL: KeyRing = ['k1', 'k2', 'k3'].map((id, i) => ({ id, key: Buffer.alloc(32, i + 1) }));
export const DAY_MS = 86_400_000;
const FILTERS = {
  events: [],
  sports: [],
  countries: [],
  venues: [],
  minEdgePct: null,
  bookmakers: [],
  minMovePct: null,
};

export const iso = (aheadMs = 0): string => new Date(Date.now() + aheadMs).toISOString();
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Call it once; every test begins with nothing sealed. */
export function secretsLab() {
  const lab = {} as { db: TestDatabase; api: Pool; worker: Pool; outbox: Outbox; accountId: string };
  beforeAll(async () => {
    lab.db = await createTestDatabase();
    lab.api = poolAs(lab.db, 'racing_api');
    lab.worker = poolAs(lab.db, 'racing_worker');
    lab.outbox = openOutbox(lab.db.pool);
  });
  afterAll(async () => {
    await Promise.all([lab.api?.end(), lab.worker?.end()]);
    await lab.db?.drop();
  });
  beforeEach(() => reset());

  async function reset(): Promise<void> {
    await lab.outbox.rows(
      `TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, mails`,
    );
    await lab.outbox.rows('UPDATE secret_sealing SET key_id = NULL');
    await lab.outbox.rows('UPDATE service_secrets SET secret = $1', randomBytes(32));
    const [row] = await lab.outbox.rows<{ id: string }>(
      `INSERT INTO accounts (plan, created_at) VALUES ('plus', now()) RETURNING account_id AS id`,
    );
    lab.accountId = row!.id;
  }

  const storesWith = (ring: KeyRing, pool = lab.api) => createStores(pool, createSealer(ring));
  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const tables = await lab.outbox.rows<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const parts = tables.map(({ name }) => `SELECT t::text AS line FROM ${name} t`);
    const [all] = await lab.outbox.rows<{ text: string }>(
      `SELECT string_agg(line, chr(10)) AS text FROM (${parts.join(' UNION ALL ')}) lines`,
    );
    return all!.text;
  }
  const linkSecret = (ring: KeyRing) => storesWith(ring).billedAccounts.linkSecret();

  async function createWebhook(ring: KeyRing, more: { url?: string } = {}): Promise<{ id: string; secret: string }> {
    const [id, secret] = [`wh_${randomBytes(6).toString('hex')}`, newSecret()];
    const draft = { webhookId: id, accountId: lab.accountId, url: 'http://127.0.0.1:9/', secret, ...FILTERS, ...more };
    await storesWith(ring).ownedWebhooks.create(draft, iso(), 1000);
    return { id, secret };
  }

  const writeMail = (ring: KeyRing, recipient: string, body: string): Promise<boolean> =>
    inTransaction(lab.api, (client) => {
      const mail = { recipient, subject: 'Sign in', body, at: iso(), giveUpAt: iso(DAY_MS) };
      return insertMail(client, createSealer(ring), mail);
    });

  return Object.assign(lab, { reset, storesWith, dump, linkSecret, createWebhook, writeMail });
}

export type SecretsLab = ReturnType<typeof secretsLab>;

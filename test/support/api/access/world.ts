// The whole API over a seeded database, with everything that an operation needs to reach its last check: races,
// matches, files, payments, mail. Neither credits nor the rights of keys are replaced; the test decides which keys are
// over their rate limit.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createAccounts } from '../../../../src/accounts/accounts';
import { createBilling } from '../../../../src/accounts/billing/billing';
import { billingStores } from '../../../../src/accounts/billing/deps';
import { createPasswords } from '../../../../src/accounts/passwords';
import { createReferrals } from '../../../../src/accounts/referral/referrals';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createFolderStore } from '../../../../src/file-store/folder';
import { createStores } from '../../../../src/store/create-stores';
import type { KeyLimit } from '../../../../src/store/redis/key-limit';
import { LEGAL_VERSIONS } from '../../../../src/web/plain/legal-pages';
import { createResolver } from '../../../../src/webhooks/address/resolver';
import { SIGNER, signedManifest } from '../../manifests';
import { poolAs } from '../../servers/roles';
import { type StripeServer, startStripe } from '../../stripe/server';
import { stripePayments } from '../../stripe/shop';
import { subscribe } from '../../stripe/subscriptions';
import { BASE_URL, NOW, UNCOUNTED } from '../api';
import type { GivenApi } from '../given-api';
import { type Served, seedEverything, serve } from '../served';
import { createSubjects, PASSWORD, type Subject } from './subjects';

export interface Sent {
  readonly status: number;
  /** The credits that it cost, from its header; 0 without one. */
  readonly credits: number;
  readonly text: string;
}

export type AccessWorld = Awaited<ReturnType<typeof createAccessWorld>>;

const CONNECTIONS = 8;

export async function createAccessWorld() {
  const nowMs = Date.parse(NOW);
  const folder = mkdtempSync(join(tmpdir(), 'access-'));
  const files = createFolderStore(folder);
  const stripe = await startStripe(nowMs);
  const payments = stripePayments(stripe);
  await payments.setUp();
  const passwords = createPasswords();
  const overLimit = new Set<string>();
  let pool: Pool | null = null;

  const served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    const stores = createStores(pool);
    const wallMs = () => nowMs;
    const baseUrl = BASE_URL;
    const ofMail = { receivesMail: async () => 'unsure' as const, linksPerMinute: 1e9, mailWritten: () => {} };
    const ofAccounts = { passwords, counts: UNCOUNTED, random: randomBytes, wallMs, baseUrl, versions: LEGAL_VERSIONS };
    const ofWebhooks = { rules: { allowLoopback: false, allowHttp: false }, resolve: createResolver(1000, []) };
    return {
      accounts: createAccounts({ ...stores, ...ofMail, ...ofAccounts }),
      billing: createBilling({ payments, ...billingStores(stores, wallMs), log: { warn: () => {} }, baseUrl, wallMs }),
      referrals: createReferrals(stores.referralCodes, randomBytes),
      charger: createCharger(stores.credits),
      bulk: { manifest: stores.bulkFiles, files, keys: SIGNER.publicKeys },
      webhooks: { store: stores.ownedWebhooks, ...ofWebhooks, random: randomBytes, testPatienceMs: 1 },
      keyLimit: limitOf(overLimit),
      addressBudget: UNCOUNTED,
      responsesCachedMs: 60_000,
    } satisfies Partial<GivenApi>;
  });
  const stores = createStores(served.db.pool);
  const seeded = await seedEverything(served.db);
  for (const period of ['2026-11-20', '2026-10']) await publish(served, files, period);
  const createSubject = createSubjects(served.db, await passwords.hash(PASSWORD));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  return {
    served,
    seeded,
    createSubject,
    connections: CONNECTIONS,
    linkSecret: () => stores.billedAccounts.linkSecret(),
    limitKey: ({ keyId }: Subject) => void overLimit.add(keyId),
    /** The account is a customer of Stripe, with or without a subscription. */
    async buys({ accountId }: Subject, isSubscribed: boolean): Promise<void> {
      const customerId = customerOf(stripe, accountId, isSubscribed);
      await stores.billedAccounts.addCustomer({ accountId, customerId, email: null, replaces: null, at: NOW });
    },
    send: (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Sent> =>
      new Promise((done, failed) => {
        const ofBody = body === undefined ? {} : { 'Content-Type': 'application/json' };
        const url = served.api.url + path;
        const sent = send(url, { method, agent, headers: { ...headers, ...ofBody } }, (response) => {
          const { statusCode: status = 0, headers: got } = response;
          const credits = Number(got['x-credits-cost'] ?? 0);
          // It would never end.
          if (method === 'GET' && got['content-type']?.startsWith('text/event-stream')) {
            response.destroy();
            done({ status, credits, text: '' });
            return;
          }
          let text = '';
          response.setEncoding('latin1').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => done({ status, credits, text })).on('error', failed);
        });
        sent.on('error', failed).end(body);
      }),
    async stop(): Promise<void> {
      agent.destroy();
      await served.stop();
      await pool?.end();
      await stripe.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Redis counts in its own time, in which a busy machine sends too few requests. */
function limitOf(overLimit: ReadonlySet<string>): KeyLimit {
  return {
    windowMs: 60_000,
    take: async (keyId, perMinute) => {
      const admitted = !overLimit.has(keyId);
      return { admitted, remaining: admitted ? perMinute - 1 : 0, waitMs: 60_000 };
    },
  };
}

async function publish({ db }: Served, files: ReturnType<typeof createFolderStore>, period: string): Promise<void> {
  const name = `results/${period}.parquet`;
  const { bytes } = await files.put(name, onePart(Buffer.from('rows')));
  const file = { format: 'parquet' as const, name, sha256: '0'.repeat(64), bytes, rows: 1 };
  const version = { dataset: 'results', period, version: 1, checksum: 'x', columnsKey: 'x', at: NOW };
  const manifest = signedManifest({ dataset: 'results', period, files: [file] });
  await createStores(db.pool).bulkFiles.publish({ ...version, files: [file], manifest });
}

async function* onePart(part: Buffer) {
  yield part;
}

function customerOf({ world }: StripeServer, accountId: string, isSubscribed: boolean): string {
  const own = {
    metadata: { account_id: accountId },
    ...{ balance: 0, tax_ids: [], invoice_settings: { default_payment_method: null } },
  };
  const { id } = world.add('customer', 'cus', own);
  if (!isSubscribed) return id;
  const [price] = world.all('price', (one) => one.lookup_key === 'standard_monthly');
  subscribe(world, id, price, { metadata: { account_id: accountId }, card: world.addCard(id).id });
  return id;
}

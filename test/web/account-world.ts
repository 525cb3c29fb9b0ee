// The whole service as a visitor sees it: board, accounts and operations over one database, with the API's rights.
// Mails stay in the outbox.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createAccounts } from '../../src/accounts/accounts';
import { createBilling } from '../../src/accounts/billing/billing';
import { billingStores } from '../../src/accounts/billing/deps';
import { reconcile } from '../../src/accounts/billing/pass';
import { createPasswords } from '../../src/accounts/passwords';
import { createReferrals } from '../../src/accounts/referral/referrals';
import { createCharger } from '../../src/api/kernel/charging/charger';
import { createAddressCount } from '../../src/api/kernel/limits/address-count';
import { createRefusedCalls } from '../../src/api/kernel/refusals/refused-calls';
import { settingsOf } from '../../src/api/operations/widgets/settings';
import { createAccountPages } from '../../src/api/pages/account-pages';
import { createBoardSource } from '../../src/api/pages/board-source';
import { ownOrigins } from '../../src/own-origin';
import { createStores } from '../../src/store/create-stores';
import { followKeyChanges } from '../../src/store/keys/key-changes';
import { createLiveReads } from '../../src/store/reads/live-board';
import { createReads } from '../../src/store/reads/reads';
import { createLiveBoard } from '../../src/web/board/live-board';
import { LEGAL_VERSIONS } from '../../src/web/plain/legal-pages';
import { createWeb } from '../../src/web/routes';
import { apiOf, partsOf } from '../support/api/given-api';
import { ON_THIS_MACHINE } from '../support/api/served';
import { createTestDatabase } from '../support/servers/database';
import { freePort } from '../support/servers/free-port';
import { poolAs } from '../support/servers/roles';
import { startStripe } from '../support/stripe/server';
import { stripePayments } from '../support/stripe/shop';

export interface AccountWorld {
  readonly url: string;
  /** The path of the link in the last mail to this address. */
  link(recipient: string): Promise<string>;
  /** As an operator does. */
  setPlan(email: string, plan: string): Promise<void>;
  /** A webhook with a delivery whose first attempt failed. */
  addWebhook(email: string, url: string): Promise<void>;
  addWidget(email: string): Promise<void>;
  /** The visitor pays on this page of the payment provider, whose state is then read. */
  pay(url: string): Promise<void>;
  /** What the process does every few seconds. */
  storeRefusals(): Promise<void>;
  close(): Promise<void>;
}

export async function createAccountWorld(): Promise<AccountWorld> {
  const database = await createTestDatabase();
  const pool = poolAs(database, 'racing_api');
  const stores = createStores(pool);
  const reads = createReads(pool);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const log = { error: (fields: object, message: string) => console.error(message, fields) };
  const accounts = createAccounts({
    ...stores,
    passwords: createPasswords(),
    receivesMail: async () => 'yes',
    counts: createAddressCount(null, Date.now),
    random: randomBytes,
    wallMs: Date.now,
    baseUrl,
    versions: LEGAL_VERSIONS,
    mailWritten: () => {},
  });
  const live = createLiveBoard({
    source: createBoardSource({ reads, liveReads: createLiveReads(pool) }),
    now: Date.now,
  });
  const stripe = await startStripe(Date.now());
  const payments = stripePayments(stripe);
  await payments.setUp();
  const wallMs = Date.now;
  const billingDeps = { payments, ...billingStores(stores, wallMs), log: { warn: log.error }, baseUrl, wallMs };
  const billing = createBilling(billingDeps);
  const keyChanges = followKeyChanges(database.url);
  const given = {
    ...stores,
    charger: createCharger(stores.credits, log),
    reads,
    keyChanges,
    keyStores: stores,
    accounts,
    billing,
    referrals: createReferrals(stores.referralCodes, randomBytes),
    webhooks: { store: stores.ownedWebhooks, ...ON_THIS_MACHINE, random: randomBytes },
    now: Date.now,
    baseUrl,
    log,
  };
  const parts = partsOf(given);
  const accountPages = createAccountPages({ parts, stores, baseUrl, ownOrigins: ownOrigins(baseUrl), log });
  const pages = createWeb({ live, now: Date.now, speed: 1, accounts: accountPages });
  const refusals = createRefusedCalls({
    store: stores.refusedCalls,
    process: randomUUID(),
    wallMs,
    log: { warn: log.error },
  });
  const app = apiOf({ ...given, pages, refusals }, parts);
  const server = app.listen(port, '127.0.0.1');
  // After a pause of the machine a client would send on an idle connection that is just being closed.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  return {
    url: baseUrl,
    async link(recipient) {
      const text =
        'SELECT body FROM mails WHERE recipient = $1 ORDER BY created_at DESC, xmin::text::bigint DESC LIMIT 1';
      const { rows } = await database.pool.query<{ body: string }>(text, [recipient]);
      return /\S+\?token=[\w-]+/.exec(rows[0]!.body)![0].slice(baseUrl.length);
    },
    async setPlan(email, plan) {
      const text =
        'UPDATE accounts SET plan = $2 WHERE account_id = (SELECT account_id FROM account_owners WHERE email = $1)';
      await database.pool.query(text, [email, plan]);
    },
    async addWebhook(email, url) {
      const text = `
        WITH w AS (
          INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at)
          SELECT 'wh_0123456789ab', account_id, $2, 'whsec_x', now() FROM account_owners WHERE email = $1 RETURNING webhook_id
        ), d AS (
          INSERT INTO webhook_deliveries (webhook_id, event_id, kind, status, attempt_count)
          SELECT webhook_id, 'evt_x', 'race.result', 'retrying', 1 FROM w RETURNING delivery_id
        ) INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, status_code, error)
          SELECT delivery_id, 1, now(), 35, 500, 'The receiver responded with status 500.' FROM d`;
      await database.pool.query(text, [email, url]);
    },
    async addWidget(email) {
      const text = 'SELECT account_id AS id FROM account_owners WHERE email = $1';
      const [owner] = (await database.pool.query<{ id: string }>(text, [email])).rows;
      const settings = settingsOf({ name: 'Home page', allowed_origins: ['https://www.example.com'] });
      const ids = {
        widgetId: `wg_${'a'.repeat(26)}`,
        embedId: `we_${'a'.repeat(26)}`,
        accountId: owner!.id,
        once: null,
      };
      await stores.ownedWidgets.create({ ...settings, ...ids }, new Date().toISOString(), 1);
    },
    storeRefusals: () => refusals.stop(),
    async pay(url) {
      stripe.people.pay(url);
      await reconcile(billingDeps);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await stripe.close();
      await keyChanges.close();
      await pool.end();
      await database.drop();
    },
  };
}

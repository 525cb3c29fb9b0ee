// The whole service as a visitor meets it: an API process as production wires it, over its own database, with a mail
// server, and with Stripe as our own stateful server, whose clock is the wall clock and race time of everything.

import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { billingStores } from '../../src/accounts/billing/deps';
import { billingPass } from '../../src/accounts/billing/pass';
import { startMailSender } from '../../src/accounts/mail/sender';
import { createSmtpTransport } from '../../src/accounts/mail/transport';
import { mailCreditLevels } from '../../src/accounts/notices/credit-notices';
import { mailPayments } from '../../src/accounts/notices/payment-notices';
import { closeCreditDays } from '../../src/activities/close-credit-days';
import { createApiServer, LIMITS } from '../../src/api/kernel/http/connection/server';
import { settingsOf } from '../../src/api/operations/widgets/settings';
import { loadConfig } from '../../src/config';
import { createLog } from '../../src/log';
import { createStores } from '../../src/store/create-stores';
import { createWiring } from '../../src/wiring/service';
import { createServing } from '../../src/wiring/serving';
import { PATIENT_MS } from '../support/patient';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { freePort } from '../support/servers/free-port';
import { type MailServer, startMailServer } from '../support/servers/mail-server';
import { asLogin, poolAs } from '../support/servers/roles';
import { waitFor } from '../support/servers/service';
import { type StripeServer, startStripe, TEST_KEY, TEST_SECRET } from '../support/stripe/server';
import { stripePayments } from '../support/stripe/shop';
import { passTo } from '../support/stripe/subscriptions';
import { setUpTax } from '../support/stripe/tax';

/** Past, so that the database's clock is ahead of whatever a test lives through. */
const BEGIN = Date.parse('2026-09-21T03:00:00Z');

export interface AccountWorld {
  readonly url: string;
  readonly stripe: StripeServer;
  readonly mail: MailServer;
  readonly db: TestDatabase;
  /** What the service warns of. */
  readonly logged: string[];
  /** Of the database's owner. */
  readonly stores: ReturnType<typeof createStores>;
  /** The clock of the service and of Stripe goes on to this instant; periods that end are renewed. */
  passTo(at: string): void;
  /** Stripe sends the events that it has to send. */
  sendEvents(): Promise<void>;
  /** What another API process does every few minutes: reads what is due from Stripe, and writes notices. */
  pass(): Promise<void>;
  /** Resolves when no mail is to be sent. */
  mailsSent(): Promise<void>;
  /** The path of the link in the last mail to this address. */
  link(recipient: string): Promise<string>;
  /** As an operator does. */
  setPlan(email: string, plan: string): Promise<void>;
  /** A webhook with a delivery whose first attempt failed. */
  addWebhook(email: string, url: string): Promise<void>;
  addWidget(email: string): Promise<void>;
  /** What a worker does every hour, at this instant. */
  closeDays(atMs: number): Promise<void>;
  close(): Promise<void>;
}

/** `settings`: of the service, beside those of a test. `first`: this is another process of that one's world. */
export async function createAccountWorld(
  settings: Readonly<Record<string, string>> = {},
  first: AccountWorld | null = null,
): Promise<AccountWorld> {
  // The machine's name servers are far away: every domain receives mail.
  const dns = jest.spyOn(Resolver.prototype, 'resolveMx').mockResolvedValue([{ exchange: 'mx.example', priority: 1 }]);
  const { db, mail, stripe } = first ?? (await startFarSides());
  const { world } = stripe;
  const logged: string[] = [];
  const service = await startService(db, mail, stripe, { logged, settings });
  const other = otherProcess(db, mail, stripe, service.url);
  const stores = createStores(db.pool);
  const mailsSent = async (): Promise<void> =>
    void (await waitFor(async () => (await stores.mails.waiting()).count === 0, PATIENT_MS));
  return {
    ...{ url: service.url, stripe, mail, db, logged, stores, mailsSent, pass: other.pass },
    passTo: (at) => passTo(world, Date.parse(at)),
    async sendEvents() {
      for (const event of world.events.splice(0))
        expect((await stripe.deliver(event, `${service.url}/webhooks/stripe`)).status).toBe(200);
    },
    async link(recipient) {
      await mailsSent();
      const { text } = mail.received.findLast(({ to }) => to === recipient)!;
      return /\S+\?token=[\w-]+/.exec(text)![0].slice(service.baseUrl.length);
    },
    ...arranging(db, () => world.nowMs),
    async close() {
      await service.stop();
      await other.stop();
      if (first) return;
      await Promise.all([stripe.close(), mail.stop()]);
      await db.drop();
      dns.mockRestore();
    },
  };
}

async function startFarSides() {
  const [db, mail, stripe] = await Promise.all([
    createTestDatabase(),
    startMailServer(),
    startStripe(BEGIN, { servesPages: true }),
  ]);
  setUpTax(stripe.world);
  await stripePayments(stripe, 0, { kind: 'automatic' }).setUp();
  return { db, mail, stripe };
}

interface Started {
  readonly logged: string[];
  readonly settings: Readonly<Record<string, string>>;
}

async function startService(
  { url: owner }: TestDatabase,
  mail: MailServer,
  stripe: StripeServer,
  { logged, settings }: Started,
) {
  // A browser has passkeys for a name only.
  const url = `http://localhost:${await freePort()}`;
  const config = loadConfig({
    ...process.env,
    ...{ DATABASE_URL: asLogin(owner, 'racing_api'), BASE_URL: url, SMTP_URL: mail.url },
    ...{ STRIPE_SECRET_KEY: TEST_KEY, STRIPE_WEBHOOK_SECRET: TEST_SECRET, STRIPE_API_BASE: stripe.url },
    ...{ STRIPE_TAX: 'automatic', WEBHOOKS_ALLOW_LOOPBACK: 'true', WEBHOOKS_ALLOW_HTTP: 'true' },
    ...settings,
  });
  const clock = (): number => stripe.world.nowMs;
  const log = createLog('api', 'warn', undefined, { write: (line) => void logged.push(line) });
  const wiring = { ...createWiring(config, log, 'api'), now: clock, wallMs: clock };
  const ending = new AbortController();
  const serving = createServing(wiring, { ending: ending.signal, cutOff: ending.signal, isJudged: () => true });
  const { baseUrl, trustedProxies } = config.api;
  // After a pause of the machine a client would send on an idle connection that is just being closed.
  const server = createApiServer(serving.app, { baseUrl, trustedProxies }, { ...LIMITS, idleMs: 0, keepAliveMs: 0 });
  await once(server.listen(Number(new URL(url).port), '127.0.0.1'), 'listening');
  serving.start();
  return {
    ...{ url, baseUrl },
    async stop() {
      ending.abort();
      server.closeAllConnections();
      server.close();
      await serving.stop();
      await serving.close();
      await wiring.close();
    },
  };
}

/** A second API process, which serves nothing. */
function otherProcess(db: TestDatabase, mail: MailServer, stripe: StripeServer, baseUrl: string) {
  const pool = poolAs(db, 'racing_api', 2);
  const stores = createStores(pool);
  const wallMs = (): number => stripe.world.nowMs;
  const log = { warn: (fields: object, message: string) => console.error(message, fields) };
  const transport = createSmtpTransport(mail.url, 'Racing odds <no-reply@racing-odds.example>');
  const sender = startMailSender({ mails: stores.mails, transport, wallMs, log });
  const payments = stripePayments(stripe, 0, { kind: 'automatic' });
  const notices = { baseUrl, linkSecret: stores.billedAccounts.linkSecret, mailWritten: () => sender.nudge() };
  return {
    async pass() {
      await billingPass({ payments, ...billingStores(stores, wallMs), log, baseUrl, wallMs });
      await mailPayments({ ...notices, store: stores.paymentNotices }, wallMs());
      await mailCreditLevels({ ...notices, store: stores.creditNotices }, wallMs());
    },
    async stop() {
      await sender.stop();
      await pool.end();
    },
  };
}

function arranging({ pool, url }: TestDatabase, wallMs: () => number) {
  return {
    async closeDays(atMs: number) {
      const worker = poolAs({ url }, 'racing_worker', 2);
      try {
        const closed = await closeCreditDays({
          stores: createStores(worker),
          wallMs: () => atMs,
          log: console as never,
        });
        expect(closed).toMatchObject({ failed: 0, isWhole: true });
      } finally {
        await worker.end();
      }
    },
    async setPlan(email: string, plan: string) {
      const text =
        'UPDATE accounts SET plan = $2 WHERE account_id = (SELECT account_id FROM account_owners WHERE email = $1)';
      await pool.query(text, [email, plan]);
    },
    async addWebhook(email: string, url: string) {
      const text = `
        WITH w AS (
          INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at)
          SELECT 'wh_0123456789ab', account_id, $2, 'whsec_x', now() FROM account_owners WHERE email = $1 RETURNING webhook_id
        ), d AS (
          INSERT INTO webhook_deliveries (webhook_id, event_id, kind, status, attempt_count)
          SELECT webhook_id, 'evt_x', 'race.result', 'retrying', 1 FROM w RETURNING delivery_id
        ) INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, status_code, error)
          SELECT delivery_id, 1, now(), 35, 500, 'The receiver responded with status 500.' FROM d`;
      await pool.query(text, [email, url]);
    },
    async addWidget(email: string) {
      const text = 'SELECT account_id AS id FROM account_owners WHERE email = $1';
      const [owner] = (await pool.query<{ id: string }>(text, [email])).rows;
      const settings = settingsOf({ name: 'Home page', allowed_origins: ['https://www.example.com'] });
      const ids = {
        widgetId: `wg_${'a'.repeat(26)}`,
        embedId: `we_${'a'.repeat(26)}`,
        accountId: owner!.id,
        once: null,
      };
      await createStores(pool).ownedWidgets.create({ ...settings, ...ids }, new Date(wallMs()).toISOString(), 1);
    },
  };
}

// Secrets that are sealed in the database. What must never happen: a secret that can be read in a dump after
// `ops secrets seal`; a value that opens in another row; a delivery that is signed with anything but its customer's
// secrets, whatever runs at the same moment and whichever keys a process has; a value that is lost, wherever the
// command is killed.
import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';
import { startMailSender } from '../../src/accounts/mail/sender';
import { attemptDelivery } from '../../src/activities/webhooks/attempt-delivery';
import { insertMail } from '../../src/store/accounts/mails';
import { createStores } from '../../src/store/create-stores';
import { inTransaction } from '../../src/store/pg/transaction';
import { type KeyRing, NONCE_BYTES, open, type SecretKey, seal } from '../../src/store/secrets/seal';
import { sealStored } from '../../src/store/secrets/seal-stored';
import { createSealer } from '../../src/store/secrets/sealer';
import type { Claims } from '../../src/store/webhooks/claims';
import { createDeliveryStore } from '../../src/store/webhooks/deliveries';
import { openSecrets } from '../../src/store/webhooks/webhook-secrets';
import { PATIENT_MS } from '../support/patient';
import { runs } from '../support/property';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { untilBlocked } from '../support/servers/lock-waiters';
import { poolAs } from '../support/servers/roles';
import { waitFor } from '../support/servers/service';
import { newRace, type Outbox, openOutbox } from '../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes, PLANS, webhookDeps } from '../support/webhooks/posting';
import { type Receiver, startReceiver } from '../support/webhooks/receiver';

const ALL: KeyRing = ['k1', 'k2', 'k3'].map((id, i) => ({ id, key: Buffer.alloc(32, i + 1) }));
const DAY_MS = 86_400_000;
const FILTERS = {
  events: [],
  sports: [],
  countries: [],
  venues: [],
  minEdgePct: null,
  bookmakers: [],
  minMovePct: null,
};

let db: TestDatabase;
let api: Pool;
let worker: Pool;
let outbox: Outbox;
let accountId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  api = poolAs(db, 'racing_api');
  worker = poolAs(db, 'racing_worker');
  outbox = openOutbox(db.pool);
});
afterAll(async () => {
  await Promise.all([api?.end(), worker?.end()]);
  await db?.drop();
});
beforeEach(() => reset());

async function reset(): Promise<void> {
  await outbox.rows(
    `TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, mails`,
  );
  await outbox.rows('UPDATE secret_sealing SET key_id = NULL');
  await outbox.rows('UPDATE service_secrets SET secret = $1', randomBytes(32));
  const [row] = await outbox.rows<{ id: string }>(
    `INSERT INTO accounts (plan, created_at) VALUES ('plus', now()) RETURNING account_id AS id`,
  );
  accountId = row!.id;
}

const iso = (aheadMs = 0): string => new Date(Date.now() + aheadMs).toISOString();
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const storesWith = (ring: KeyRing, pool = api) => createStores(pool, createSealer(ring));
/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await outbox.rows<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const parts = tables.map(({ name }) => `SELECT t::text AS line FROM ${name} t`);
  const [all] = await outbox.rows<{ text: string }>(
    `SELECT string_agg(line, chr(10)) AS text FROM (${parts.join(' UNION ALL ')}) lines`,
  );
  return all!.text;
}
const linkSecret = (ring: KeyRing) => storesWith(ring).billedAccounts.linkSecret();

async function createWebhook(ring: KeyRing, more: { url?: string } = {}): Promise<{ id: string; secret: string }> {
  const [id, secret] = [`wh_${randomBytes(6).toString('hex')}`, newSecret()];
  const draft = { webhookId: id, accountId, url: 'http://127.0.0.1:9/', secret, ...FILTERS, ...more };
  await storesWith(ring).ownedWebhooks.create(draft, iso(), 1000);
  return { id, secret };
}

const writeMail = (ring: KeyRing, recipient: string, body: string): Promise<void> =>
  inTransaction(api, (client) => {
    const mail = { recipient, subject: 'Sign in', body, at: iso(), giveUpAt: iso(DAY_MS) };
    return insertMail(client, createSealer(ring), mail);
  });

describe('a sealed value', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const place = fc.record({ table: text, column: text, row: text });
  const nonce = fc.uint8Array({ minLength: NONCE_BYTES, maxLength: NONCE_BYTES });
  const key = fc.constantFrom(...ALL);

  test('opens in its own place, under its own key and unchanged, and else not', () => {
    fc.assert(
      fc.property(text, place, place, nonce, key, fc.nat(), (plain, own, other, bytes, by, at) => {
        const sealed = seal(Buffer.from(plain), own, by, Buffer.from(bytes));
        expect(open(sealed, own, ALL)).toEqual({ plain: Buffer.from(plain) });
        if (JSON.stringify(own) !== JSON.stringify(other)) expect(open(sealed, other, ALL)).toHaveProperty('problem');
        const without = ALL.filter(({ id }) => id !== by.id);
        expect(open(sealed, own, without)).toHaveProperty('problem');
        expect(open(sealed, own, [...without, { id: by.id, key: randomBytes(32) }])).toHaveProperty('problem');
        // Behind what names it as sealed, and before the last character, which has bits of no byte.
        const i = 'sealed:'.length + (at % (sealed.length - 'sealed:'.length - 1));
        const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
        expect(open(changed, own, ALL)).toHaveProperty('problem');
      }),
      { numRuns: runs(500) },
    );
  });
});

test('a webhook that is deleted while it is leased, and one with a previous secret that does not open, sign nothing', () => {
  const place = { table: 'webhooks', column: 'secret', row: 'wh_1' };
  const [present, previous] = [0, 1].map((i) =>
    seal(Buffer.from(`whsec_${i}`), place, ALL[i]!, randomBytes(NONCE_BYTES)),
  );
  const opened = (ring: KeyRing, secret: string, previousSecret: string | null) =>
    openSecrets(createSealer(ring), { webhookId: 'wh_1', secret, previousSecret });
  expect(opened(ALL, present!, previous!)).toEqual(['whsec_0', 'whsec_1']);
  expect(opened(ALL, 'whsec_2', null)).toEqual(['whsec_2']);
  for (const ring of [ALL.slice(0, 1), ALL.slice(1)])
    expect(opened(ring, present!, previous!)).toHaveProperty('problem');
  expect(opened(ALL, '', null)).toHaveProperty('problem');
});

/** What customers know, step by step. */
interface Known {
  readonly webhooks: Map<string, { secrets: readonly string[] | null; seen: (readonly string[])[] }>;
  /** Texts by recipient. */
  readonly mails: Map<string, string>;
  readonly unsent: Set<string>;
  readonly everything: Set<string>;
}

interface Process {
  ring: KeyRing;
}

const processes = fc.constantFrom(0, 1);
const ringOf = (minLength: number) => fc.shuffledSubarray([...ALL], { minLength });
const STEP = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), by: processes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mail' as const), by: processes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), by: processes }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('rotate' as const), by: processes, at: fc.nat(), ends: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), by: processes, at: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const), by: processes, at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), by: processes, ring: ringOf(0) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('seal' as const),
      ring: ringOf(1),
      killedAfter: fc.option(fc.nat(12), { nil: null }),
    }),
  },
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** A pool on which the process is killed before its next statement. */
function dyingPool(pool: Pool, killedAfter: number | null): Pool {
  let left = killedAfter ?? Number.POSITIVE_INFINITY;
  const query = (...args: Parameters<Pool['query']>) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return pool.query(...args);
  };
  return { connect: () => pool.connect(), query } as unknown as Pool;
}

/** A process that lacks the key refuses to write, and one that waits too long for others is to be run again. */
function expectRefused(error: unknown, ring: KeyRing): void {
  const { message, code } = error as { message: string; code?: string };
  if (message === 'killed' || code === '55P03') return;
  const [, id] = /under the key (\w+), which/.exec(message) ?? [];
  if (id === undefined) throw error;
  expect(ring.map((key) => key.id)).not.toContain(id);
}

function startWorld() {
  const known: Known = { webhooks: new Map(), mails: new Map(), unsent: new Set(), everything: new Set() };
  const running: readonly Process[] = [{ ring: ALL }, { ring: ALL }];
  const turns = new Map<string, Promise<void>>();
  let sealings = 0;

  /** Changes of one webhook follow each other, so that it is known what its customer knows. */
  const inTurn = (id: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work);
    turns.set(
      id,
      turn.catch(() => undefined),
    );
    return turn;
  };
  const chosen = (at: number): string | undefined => [...known.webhooks.keys()][at % Math.max(1, known.webhooks.size)];
  const change = (id: string, secrets: readonly string[] | null): void => {
    const webhook = known.webhooks.get(id)!;
    webhook.secrets = secrets;
    if (secrets !== null) webhook.seen.push(secrets);
  };

  const rotate = (ring: KeyRing, id: string, ends: boolean) =>
    inTurn(id, async () => {
      const { secrets, seen } = known.webhooks.get(id)!;
      if (secrets === null) return;
      const secret = newSecret();
      known.everything.add(secret);
      const next = ends ? [secret] : [secret, secrets[0]!];
      // A claim may see it before this process is answered.
      seen.push(next);
      await storesWith(ring).ownedWebhooks.replaceSecret(accountId, id, secret, ends ? null : iso(DAY_MS));
      change(id, next);
    });
  const remove = (ring: KeyRing, id: string) =>
    inTurn(id, async () => {
      if (known.webhooks.get(id)!.secrets === null) return;
      await storesWith(ring).ownedWebhooks.remove(accountId, id, iso());
      change(id, null);
    });
  const claim = async (ring: KeyRing): Promise<Claims> => {
    const { deliveries } = storesWith(ring, worker);
    const order = { worker: 'one', after: '', endpoints: 100, most: 100, failing: 100, plans: PLANS, now: iso() };
    const claims = await deliveries.claim(order);
    for (const { webhookId, secrets } of claims.claimed) {
      expect(known.webhooks.get(webhookId)!.seen).toContainEqual(secrets);
    }
    for (const one of claims.claimed) {
      const { deliveryId, webhookId, url, attempt, test } = one;
      const ended = {
        status: 'delivered',
        dueAt: null,
        statusCode: 200,
        error: null,
        durationMs: 1,
        slowUntil: null,
      } as const;
      await deliveries.settle({ deliveryId, webhookId, url, attempt, test, at: iso(), ...ended });
    }
    for (const one of claims.unsigned) await deliveries.giveBack(one, iso());
    return claims;
  };
  const send = async (ring: KeyRing): Promise<void> => {
    const { mails } = storesWith(ring);
    for (const { mailId, recipient, text } of await mails.claim(iso(1000), iso(-1000), 100)) {
      if ('problem' in text) continue;
      expect(text.text).toBe(known.mails.get(recipient));
      await mails.sent(mailId, iso());
      known.unsent.delete(recipient);
    }
  };

  const run = async (step: Step): Promise<void> => {
    if (step.kind === 'seal') {
      sealings += 1;
      await sealStored(dyingPool(db.pool, step.killedAfter), step.ring);
      return;
    }
    const { ring } = running[step.by]!;
    if (step.kind === 'restart') running[step.by]!.ring = step.ring;
    if (step.kind === 'create') {
      const { id, secret } = await createWebhook(ring);
      known.everything.add(secret);
      known.webhooks.set(id, { secrets: null, seen: [] });
      change(id, [secret]);
    }
    if (step.kind === 'mail') {
      const [recipient, body] = [`${randomUUID()}@example.com`, `https://odds.example/login?token=${randomUUID()}`];
      known.everything.add(body);
      known.mails.set(recipient, body);
      known.unsent.add(recipient);
      await writeMail(ring, recipient, body).catch((error) => {
        known.unsent.delete(recipient);
        throw error;
      });
    }
    if (step.kind === 'send') await send(ring);
    const id = 'at' in step ? chosen(step.at) : undefined;
    if (id === undefined) return;
    if (step.kind === 'rotate') await rotate(ring, id, step.ends);
    if (step.kind === 'delete') await remove(ring, id);
    if (step.kind === 'deliver') {
      await storesWith(ring).ownedWebhooks.insertTest(id, '{}', iso());
      await claim(ring);
    }
  };
  return {
    known,
    claim,
    send,
    /** All at once. */
    burst: async (steps: readonly Step[]): Promise<void> => {
      await Promise.all(
        steps.map((step) => {
          const { ring } = step.kind === 'seal' ? step : running[step.by]!;
          return run(step).catch((error) => expectRefused(error, ring));
        }),
      );
      for (const webhook of known.webhooks.values()) webhook.seen = webhook.secrets ? [webhook.secrets] : [];
    },
    hasSealed: () => sealings > 0,
  };
}

/** What is stored of every webhook, opened with all keys, is what its customer knows. */
async function expectNothingLost({ webhooks, unsent }: Known, isPlain: boolean): Promise<void> {
  const opened = (id: string, stored: string | null): string | null => {
    if (stored === null || stored === '') return stored;
    const read = createSealer(ALL).open({ table: 'webhooks', column: 'secret', row: id }, stored);
    return 'text' in read ? read.text : read.problem;
  };
  const stored = await outbox.rows<{ id: string; secret: string; previous: string | null }>(
    'SELECT webhook_id AS id, secret, previous_secret AS previous FROM webhooks',
  );
  expect(stored).toHaveLength(webhooks.size);
  for (const { id, secret, previous } of stored) {
    const { secrets } = webhooks.get(id)!;
    expect([opened(id, secret), opened(id, previous)]).toEqual(secrets ? [secrets[0], secrets[1] ?? null] : ['', null]);
    if (isPlain && secrets) expect(secret).toBe(secrets[0]);
  }
  const mails = await outbox.rows<{ recipient: string }>('SELECT recipient FROM mails WHERE body IS NOT NULL');
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([...unsent].sort());
}

test('whatever runs together, whichever keys each process has and wherever sealing is killed: nothing is lost, wrong or readable', async () => {
  const bursts = fc.array(fc.array(STEP, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(bursts, ringOf(ALL.length), async (all, ring) => {
      await reset();
      const link = await linkSecret(ALL);
      const world = startWorld();
      await world.burst([
        { kind: 'create', by: 0 },
        { kind: 'create', by: 1 },
        { kind: 'mail', by: 0 },
      ]);
      for (const steps of all) {
        await world.burst(steps);
        await expectNothingLost(world.known, !world.hasSealed());
        expect(await linkSecret(ALL)).toEqual(link);
      }
      await sealStored(db.pool, ring);
      expect(await sealStored(db.pool, ring)).toEqual({ sealed: 0, resealed: 0, unopened: [] });
      await expectNothingLost(world.known, false);
      expect(await linkSecret([ring[0]!])).toEqual(link);
      const text = await dump();
      for (const plain of [...world.known.everything, link.toString('hex')]) expect(text).not.toContain(plain);
      // What waited for a key is delivered and sent by a process that has the one key.
      const only: KeyRing = [ring[0]!];
      while ((await world.claim(only)).claimed.length > 0);
      await world.send(only);
      expect(world.known.unsent.size).toBe(0);
      const open = await outbox.rows(
        `SELECT status, attempt_count FROM webhook_deliveries WHERE status NOT IN ('delivered', 'cancelled') OR attempt_count > 1`,
      );
      expect(open).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

test('the dump does show what is not sealed, and a plain value of a slow process is sealed by the next run', async () => {
  const { id, secret } = await createWebhook([]);
  await writeMail([], 'jo@example.com', 'token-of-jo');
  const link = (await linkSecret([])).toString('hex');
  const before = await dump();
  for (const plain of [secret, 'token-of-jo', link]) expect(before).toContain(plain);
  expect(await sealStored(db.pool, ALL)).toEqual({ sealed: 3, resealed: 0, unopened: [] });
  // As the release before writes, which does not look under which key.
  const late = newSecret();
  await outbox.rows('UPDATE webhooks SET secret = $2 WHERE webhook_id = $1', id, late);
  expect(await dump()).toContain(late);
  expect(await sealStored(db.pool, ALL)).toEqual({ sealed: 1, resealed: 0, unopened: [] });
  expect(await dump()).not.toContain(late);
  const next: KeyRing = [ALL[1]!, ALL[0]!];
  expect(await sealStored(db.pool, next)).toEqual({ sealed: 0, resealed: 3, unopened: [] });
  expect(await sealStored(db.pool, [ALL[2]!])).toMatchObject({ sealed: 0, resealed: 0, unopened: { length: 3 } });
});

test('sealing waits for a plain value that is being written, and a process without the key writes none after it', async () => {
  const { id } = await createWebhook([]);
  const client = await api.connect();
  await client.query('BEGIN');
  const late = await createSealer(ALL).sealed(client, { table: 'webhooks', column: 'secret', row: id }, 'whsec_late');
  expect(late).toBe('whsec_late');
  const sealing = sealStored(db.pool, ALL);
  await untilBlocked(db.pool, client);
  await client.query('UPDATE webhooks SET secret = $2 WHERE webhook_id = $1', [id, late]);
  await client.query('COMMIT');
  client.release();
  expect(await sealing).toMatchObject({ unopened: [] });
  expect(await dump()).not.toContain('whsec_late');
  for (const ring of [[], [ALL[1] as SecretKey]]) {
    await expect(createWebhook(ring)).rejects.toThrow('secrets are sealed under the key k1');
    await expect(writeMail(ring, 'jo@example.com', 'token')).rejects.toThrow('secrets are sealed under the key k1');
    await expect(linkSecret(ring)).rejects.toThrow('which SECRET_KEYS does not have');
  }
});

describe('what needs a secret that cannot be opened', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  test('is not posted and not counted, and is posted as its customer verifies it by a process with the key', async () => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const [own, moved] = [await createWebhook([], { url }), await createWebhook([], { url })];
    await sealStored(db.pool, ALL);
    await outbox.rows(
      'UPDATE webhooks w SET secret = o.secret FROM webhooks o WHERE o.webhook_id = $1 AND w.webhook_id = $2',
      own.id,
      moved.id,
    );
    await outbox.event('race.result', newRace());
    await fanOutAll(createDeliveryStore(worker));
    const sender = createTestSender();
    const warned: string[] = [];
    const log = { warn: (fields: object) => void warned.push((fields as { webhookId: string }).webhookId) } as never;
    const lanesWith = (ring: KeyRing) =>
      openLanes(worker, sender, { deliveries: createDeliveryStore(worker, createSealer(ring)), asideMs: 20, log });
    const untouched = { status: 'pending', attempt_count: 0, attempts: 0, failure_count: 0 };
    const rows = (id: string) =>
      outbox.rows(
        `SELECT d.status, q.attempt_count, w.failure_count, (SELECT count(*) FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id) AS attempts
           FROM webhook_deliveries d JOIN webhooks w USING (webhook_id) LEFT JOIN webhook_queue q USING (delivery_id) WHERE d.webhook_id = $1`,
        id,
      );

    const without = lanesWith([ALL[1]!]);
    const times = (id: string) => warned.filter((each) => each === id).length;
    await waitFor(async () => times(own.id) > 1 && times(moved.id) > 1, PATIENT_MS);
    await without.close();
    expect(receiver.posts).toEqual([]);
    expect(await rows(own.id)).toEqual([untouched]);
    expect(await rows(moved.id)).toEqual([untouched]);

    // So does the workflow that makes attempts from the fourth on.
    const [delivery] = await outbox.rows<{ id: string }>(
      'UPDATE webhook_queue SET rank = 3 WHERE webhook_id = $1 RETURNING delivery_id AS id',
      own.id,
    );
    const stores = { deliveries: createDeliveryStore(worker, createSealer([])) };
    const deps = { ...webhookDeps(worker, sender, undefined as never), stores };
    const order = { webhookId: own.id, deliveryId: delivery!.id };
    await expect(attemptDelivery(deps, order)).rejects.toThrow(
      'a secret cannot be opened: it is sealed under the key k1',
    );
    await outbox.rows('UPDATE webhook_queue SET rank = 1');
    expect(await rows(own.id)).toEqual([untouched]);

    warned.length = 0;
    const withKey = lanesWith(ALL);
    await waitFor(async () => (await rows(own.id))[0]!.status === 'delivered' && times(moved.id) > 1, PATIENT_MS);
    await withKey.close();
    await sender.close();
    const [post, ...more] = receiver.posts;
    expect(more).toEqual([]);
    new Webhook(own.secret).verify(post!.body, post!.headers as Record<string, string>);
    expect(await rows(moved.id)).toEqual([untouched]);
  });

  test('is not mailed, says why, and is mailed by a process with the key', async () => {
    await writeMail([], 'jo@example.com', 'token-of-jo');
    await sealStored(db.pool, ALL);
    const sent: string[] = [];
    const transport = { send: async ({ body }: { body: string }) => void sent.push(body), close: () => undefined };
    const log = { warn: () => undefined };
    const mailWith = (ring: KeyRing) =>
      startMailSender({ mails: storesWith(ring).mails, transport, wallMs: Date.now, log, pollMs: 3_600_000 });
    const row = async () => (await outbox.rows('SELECT body, problem, sent_at FROM mails'))[0]!;

    const without = mailWith([ALL[1]!]);
    await waitFor(async () => (await row()).problem !== null, PATIENT_MS);
    await without.stop();
    expect(await row()).toMatchObject({
      problem: expect.stringContaining('the key k1'),
      body: expect.any(String),
      sent_at: null,
    });
    await outbox.rows("UPDATE mails SET due_at = now() - interval '1 minute'");
    const withKey = mailWith(ALL);
    await waitFor(async () => (await row()).sent_at !== null, PATIENT_MS);
    await withKey.stop();
    expect(sent).toEqual(['token-of-jo']);
  });
});

// Secrets sealed in the database. Never: a secret that can be read in a dump after `ops secrets seal`; a value that
// opens in another row; a delivery signed with anything but its customer's secrets, whatever runs at the same moment
// and whichever keys a process has; a value that is lost, wherever the command is killed.
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { startMailSender } from '../../../src/accounts/mail/sender';
import { attemptDelivery } from '../../../src/activities/webhooks/attempt-delivery';
import { type KeyRing, NONCE_BYTES, open, type SecretKey, seal } from '../../../src/store/secrets/seal';
import { sealStored } from '../../../src/store/secrets/seal-stored';
import { createSealer } from '../../../src/store/secrets/sealer';
import { createDeliveryStore } from '../../../src/store/webhooks/deliveries';
import { openSecrets } from '../../../src/store/webhooks/webhook-secrets';
import { PATIENT_MS } from '../../support/patient';
import { runs } from '../../support/property';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { waitFor } from '../../support/servers/service';
import { newRace } from '../../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes, webhookDeps } from '../../support/webhooks/posting';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver';
import { ALL, newSecret, secretsLab } from './secrets-lab';

const lab = secretsLab();
const { storesWith, dump, linkSecret, createWebhook, writeMail } = lab;

describe('a sealed value', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const place = fc.record({ table: text, column: text, row: text });
  const nonce = fc.uint8Array({ minLength: NONCE_BYTES, maxLength: NONCE_BYTES });
  const key = fc.constantFrom(...ALL);

  test('opens only in its own place, under its own key and unchanged', () => {
    fc.assert(
      fc.property(text, place, place, nonce, key, fc.nat(), (plain, own, other, bytes, by, at) => {
        const sealed = seal(Buffer.from(plain), own, by, Buffer.from(bytes));
        expect(open(sealed, own, ALL)).toEqual({ plain: Buffer.from(plain) });
        if (JSON.stringify(own) !== JSON.stringify(other)) expect(open(sealed, other, ALL)).toHaveProperty('problem');
        const without = ALL.filter(({ id }) => id !== by.id);
        expect(open(sealed, own, without)).toHaveProperty('problem');
        expect(open(sealed, own, [...without, { id: by.id, key: randomBytes(32) }])).toHaveProperty('problem');
        // After the prefix that marks it as sealed, and before the last character, some of whose bits belong to no
        // byte.
        const i = 'sealed:'.length + (at % (sealed.length - 'sealed:'.length - 1));
        const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
        expect(open(changed, own, ALL)).toHaveProperty('problem');
      }),
      { numRuns: runs(500) },
    );
  });
});

test('a webhook that is deleted while leased, or whose previous secret cannot be opened, signs nothing', () => {
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

test('a dump shows unsealed values, and the next run seals a plain value written by a slow process', async () => {
  const { id, secret } = await createWebhook([]);
  await writeMail([], 'jo@example.com', 'token-of-jo');
  const link = (await linkSecret([])).toString('hex');
  const before = await dump();
  for (const plain of [secret, 'token-of-jo', link]) expect(before).toContain(plain);
  expect(await sealStored(lab.db.pool, ALL)).toEqual({ sealed: 3, resealed: 0, unopened: [] });
  // As the previous release writes, without checking the key.
  const late = newSecret();
  await lab.outbox.rows('UPDATE webhooks SET secret = $2 WHERE webhook_id = $1', id, late);
  expect(await dump()).toContain(late);
  expect(await sealStored(lab.db.pool, ALL)).toEqual({ sealed: 1, resealed: 0, unopened: [] });
  expect(await dump()).not.toContain(late);
  const next: KeyRing = [ALL[1]!, ALL[0]!];
  expect(await sealStored(lab.db.pool, next)).toEqual({ sealed: 0, resealed: 3, unopened: [] });
  expect(await sealStored(lab.db.pool, [ALL[2]!])).toMatchObject({ sealed: 0, resealed: 0, unopened: { length: 3 } });
});

test('sealing waits for a plain value that is being written, and a process without the key writes none after it', async () => {
  const { id } = await createWebhook([]);
  const client = await lab.api.connect();
  await client.query('BEGIN');
  const late = await createSealer(ALL).sealed(client, { table: 'webhooks', column: 'secret', row: id }, 'whsec_late');
  expect(late).toBe('whsec_late');
  const sealing = sealStored(lab.db.pool, ALL);
  await untilBlocked(lab.db.pool, client);
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

describe('an event or a mail whose secret cannot be opened', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  test('is not posted or counted; a process with the key posts it so that its customer can verify it', async () => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const [own, moved] = [await createWebhook([], { url }), await createWebhook([], { url })];
    await sealStored(lab.db.pool, ALL);
    await lab.outbox.rows(
      'UPDATE webhooks w SET secret = o.secret FROM webhooks o WHERE o.webhook_id = $1 AND w.webhook_id = $2',
      own.id,
      moved.id,
    );
    await lab.outbox.event('race.result', newRace());
    await fanOutAll(createDeliveryStore(lab.worker));
    const sender = createTestSender();
    const warned: string[] = [];
    const log = { warn: (fields: object) => void warned.push((fields as { webhookId: string }).webhookId) } as never;
    const lanesWith = (ring: KeyRing) =>
      openLanes(lab.worker, sender, {
        deliveries: createDeliveryStore(lab.worker, createSealer(ring)),
        asideMs: 20,
        log,
      });
    const untouched = { status: 'pending', attempt_count: 0, attempts: 0, failure_count: 0 };
    const rows = (id: string) =>
      lab.outbox.rows(
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
    const [delivery] = await lab.outbox.rows<{ id: string }>(
      'UPDATE webhook_queue SET rank = 3 WHERE webhook_id = $1 RETURNING delivery_id AS id',
      own.id,
    );
    const stores = { deliveries: createDeliveryStore(lab.worker, createSealer([])) };
    const deps = { ...webhookDeps(lab.worker, sender, undefined as never), stores };
    const order = { webhookId: own.id, deliveryId: delivery!.id };
    await expect(attemptDelivery(deps, order)).rejects.toThrow(
      'a secret cannot be opened: it is sealed under the key k1',
    );
    await lab.outbox.rows('UPDATE webhook_queue SET rank = 1');
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

  test('is not mailed and logs why; a process with the key mails it', async () => {
    await writeMail([], 'jo@example.com', 'token-of-jo');
    await sealStored(lab.db.pool, ALL);
    const sent: string[] = [];
    const transport = { send: async ({ body }: { body: string }) => void sent.push(body), close: () => undefined };
    const log = { warn: () => undefined };
    const mailWith = (ring: KeyRing) =>
      startMailSender({ mails: storesWith(ring).mails, transport, wallMs: Date.now, log, pollMs: 3_600_000 });
    const row = async () => (await lab.outbox.rows('SELECT body, problem, sent_at FROM mails'))[0]!;

    const without = mailWith([ALL[1]!]);
    await waitFor(async () => (await row()).problem !== null, PATIENT_MS);
    await without.stop();
    expect(await row()).toMatchObject({
      problem: expect.stringContaining('the key k1'),
      body: expect.any(String),
      sent_at: null,
    });
    await lab.outbox.rows("UPDATE mails SET due_at = now() - interval '1 minute'");
    const withKey = mailWith(ALL);
    await waitFor(async () => (await row()).sent_at !== null, PATIENT_MS);
    await withKey.stop();
    expect(sent).toEqual(['token-of-jo']);
  });
});

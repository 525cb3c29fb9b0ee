// Processes that create, rotate, deliver, mail and seal at the same moment, and what their customers know afterwards.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import type { KeyRing } from '../../../src/store/secrets/seal';
import { sealStored } from '../../../src/store/secrets/seal-stored';
import { createSealer } from '../../../src/store/secrets/sealer';
import type { Claims } from '../../../src/store/webhooks/claims';
import { PLANS } from '../../support/webhooks/posting';
import { ALL, DAY_MS, iso, newSecret, type SecretsLab } from './secrets-lab';

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
export const ringOf = (minLength: number) => fc.shuffledSubarray([...ALL], { minLength });
export const STEP = fc.oneof(
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

export function startWorld(lab: SecretsLab) {
  const known: Known = { webhooks: new Map(), mails: new Map(), unsent: new Set(), everything: new Set() };
  const running: readonly Process[] = [{ ring: ALL }, { ring: ALL }];
  const turns = new Map<string, Promise<void>>();
  let sealings = 0;

  /** Changes of one webhook follow each other, so that its customer's knowledge is known. */
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
      await lab.storesWith(ring).ownedWebhooks.replaceSecret(lab.accountId, id, secret, ends ? null : iso(DAY_MS));
      change(id, next);
    });
  const remove = (ring: KeyRing, id: string) =>
    inTurn(id, async () => {
      if (known.webhooks.get(id)!.secrets === null) return;
      await lab.storesWith(ring).ownedWebhooks.remove(lab.accountId, id, iso());
      change(id, null);
    });
  const claim = async (ring: KeyRing): Promise<Claims> => {
    const { deliveries } = lab.storesWith(ring, lab.worker);
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
    const { mails } = lab.storesWith(ring);
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
      await sealStored(dyingPool(lab.db.pool, step.killedAfter), step.ring);
      return;
    }
    const { ring } = running[step.by]!;
    if (step.kind === 'restart') running[step.by]!.ring = step.ring;
    if (step.kind === 'create') {
      const { id, secret } = await lab.createWebhook(ring);
      known.everything.add(secret);
      known.webhooks.set(id, { secrets: null, seen: [] });
      change(id, [secret]);
    }
    if (step.kind === 'mail') {
      const [recipient, body] = [`${randomUUID()}@example.com`, `https://odds.example/login?token=${randomUUID()}`];
      known.everything.add(body);
      known.mails.set(recipient, body);
      known.unsent.add(recipient);
      await lab.writeMail(ring, recipient, body).catch((error) => {
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
      await lab.storesWith(ring).ownedWebhooks.insertTest(id, '{}', iso());
      await claim(ring);
    }
  };
  return {
    known,
    claim,
    send,
    /** All in parallel. */
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

/** The stored values of every webhook, opened with all keys, equal what its customer knows. */
export async function expectNothingLost(
  { outbox }: SecretsLab,
  { webhooks, unsent }: Known,
  isPlain: boolean,
): Promise<void> {
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

// Events of accounts, for any facts, any webhooks and any process that is killed at a statement of it. Never: an event
// without its fact, a fact without its event or with two; an event of one account at another, or at a webhook that does
// not name it; two deliveries of one event to one webhook, or none.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { ACCOUNT_EVENT_KINDS, type AccountEvent } from '../../../src/domain/events/account-event';
import { eventBody } from '../../../src/domain/events/event';
import { noticeChange } from '../../../src/store/accounts/notices/notice';
import { inTransaction } from '../../../src/store/pg/transaction';
import { NO_KEYS } from '../../../src/store/secrets/sealer';
import { createDeliveryStore } from '../../../src/store/webhooks/deliveries';
import { readLog } from '../../../src/store/webhooks/event-log';
import { noticeAt } from '../../support/api/notices';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { type Death, dyingPool, isKilled } from '../../support/servers/dying-pool';
import { poolAs } from '../../support/servers/roles';
import { type Outbox, openOutbox } from '../../support/webhooks/outbox';

let db: TestDatabase;
let api: Pool;
let worker: Pool;
let outbox: Outbox;
beforeAll(async () => {
  db = await createTestDatabase();
  [api, worker] = [poolAs(db, 'racing_api'), poolAs(db, 'racing_worker')];
  outbox = openOutbox(db.pool);
  await outbox.rows(
    'CREATE TABLE facts_of_test (account_id uuid, kind text); GRANT SELECT, INSERT ON facts_of_test TO racing_api',
  );
});
afterAll(async () => {
  await Promise.all([api.end(), worker.end()]);
  await db.drop();
});

const ACCOUNTS = 3;
const KINDS = ACCOUNT_EVENT_KINDS.slice(0, 4);
const WEBHOOK = fc.record({
  of: fc.nat(ACCOUNTS - 1),
  events: fc.subarray([...KINDS, 'race.result', 'backfill.completed']),
  /** No filter of races, matches or prices applies to an account. */
  more: fc.constantFrom(
    ...[{}, { countries: ['NZ'] }, { sports: ['afl'] }, { venues: ['Randwick'] }, { bookmakers: ['tab'] }],
    ...[{ min_edge_pct: 50 }, { min_move_pct: 50 }, { paused: true }],
    { disabled_at: new Date(), disabled_reason: 'gone' },
  ),
});
const DEATH = fc.option(fc.record({ at: fc.nat(9), isAfter: fc.boolean() }), { nil: null });
const STEP = fc.oneof(
  fc.record({ of: fc.nat(ACCOUNTS - 1), kind: fc.constantFrom(...KINDS), death: DEATH }),
  fc.record({ of: fc.constant(null), death: DEATH }),
);

const at = (): string => new Date().toISOString();
async function unlessKilled(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isKilled(error)) throw error;
  });
}

/** A fact, which this test stores itself, and its event. */
const act = (accountId: string, kind: AccountEvent['kind'], death: Death | null) =>
  inTransaction(dyingPool(api, death), async (client) => {
    await client.query('INSERT INTO facts_of_test VALUES ($1, $2)', [accountId, kind]);
    const notice = { ...noticeAt(at()), event: (): AccountEvent => ({ kind, at: at(), facts: {} }) };
    await noticeChange(client, NO_KEYS, accountId, notice, undefined);
  });
const fanOut = (death: Death | null) =>
  createDeliveryStore(dyingPool(worker, death)).fanOut({ most: 2, plans: ['plus'], bodyOf: eventBody, now: at() });

async function open(webhooks: readonly (typeof WEBHOOK extends fc.Arbitrary<infer T> ? T : never)[]) {
  const ids: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const text = `INSERT INTO accounts (plan, created_at) VALUES ('plus', now()) RETURNING account_id AS id`;
    ids.push((await outbox.rows<{ id: string }>(text))[0]!.id);
  }
  const made = [];
  for (const { of, events, more } of webhooks) {
    const account = ids[of]!;
    made.push({ id: await outbox.webhook({ account_id: account, events, ...more }), account, events, more });
  }
  return { ids, made };
}

test('each goes once to every webhook of its account that names it, and to no other', async () => {
  const property = fc.asyncProperty(
    fc.array(WEBHOOK, { maxLength: 6 }),
    fc.array(STEP, { minLength: 3, maxLength: 12 }),
    async (webhooks, steps) => {
      await outbox.rows(
        'TRUNCATE events, webhooks, webhook_deliveries, webhook_queue, webhook_disablings, facts_of_test',
      );
      const { ids, made } = await open(webhooks);
      for (const step of steps)
        await unlessKilled(step.of === null ? fanOut(step.death) : act(ids[step.of]!, step.kind, step.death));
      while ((await fanOut(null))?.events !== 0);

      const events = await outbox.rows<{ id: string; account: string; kind: string }>(
        'SELECT event_id AS id, account_id AS account, kind FROM events ORDER BY position',
      );
      const facts = await outbox.rows('SELECT account_id AS account, kind FROM facts_of_test ORDER BY 1, 2');
      const sorted = events.map(({ account, kind }) => ({ account, kind }));
      expect(sorted.toSorted((a, b) => (`${a.account} ${a.kind}` < `${b.account} ${b.kind}` ? -1 : 1))).toEqual(facts);
      const wants = (one: (typeof made)[number], event: (typeof events)[number]) =>
        one.account === event.account && one.events.includes(event.kind);
      const posted = await outbox.rows('SELECT webhook_id || event_id AS pair FROM webhook_deliveries ORDER BY 1');
      const due = made
        .filter(({ more }) => !('disabled_at' in more))
        .flatMap((one) => events.filter((event) => wants(one, event)).map(({ id }) => ({ pair: one.id + id })));
      expect(posted).toEqual(due.toSorted((a, b) => (a.pair < b.pair ? -1 : 1)));

      const after = { position: 0, sinceMs: 0 };
      for (const accountId of ids) {
        const list = async (ofAccount: boolean) =>
          (await readLog(api, { accountId, after, events: [], webhookId: null, ofAccount, limit: 100 }))!.bodies.map(
            (body) => JSON.parse(body).id as string,
          );
        const own = events.filter((event) => event.account === accountId && made.some((one) => wants(one, event)));
        expect([await list(true), await list(false)]).toEqual([own.map(({ id }) => id), []]);
      }
    },
  );
  await fc.assert(property, { numRuns: runs(100) });
});

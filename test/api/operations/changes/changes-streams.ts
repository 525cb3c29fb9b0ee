// The stream of changes at two API processes over one database and one Redis, with clients that follow it.
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import { followKeyChanges, type KeyChanges } from '../../../../src/store/keys/key-changes';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Listener } from '../../../../src/store/pg/listener';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { createReads } from '../../../../src/store/reads/reads';
import { createRedis } from '../../../../src/store/redis/redis';
import { createStreamLeases } from '../../../../src/store/redis/stream-leases';
import { keyRow, newKey, startApi, type TestApi } from '../../../support/api/api';
import type { GivenApi } from '../../../support/api/given-api';
import { BETSLIP, seedEverything } from '../../../support/api/served';
import { openStream, type StreamClient } from '../../../support/api/stream-client';
import { PATIENT_MS } from '../../../support/patient';
import { addRace } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

export const HERE = '/v1/racing/changes/stream';

interface Row {
  readonly win_price: number;
}

export async function until(is: () => Promise<boolean>): Promise<void> {
  const late = AbortSignal.timeout(PATIENT_MS);
  while (!(await is())) {
    late.throwIfAborted();
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** Call it once; every client is closed after its test. */
export function changesStreams() {
  const lab = {} as {
    db: TestDatabase;
    pool: Pool;
    keyChanges: KeyChanges & Listener;
    redis: Redis;
    apis: [TestApi, TestApi];
    raceId: string;
  };
  const clients: StreamClient[] = [];

  const start = (over: Partial<GivenApi> = {}): Promise<TestApi> => {
    const { keys, credits, usage } = createStores(lab.pool);
    return startApi({
      reads: createReads(lab.pool),
      keys,
      usage,
      keyChanges: lab.keyChanges,
      charger: createCharger(credits),
      streamLeases: createStreamLeases(lab.redis, lab.db.url),
      betslipTemplates: BETSLIP,
      streamBounds: { renewMs: 50 },
      ...over,
    });
  };

  beforeAll(async () => {
    lab.db = await createTestDatabase();
    lab.pool = poolAs(lab.db, 'racing_api', 20);
    lab.keyChanges = followKeyChanges(lab.db.url);
    lab.redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
    await seedEverything(lab.db);
    ({ raceId: lab.raceId } = await addRace(
      lab.db.pool,
      { venue: 'Streamfield', startTime: '2026-11-21T04:00:00.000Z' },
      {
        tab: { runners: [feedRunner(1, { win: 3 }), feedRunner(2, { win: 5 })] },
        betfair_ex_au: { runners: [feedRunner(1, { win: 777.5 })] },
      },
    ));
    lab.apis = [await start(), await start()];
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    for (const api of lab.apis) await api.close();
    await lab.keyChanges.close();
    lab.redis.disconnect();
    await lab.pool.end();
    await lab.db.drop();
  });

  async function addKey(plan = 'standard'): Promise<string> {
    const key = newKey();
    await createStores(lab.db.pool).keys.insert(hashApiKey(key), keyRow(key, { plan }));
    return key;
  }

  async function open(
    key: string,
    over: Parameters<typeof openStream>[2] = {},
    api = lab.apis[0],
  ): Promise<StreamClient> {
    const client = await openStream(api.url, key, over);
    clients.push(client);
    return client;
  }

  let polls = 0;
  /** A poll of the race; runner 1 has the price. */
  const poll = (win: number, book = 'tab', quotes = createQuoteStore(lab.db.pool)) =>
    quotes.savePoll({
      raceId: lab.raceId,
      bookmakerKey: book,
      fence: { epoch: 1, attempt: 1 },
      observedAt: new Date(Date.parse('2026-11-21T03:00:00.000Z') + polls++ * 1000).toISOString(),
      bookAt: null,
      snapshot: raceSnapshot({ runners: [feedRunner(1, { win }), feedRunner(2, { win: 5 })] }),
      marketStateSource: false,
      startSource: false,
    });

  const rowsIn = ({ data }: { data: { races?: { race_id: string; changed_runners: Row[] }[] } }): Row[] =>
    (data.races ?? []).filter((race) => race.race_id === lab.raceId).flatMap((race) => race.changed_runners ?? []);
  const hasPrice = (win: number) => (event: Parameters<typeof rowsIn>[0]) =>
    rowsIn(event).some((row) => row.win_price === win);

  async function used(key: string): Promise<number> {
    const { rows } = await lab.db.pool.query(
      `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0)::int AS used
         FROM credit_ledger l JOIN api_keys k USING (account_id) WHERE k.key_hash = $1 AND subject = $2`,
      [hashApiKey(key), HERE],
    );
    return rows[0].used;
  }

  return Object.assign(lab, { clients, start, addKey, open, poll, rowsIn, hasPrice, used });
}

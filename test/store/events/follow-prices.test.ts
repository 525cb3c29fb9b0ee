// When the follower of best prices writes `odds.change` (D56). That nothing is lost is tested in
// test/api/operations/changes/racing-changes.property.test.ts.
import type { Pool } from 'pg';
import { ajv } from '../../../src/api/kernel/input/ajv';
import { OddsChangeEvent } from '../../../src/api/operations/events/odds-change-schema';
import { eventBody } from '../../../src/domain/events/event';
import { follow } from '../../../src/store/events/follow-prices';
import { closed } from '../../support/api/conforms';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
  await db.pool.query(
    `INSERT INTO accounts (account_id, plan, created_at) VALUES ('00000000-0000-4000-8000-00000000000a', 'plus', now())`,
  );
  await db.pool.query(
    `INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at)
     VALUES ('wh_000000000001', '00000000-0000-4000-8000-00000000000a', 'https://receiver.example', 'whsec_', now())`,
  );
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const set = (what: string) => db.pool.query(`UPDATE webhooks SET ${what}`);
const events = async () =>
  (await db.pool.query(`SELECT * FROM events WHERE kind = 'odds.change' ORDER BY written`)).rows;

test('writes at most one event per race every five seconds, and none while no webhook wants it', async () => {
  const { raceId, poll, before: ahead } = await storeRace(db, {}, ['ladbrokes_au', 'tab', 'betfair_ex_au']);
  const pass = (seconds: number, plans = ['plus']) => follow({ pool, now: () => ahead(seconds), entitledPlans: plans });
  await poll(900, { runners: feedField(2.5, 4.2, null) });
  for (const [off, on] of [
    ['paused = true', 'paused = false'],
    [`disabled_at = now(), disabled_reason = 'gone'`, 'disabled_at = NULL, disabled_reason = NULL'],
    ['deleted_at = now()', 'deleted_at = NULL'],
    [`events = '{race.result}'`, `events = '{race.result,odds.change}'`],
  ] as const) {
    await set(off);
    expect(await pass(890)).toBe(0);
    await set(on);
  }
  expect(await pass(890, ['business'])).toBe(0);

  const passes = await Promise.all(Array.from({ length: 5 }, () => pass(890)));
  expect(passes.sort()).toEqual([0, 0, 0, 0, 1]);
  await poll(889, { runners: feedField(9, 4.2, 9) }, { bookmakerKey: 'betfair_ex_au', startSource: false });
  await poll(888, { runners: feedField(2.7, 4.2, null) }, { bookmakerKey: 'tab', startSource: false });
  expect([await pass(887), await pass(886)]).toEqual([0, 0]);
  await poll(885.5, { runners: feedField(2.9, 4.2, null) }, { bookmakerKey: 'tab', startSource: false });
  // Nothing was written since, and it is due.
  expect([await pass(885.1), await pass(885), await pass(880)]).toEqual([0, 1, 0]);

  const [first, second, ...more] = await events();
  expect(more).toEqual([]);
  const { race_id, runners } = second.facts;
  expect([second.occurred_at, race_id, first.facts.runners[0].previous_price]).toEqual([ahead(885), raceId, null]);
  expect(
    runners.map((one: { previous_price: unknown; best_win: unknown }) => [one.best_win, one.previous_price]),
  ).toEqual([
    [{ price: 2.9, bookmaker: 'tab' }, 2.5],
    [{ price: 4.2, bookmaker: 'tab' }, 4.2],
    [null, null],
  ]);
  const validate = ajv.compile(closed(OddsChangeEvent) as object);
  const body = { eventId: second.event_id, kind: second.kind, occurredAt: second.occurred_at, facts: second.facts };
  validate(JSON.parse(eventBody({ ...body, raceId, accountId: null, sequence: 1 })));
  expect(validate.errors ?? []).toEqual([]);
});

// Which webhooks get an event, as rows: by their filters, accounts and plans, only the newest price, and in parts if
// there are many.
import { eventBody } from '../../../src/domain/events/event';
import { startFanOut } from '../../../src/webhooks/fan-out-loop';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import { newRace } from '../../support/webhooks/outbox';
import { deliveriesLab, MINUTE, PLANS } from './deliveries-lab';

const lab = deliveriesLab();
const { outbox, now, fanOut, claimed, end, endLeases, statuses } = lab;

/** As a feed that spells its venue `spelling` has listed it. */
const raceAt = async (race: string, venueId: string, spelling: string): Promise<void> => {
  await outbox.rows(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, start_time, first_seen_at, updated_at)
     VALUES ($1, '2026-11-21', 'horse', $2, $2, $2, $2, 4, now(), now(), now())`,
    race,
    venueId,
  );
  await outbox.rows(`INSERT INTO venue_spellings VALUES ($1, $2, 'horse', 'AU', now(), now())`, venueId, spelling);
};

test('each webhook gets the events that its filters, its account and its plan allow', async () => {
  const all = await outbox.webhook();
  const kinds = await outbox.webhook({ events: ['race.result', 'arb.opportunity'], min_edge_pct: 2 });
  const dogs = await outbox.webhook({ sports: ['racing_greyhound'] });
  const nz = await outbox.webhook({ countries: ['NZ'] });
  const randwick = await outbox.webhook({
    venues: ['ROYAL Randwick', 'Nowhere'],
    events: ['race.result', 'race.odds_open'],
  });
  await outbox.webhook({ deleted_at: new Date() });
  await outbox.webhook({ disabled_at: new Date(), disabled_reason: 'gone' });
  const race = newRace();
  await raceAt(race, 'randwick', 'Royal Randwick');
  const elsewhere = newRace();
  await raceAt(elsewhere, 'addington', 'Addington');
  const [{ account_id: owner } = {}] = await outbox.rows('SELECT account_id FROM webhooks WHERE webhook_id = $1', dogs);
  const result = await outbox.event('race.result', race);
  const facts = { race_id: elsewhere, venue: 'Addington' };
  const dogResult = await outbox.event('race.result', elsewhere, { category: 'greyhound', country: 'NZ', facts });
  const thin = await outbox.event('arb.opportunity', null, { category: 'afl', facts: { edge_pct: 1.9 } });
  const wide = await outbox.event('arb.opportunity', null, { category: 'afl', facts: { edge_pct: 2 } });
  const own = await outbox.event('backfill.completed', null, { account_id: owner });
  const open = await outbox.event('race.odds_open', race);
  expect(await fanOut()).toEqual({ events: 6, made: 13, offered: 13, superseded: 0 });
  const got = async (id: string) =>
    (await outbox.rows('SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY written', id)).map(
      ({ event_id }) => event_id,
    );
  expect(await got(all)).toEqual([result, dogResult, thin, wide, open]);
  expect(await got(kinds)).toEqual([result, dogResult, wide]);
  // A racing filter means racing only.
  expect(await got(dogs)).toEqual([dogResult, own]);
  expect(await got(nz)).toEqual([dogResult]);
  expect(await got(randwick)).toEqual([result, open]);
  const [{ body, sequence } = {}] = await outbox.rows('SELECT body, sequence FROM events WHERE event_id = $1', open);
  expect(sequence).toBe(2);
  expect(JSON.parse(String(body))).toMatchObject({ event: 'race.odds_open', id: open, sequence: 2, race_id: race });
  expect(await fanOut()).toEqual({ events: 0, made: 0, offered: 0, superseded: 0 });
});

test('a paused webhook, or one whose plan has none, gets cancelled rows with the reason, and no price moves', async () => {
  await outbox.webhook({ paused: true });
  await outbox.webhook({ plan: 'standard' });
  await outbox.event('race.result', newRace());
  await outbox.event('odds.change', newRace());
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 0, superseded: 0 });
  const rows = await outbox.rows('SELECT kind, status, error FROM webhook_deliveries ORDER BY error');
  expect(rows).toEqual([
    { kind: 'race.result', status: 'cancelled', error: 'The plan of the account does not include webhooks.' },
    { kind: 'race.result', status: 'cancelled', error: 'The webhook is paused.' },
  ]);
});

test('only the newest price move of a race is sent, none after a minute, and none after a newer one', async () => {
  const id = await outbox.webhook({ events: ['odds.change'] });
  const race = newRace();
  const other = newRace();
  await outbox.event('odds.change', race);
  await outbox.event('odds.change', other);
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 2, superseded: 0 });
  await outbox.event('odds.change', race);
  const newest = await outbox.event('odds.change', race);
  expect(await fanOut()).toEqual({ events: 2, made: 2, offered: 2, superseded: 2 });
  const [old, sent] = [...(await claimed())].sort((one) => (one.eventId === newest ? 1 : -1));
  expect(sent!.eventId).toBe(newest);
  // It fails, and a newer one comes before it is retried.
  await end(old!, 'delivered');
  await end(sent!, 'pending', { dueAt: new Date(lab.nowMs + 5000).toISOString() });
  const newer = await outbox.event('odds.change', race);
  await fanOut();
  lab.nowMs += 6000;
  expect((await claimed()).map(({ eventId }) => eventId)).toEqual([newer]);
  await outbox.event('odds.change', other);
  await fanOut();
  lab.nowMs += MINUTE;
  expect(await claimed()).toEqual([]);
  await endLeases();
  expect(await lab.deliveries.tidy(now())).toEqual({ freed: 1, expired: 2 });
  await outbox.event('odds.change', race, { written_at: new Date(lab.nowMs - 2 * MINUTE) });
  expect(await fanOut()).toEqual({ events: 1, made: 0, offered: 0, superseded: 0 });
  expect([...new Set(await statuses())].sort()).toEqual(['cancelled', 'delivered']);
  expect(await outbox.rows('SELECT 1 FROM webhooks WHERE webhook_id = $1 AND failure_count = 1', id)).toHaveLength(1);
});

/** Deliveries per statement. */
async function refuseMoreThanFour(): Promise<void> {
  await outbox.rows(`
    CREATE OR REPLACE FUNCTION too_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM made) > 4 THEN RAISE 'too many'; END IF; RETURN NULL; END $$`);
  await outbox.rows(`
    CREATE TRIGGER too_many AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION too_many()`);
}

test('a batch too large for the database is written again in parts', async () => {
  await outbox.webhook();
  await outbox.webhook({ paused: true });
  for (let n = 0; n < 5; n++) await outbox.event('race.result', newRace());
  await refuseMoreThanFour();
  const loop = startFanOut({
    deliveries: lab.deliveries,
    plans: PLANS,
    wallMs: () => lab.nowMs,
    made: () => undefined,
    log: { warn: () => undefined },
  });
  try {
    // The first two events'; the next batch is as large as their number allows, and is cut down again.
    await waitFor(async () => (await statuses()).length >= 4, PATIENT_MS);
  } finally {
    await loop.close();
    await outbox.rows('DROP TRIGGER too_many ON webhook_deliveries');
  }
});

test('an event for more webhooks than one statement takes is written in parts at once', async () => {
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await outbox.webhook(n === 0 ? { paused: true } : {}));
  const race = newRace();
  await outbox.event('odds.change', race);
  await fanOut();
  await outbox.event('odds.change', race);
  const result = await outbox.event('race.result', race);
  await refuseMoreThanFour();
  try {
    const order = { most: 100, plans: PLANS, bodyOf: eventBody, now: now() };
    // Both events for each part: a part of three would be too much.
    expect(await lab.deliveries.fanOut({ ...order, webhooks: 2 })).toEqual({
      events: 2,
      made: 9,
      offered: 8,
      superseded: 4,
    });
  } finally {
    await outbox.rows('DROP TRIGGER too_many ON webhook_deliveries');
  }
  const got = await outbox.rows('SELECT webhook_id FROM webhook_deliveries WHERE event_id = $1', result);
  expect(got.map(({ webhook_id }) => webhook_id).sort()).toEqual(ids.sort());
});

// The followers of the Python client on the real service, through a connection that breaks. Never: an event that is
// lost or passed on twice, a batch after which the board is not `next-to-go`, a follower that goes on for ever.
import { hashApiKey } from '../../../src/store/keys/keys';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { createRedis } from '../../../src/store/redis/redis';
import { createStreamLeases } from '../../../src/store/redis/stream-leases';
import { type Served, serve } from '../../support/api/served';
import { withoutAges } from '../../support/api/without-ages';
import { Agent, installForPackage } from '../../support/clients/racing/agent';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

const installed = installForPackage();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';

/** Waits are short, so that a follower is soon back. */
const CLIENT = 'client = client_of(key, max_retries=0, sleep=lambda seconds: time.sleep(0.02), transport=watched)';
const START = `import time; watched = Watched(); ${CLIENT}`;

(installed.lacks ? describe.skip : describe)(`followers of the Python client${why}`, () => {
  let served: Served;
  let line: TcpLine;
  let agent: Agent;
  let key: string;
  let raceId: string;
  let redis: ReturnType<typeof createRedis>;

  beforeAll(async () => {
    redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
    served = await serve(({ url }) => ({
      streamLeases: createStreamLeases(redis, url),
      streamBounds: { renewMs: 50 },
    }));
    const runners = [feedRunner(1, { win: 3, place: 1.5 }), feedRunner(2, { win: 5 })];
    const race = { venue: 'Guidefield', startTime: '2026-11-21T05:00:00.000Z' };
    ({ raceId } = await addRace(served.db.pool, race, { tab: { runners } }));
    line = await tcpLine(served.api.url);
    agent = new Agent(installed.python!, line.url);
  });
  beforeEach(async () => {
    key = await served.addKey({ plan: 'enterprise' });
    await agent.run(START, { key });
  });
  afterAll(async () => {
    await agent?.stop();
    await line?.close();
    await served?.stop();
    redis?.disconnect();
  });

  let polls = 0;
  const poll = (place: number, win = 3): Promise<unknown> =>
    createQuoteStore(served.db.pool).savePoll({
      raceId,
      bookmakerKey: 'tab',
      fence: { epoch: 1, attempt: 1 },
      observedAt: new Date(Date.parse('2026-11-21T02:59:55.000Z') + polls++).toISOString(),
      bookAt: null,
      snapshot: raceSnapshot({ runners: [feedRunner(1, { win, place }), feedRunner(2, { win: 5 })] }),
      marketStateSource: false,
      startSource: false,
    });

  async function until(is: () => Promise<boolean>): Promise<void> {
    const late = AbortSignal.timeout(PATIENT_MS);
    while (!(await is())) {
      late.throwIfAborted();
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  /** Each look is five seconds later, so that freshness is due. */
  const untilEqual = (follower: string): Promise<void> =>
    until(async () => {
      served.api.now += 5000;
      const { body } = await served.api.get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key);
      const races = await agent.run(`list(${follower}.board.races.values())`);
      return JSON.stringify(withoutAges(races)) === JSON.stringify(withoutAges(body));
    });

  test('the stream keeps a board equal to next-to-go through every kind of break, and repeats nothing', async () => {
    const leaving = await addRace(
      served.db.pool,
      { venue: 'Leavefield', startTime: '2026-11-21T05:30:00.000Z' },
      { tab: { runners: [feedRunner(1, { win: 2 })] } },
    );
    await agent.run('live = Following(client.follow(silence_seconds=1))');
    await untilEqual('live');
    const breaks = [
      async () => {},
      () => line.mend(),
      async () => line.swallow(),
      async () => line.endInside('event: race'),
      async () => line.endInside('id: '),
      async () => {
        await line.cut();
        await poll(4.5);
        const over = `UPDATE races SET start_time = '2026-11-21T02:00:00Z' WHERE race_id = $1`;
        await served.db.pool.query(over, [leaving.raceId]);
        await line.mend();
      },
    ];
    for (const [i, place] of [1.6, 1.7, 1.8, 1.9, 2, 2.1].entries()) {
      await breaks[i]!();
      await poll(place);
      await untilEqual('live');
      await served.db.pool.query(
        `UPDATE race_runners SET jockey = coalesce(jockey, '') || 'A' WHERE race_id = $1 AND number = 2`,
        [raceId],
      );
      await untilEqual('live');
    }
    const [seen, ids, empty, kinds, lastIds] = await agent.run(`
events = [one for batch in live.batches for one in batch.events]
rows = [row for one in events if one["event"] == "changes" for race in one["data"]["races"] for row in race["changed_runners"]]
[
    [f"{row['number']} {row['place_price']}" for row in rows],
    [batch.id for batch in live.batches],
    [batch for batch in live.batches if not batch.id or not batch.events],
    sorted({one["event"] for one in events}),
    watched.last_ids,
]`);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen).size).toBe(seen.length);
    const times = ids.map((id: string) => id.split(' ')[0]!);
    expect([times, empty]).toEqual([[...times].sort(), []]);
    // No state was sent whole a second time.
    expect([lastIds[0], lastIds.length > 4, lastIds.slice(1).filter((id: string) => !id)]).toEqual([null, true, []]);
    expect(kinds).not.toContain('reset');
    // Its owner knows why it ends; a key is looked up again after half a minute.
    await served.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
    served.api.now += 60_000;
    await until(async () => !(await agent.run('live.thread.is_alive()')));
    expect((await agent.run('described(live.error)')).kinds[0]).toBe('AuthenticationError');
    // A connection is closed before the next one is made, and the last one too.
    expect(await agent.run('watched.answers == watched.closed')).toBe(true);
  });

  test('another program goes on where one stopped, and the one that still runs ends for good', async () => {
    await agent.run('first = Following(client.follow())');
    await untilEqual('first');
    await agent.run('second = Following(client.follow(last_event_id=first.batches[-1].id))');
    await until(async () => !(await agent.run('first.thread.is_alive()')));
    expect(await agent.run('described(first.error)')).toMatchObject({
      kinds: expect.arrayContaining(['ConflictError']),
      problem: { reason: 'replaced' },
    });
    await poll(3.3);
    await until(async () => (await agent.run('len(second.batches)')) > 0);
    const kinds = await agent.run('sorted({one["event"] for batch in second.batches for one in batch.events})');
    expect([kinds.includes('reset'), kinds.includes('state')]).toEqual([false, true]);
    await agent.run('for id, race in first.board.races.items(): second.board.races.setdefault(id, race)');
    await untilEqual('second');
  });

  test('a loop that is left closes its connection; an absent service is given up', async () => {
    const left = await agent.run(`
for batch in client.follow({"categories": ["horse"]}):
    break
open_then = [watched.answers, watched.closed]
[batch.events[-1]["event"], open_then]`);
    // Python closes what nothing refers to any more.
    expect(left).toEqual(['state', [1, 1]]);
    await line.cut();
    const failed = await agent.run(`
clock = Clock()
failure_of(lambda: next(client_of(key, clock=clock, give_up_after_seconds=120).follow()))`);
    expect(failed.kinds[0]).toBe('OddsConnectionError');
    const [waits, total] = await agent.run('[clock.waits[:6], clock.now]');
    expect(waits).toEqual([1.5, 3, 6, 12, 22.5, 22.5]);
    expect(total).toBeLessThanOrEqual(120);
    await line.mend();
  });

  test('changes by cursor come once each, although answers overlap and connections break', async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    await agent.run(
      `
followed = Following(client.follow_changes(since=since, every_seconds=0))
received = lambda: [
    row["win_price"]
    for batch in followed.batches for race in batch.races if race["race_id"] == race_id
    for row in race["changed_runners"] if row["number"] == 1
]`,
      { since, race_id: raceId },
    );
    const prices = [4.1, 4.2, 4.3, 4.4];
    for (const [i, price] of prices.entries()) {
      if (i === 1) await line.cut();
      if (i === 2) line.endInside('changed_runners');
      await poll(2.5, price);
      if (i === 1) await line.mend();
      await until(async () => (await agent.run('received()')).includes(price));
      // Those that come now repeat it.
      const before = await agent.run('watched.answers');
      await until(async () => (await agent.run('watched.answers')) > before + 2);
    }
    expect(await agent.run('received()')).toEqual(prices);
  });
});

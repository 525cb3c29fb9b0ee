// What an attempt of each tier stores, and when it ends: the card's every quarter of an hour, the live poller's when
// the market closes.
import { setTimeout as delay } from 'node:timers/promises';
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import type { PollerHost, PollerProgress } from '../../../src/activities/polling/poller';
import { initialRace, step } from '../../../src/domain/lifecycle/lifecycle';
import { pollsUnderWay } from '../../support/races/polls-under-way';
import { type ActivityLab, discovered, HOUR, MINUTE, NOON, openLab } from '../lab';
import { nextDelay, RACE } from './one-race';

let lab: ActivityLab;
afterEach(() => lab.close());

describe('card tier', () => {
  test('every attempt stores what each book shows and schedules the next after a quarter of an hour', async () => {
    lab = await openLab([{ ...RACE, startMs: NOON + 5 * HOUR }]);
    const raceId = await discovered(lab, 'card');
    const race = { raceId, epoch: 1, turn: 1, marketShut: false };
    expect(await nextDelay(lab.run('pollCard', [race]))).toBe(15 * MINUTE);
    const rows = await lab.query('SELECT polled_at, cardinality(numbers) AS runners FROM race_books');
    expect(rows).toEqual(Array(4).fill({ polled_at: new Date(NOON).toISOString(), runners: 8 }));
    expect(await lab.run('pollCard', [{ ...race, epoch: 0 }])).toEqual({ kind: 'superseded', held: 1 });
  });

  test('an attempt older than the race’s current one is fenced out, in any activity', async () => {
    lab = await openLab([{ ...RACE, startMs: NOON + 5 * HOUR }]);
    const race = { raceId: await discovered(lab, 'card'), epoch: 1, turn: 1, marketShut: false };
    await nextDelay(lab.run('pollCard', [race], 300));
    expect(await lab.run('pollCard', [race], 299)).toEqual({ kind: 'fenced', held: 1 });
    await nextDelay(lab.run('pollCard', [{ ...race, turn: 2 }], 1));
  });

  test.each([
    ['was reset to an earlier epoch', 'UPDATE race_control SET epoch = 4'],
    ['lost its control row', 'DELETE FROM race_control'],
    [
      'lost its control row, after books were written under epoch 7',
      'UPDATE race_books SET epoch = 7',
      'DELETE FROM race_control',
    ],
  ])('a race whose workflow %s is polled again after one decision', async (_, ...losses) => {
    const startMs = NOON + 5 * HOUR;
    lab = await openLab([{ ...RACE, startMs }]);
    const raceId = await discovered(lab, 'card');
    const at = new Date(NOON).toISOString();
    const facts = { category: 'horse', country: 'AU', startVersion: 1, at } as const;
    const started = step(initialRace({ raceId, advertisedStart: new Date(startMs).toISOString(), ...facts }), {
      type: 'tick',
      at,
    });
    for (const loss of losses) await lab.query(loss);
    const poll = (epoch: number) => lab.run('pollCard', [{ raceId, epoch, turn: 1, marketShut: false }]);
    const refusal = (await poll(started.state.epoch)) as { held: number | null };
    const { state, effects } = step(started.state, {
      type: 'refused',
      epoch: started.state.epoch,
      held: refusal.held,
      at,
    });
    await lab.run('carryOut', [{ raceId, effects: effects as never }]);
    expect(await nextDelay(poll(state.epoch))).toBe(15 * MINUTE);
    expect(await lab.query('SELECT DISTINCT polled_at FROM race_books')).toEqual([{ polled_at: at }]);
  });

  test('an abandonment is reported at once, unless an operator has reinstated the race', async () => {
    lab = await openLab([{ ...RACE, startMs: NOON + 5 * HOUR, abandonedSecondsBefore: 4 * 3600 }]);
    const raceId = await discovered(lab, 'card');
    lab.clock.nowMs = NOON + HOUR + MINUTE;
    const race = { raceId, epoch: 1, turn: 1, marketShut: false };
    const outcome = await lab.run('pollCard', [race]);
    expect(outcome).toMatchObject({ kind: 'abandoned', note: 'abandoned' });
    // Its closed market is still reported: for the market, not for the race.
    const again = { ...race, turn: 2, reinstated: true };
    lab.clock.nowMs += 1000;
    expect(await lab.run('pollCard', [again])).toMatchObject({ kind: 'market-closed' });
    lab.clock.nowMs += 1000;
    expect(await nextDelay(lab.run('pollCard', [{ ...again, marketShut: true }]))).toBe(15 * MINUTE);
    const watch = { raceId, jumpedAt: new Date(NOON + HOUR).toISOString(), known: null };
    expect(await lab.run('awaitResult', [watch])).toMatchObject({ kind: 'abandoned' });
    expect(await nextDelay(lab.run('awaitResult', [{ ...watch, reinstated: true }]))).toBe(30_000);
  });
});

/** A host whose waits move the world's clock, and that stops after `mostMs` of it. */
function hostOf(over: Partial<PollerHost> = {}) {
  const beats: PollerProgress[] = [];
  const under = pollsUnderWay(lab.deps);
  const untilMs = lab.clock.nowMs + 30 * MINUTE;
  const host: PollerHost = {
    attempt: 1,
    signal: new AbortController().signal,
    heartbeat: (progress) => void beats.push(progress),
    wait: async (ms) => {
      await under.answered();
      lab.clock.nowMs += Math.max(ms, 200);
      if (lab.clock.nowMs > untilMs) throw new Error('the poller found no end');
    },
    ...over,
  };
  return { host, beats, deps: under.deps, tally: under.tally };
}

describe('live tier', () => {
  test('polls each book at the cadence of D21 until the market-state book reports its market closed, and stamps that once', async () => {
    lab = await openLab([RACE]);
    const raceId = await discovered(lab, 'live');
    const { host, beats, deps, tally } = hostOf();
    const race = { raceId, epoch: 1, turn: 1, marketShut: false };
    const outcome = await runLivePoller(deps, race, host, tally);
    const jumpMs = RACE.startMs + 30_000;
    expect(outcome).toMatchObject({ kind: 'market-closed' });
    expect(Date.parse((outcome as { at: string }).at)).toBeGreaterThanOrEqual(jumpMs);
    expect(Date.parse((outcome as { at: string }).at)).toBeLessThan(jumpMs + 12_000);
    // 4 minutes at 15 s and 2.5 minutes at 8 s are 35 polls per book.
    expect(beats.at(-1)!.polls).toBeGreaterThan(4 * 30);
    expect(beats.at(-1)!.polls).toBeLessThan(4 * 42);
    const [stored] = await lab.query<{ market_closed_at: string }>('SELECT market_closed_at FROM races');
    expect(stored!.market_closed_at).toBe((outcome as { at: string }).at);
    const health = await lab.query('SELECT connector FROM connector_health WHERE status = $$ok$$');
    expect(health).toHaveLength(4);
  });

  test('a book that is down is counted and polled ever less often; the others continue', async () => {
    lab = await openLab([RACE], { FEED_TAB_URL: 'http://127.0.0.1:1' });
    const raceId = await discovered(lab, 'live');
    await lab.db.pool.query("INSERT INTO race_books (race_id, bookmaker_key, source_race_id) VALUES ($1, 'tab', 'x')", [
      raceId,
    ]);
    const { host, beats, deps, tally } = hostOf();
    const outcome = await runLivePoller(deps, { raceId, epoch: 1, turn: 1, marketShut: false }, host, tally);
    expect(outcome.kind).toBe('market-closed');
    expect(beats.at(-1)!.books.find((book) => book.bookmakerKey === 'tab')!.failures).toBeGreaterThan(3);
    const [failed] = await lab.query<{ count: number }>(
      "SELECT sum(count)::int AS count FROM connector_counts WHERE connector = 'tab' AND kind = 'failed'",
    );
    expect(failed!.count).toBeGreaterThan(3);
  });

  test('a new epoch in the control row ends it at the next check', async () => {
    lab = await openLab([RACE]);
    const raceId = await discovered(lab, 'live');
    const stop = {
      do: 'set_control',
      epoch: 2,
      tier: 'none',
      advertisedStart: new Date(RACE.startMs).toISOString(),
      closed: true,
    } as const;
    let rounds = 0;
    const { host, deps, tally } = hostOf({
      wait: async (ms) => {
        rounds += 1;
        if (rounds === 3) await lab.run('carryOut', [{ raceId, effects: [stop] }]);
        await delay(ms);
      },
    });
    const outcome = await runLivePoller(deps, { raceId, epoch: 1, turn: 1, marketShut: false }, host, tally);
    expect(outcome).toEqual({ kind: 'superseded', held: 2 });
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  test('an older attempt that resumes writes nothing and ends', async () => {
    lab = await openLab([RACE]);
    const raceId = await discovered(lab, 'live');
    const race = { raceId, epoch: 1, turn: 1, marketShut: false };
    const { host, deps, tally } = hostOf({
      wait: async () => {
        await lab.deps.stores.control.claim(raceId, 1, 1_000_002, new Date(lab.clock.nowMs).toISOString());
      },
    });
    expect(await runLivePoller(deps, race, host, tally)).toEqual({ kind: 'fenced', held: 1 });
  });
});

test('an API that does not answer is measured as down', async () => {
  lab = await openLab([]);
  await lab.run('probeUptime', []);
  expect(await lab.query('SELECT ok, target FROM uptime_checks')).toEqual([
    { ok: false, target: 'http://127.0.0.1:1/healthz' },
  ]);
});

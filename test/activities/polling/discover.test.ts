import { resyncRaces } from '../../../src/activities/races/resync-races';
import { seekResults } from '../../../src/activities/races/seek-results';
import { type SweepProgress, startRaces } from '../../../src/activities/races/start-races';
import { raceWorkflowId } from '../../../src/workflows/contract';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../lab';

let lab: ActivityLab;
beforeEach(async () => {
  lab = await openLab([
    { startMs: NOON + HOUR, venue: 'Flemington' },
    { startMs: NOON + HOUR + 40 * MINUTE, venue: 'Flemington' },
    { startMs: NOON + 2 * HOUR, venue: 'Menangle', category: 'harness' },
    { startMs: NOON + 30 * HOUR, venue: 'Flemington' },
  ]);
});
afterEach(() => lab.close());

test('four books list four races: each race is one race, listed by every book, and a second run creates none', async () => {
  expect(await lab.run('discover', [{ days: 2 }])).toMatchObject({
    listed: 16,
    created: 4,
    refused: 0,
    failedLists: 0,
  });
  expect(await lab.query('SELECT count(*)::int AS books FROM race_books GROUP BY race_id')).toEqual(
    Array(4).fill({ books: 4 }),
  );
  expect(await lab.run('discover', [{ days: 2 }])).toMatchObject({ listed: 16, created: 0, refused: 0 });
});

test('near races get a workflow, once, and a distant race waits for its day', async () => {
  await lab.run('discover', [{ days: 2 }]);
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 3 });
  const [near] = await lab.query<{ race_id: string }>('SELECT race_id FROM races ORDER BY start_time');
  const handle = lab.temporal.client.workflow.getHandle(raceWorkflowId(near!.race_id));
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await lab.run('startRaces', []);
  expect(
    (await handle.fetchHistory()).events!.filter((event) => event.workflowExecutionStartedEventAttributes),
  ).toHaveLength(1);
});

describe('a race first seen long after its start', () => {
  const ran = async (...scripts: readonly object[]) => {
    await lab.close();
    lab = await openLab(
      scripts.map((script) => ({ startMs: NOON - 5 * HOUR, venue: 'Flemington', order: [4, 2, 6, 1], ...script })),
    );
    await lab.run('discover', [{ days: 1 }]);
    await lab.run('startRaces', []);
    const [race] = await lab.query<{ race_id: string }>('SELECT race_id FROM races');
    return race!.race_id;
  };
  const sought = () => lab.query('SELECT result_sought_at FROM races');
  const at = new Date(NOON).toISOString();

  test('still gets its result, and a workflow that takes it to final', async () => {
    const raceId = await ran({});
    expect(await lab.run('readResult', [raceId])).toMatchObject({ status: 'interim', placingsKey: '1:4|2:2|3:6|4:1' });
    const handle = lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    expect(await sought()).toEqual([{ result_sought_at: at }]);
  });

  test('was never on the board: only its final result is announced, whatever its books still show (D63)', async () => {
    const raceId = await ran({});
    const stored = `SELECT count(*)::int AS n FROM race_books WHERE race_id = '${raceId}' AND array_remove(win, NULL) <> '{}'`;
    expect((await lab.query<{ n: number }>(stored))[0]!.n).toBeGreaterThan(0);
    expect(await lab.query('SELECT left_board_at FROM races')).toEqual([{ left_board_at: at }]);
    expect(await lab.query('SELECT kind FROM events')).toEqual([]);
    const at30 = new Date(NOON + 30 * MINUTE).toISOString();
    await lab.deps.stores.results.finalise(raceId, at30);
    expect(await lab.query('SELECT kind FROM events')).toEqual([{ kind: 'race.result' }]);
  });

  test('has its books queried once if none has a result any more', async () => {
    const raceId = await ran({ interimAfterSeconds: 10 * 3600 });
    expect(await lab.run('readResult', [raceId])).toBeNull();
    expect(await sought()).toEqual([{ result_sought_at: at }]);
    lab.clock.nowMs += HOUR;
    await lab.run('startRaces', []);
    expect(await sought()).toEqual([{ result_sought_at: at }]);
  });

  test('has its books queried again if none could be reached', async () => {
    const raceId = await ran({ interimAfterSeconds: 10 * 3600 });
    const { feeds } = lab.deps;
    await lab.query('UPDATE races SET result_sought_at = NULL');
    const away = new Map([...feeds].map(([key, feed]) => [key, { ...feed, fetchRace: unreachable }]));
    expect(await seekResults({ ...lab.deps, feeds: away as never })).toBe(0);
    expect(await sought()).toEqual([{ result_sought_at: null }]);
    expect(await seekResults(lab.deps)).toBe(0);
    expect(await sought()).toEqual([{ result_sought_at: at }]);
    expect(await lab.run('readResult', [raceId])).toBeNull();
  });
});

const unreachable = async () => ({
  kind: 'failed',
  reason: 'network',
  detail: null,
  retryAfterMs: null,
  observedAt: new Date(NOON).toISOString(),
});

test('a race whose workflow was lost is started again from stored data', async () => {
  await lab.run('discover', [{ days: 1 }]);
  await lab.run('startRaces', []);
  const [race] = await lab.query<{ race_id: string; start_time: string }>(
    'SELECT race_id, start_time FROM races ORDER BY start_time',
  );
  const raceId = race!.race_id;
  const effects = [
    { do: 'set_control', epoch: 7, tier: 'live', advertisedStart: race!.start_time, closed: false },
    { do: 'save_phase', phase: 'live', jumpedAt: null, leftBoardAt: null },
  ] as const;
  await lab.run('carryOut', [{ raceId, effects }]);
  const handle = lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId));
  await handle.terminate();
  // A race is listed as running until a moment after it ended.
  await waitFor(async () => (await lab.run('startRaces', [])).started || null, PATIENT_MS);
  const [begun] = (await handle.fetchHistory()).events!;
  const carry = JSON.parse(
    Buffer.from(begun!.workflowExecutionStartedEventAttributes!.input!.payloads![1]!.data!).toString(),
  );
  expect(carry.state).toMatchObject({ phase: 'live', epoch: 7, tier: 'none' });
});

test('after a restored backup every running race is signalled to store its state again', async () => {
  await lab.run('discover', [{ days: 1 }]);
  const { started } = await lab.run('startRaces', []);
  const [race] = await lab.query<{ race_id: string }>('SELECT race_id FROM races ORDER BY start_time');
  // A race is listed as running a moment after it was started.
  const report = await waitFor(async () => {
    const report = await resyncRaces(lab.deps);
    return report.signalled < started ? null : report;
  }, PATIENT_MS);
  expect(report).toEqual({ signalled: started, failed: 0 });
  expect(await signalNames(race!.race_id)).toContain('resync');
});

test('a book whose list fails is counted, and the others are read', async () => {
  const dead = await openLab([{ startMs: NOON + HOUR }], { FEED_TAB_URL: 'http://127.0.0.1:1' });
  try {
    expect(await dead.run('discover', [{ days: 1 }])).toMatchObject({ listed: 3, created: 1, failedLists: 1 });
    const [tab] = await dead.query('SELECT status FROM connector_health WHERE connector = $$tab$$');
    expect(tab).toEqual({ status: 'network' });
  } finally {
    await dead.close();
  }
});

test('a list that the database refuses is counted for its book, and every other list is placed', async () => {
  await lab.query(`CREATE FUNCTION refuse_tab() RETURNS trigger LANGUAGE plpgsql AS $$
                   BEGIN IF NEW.bookmaker_key = 'tab' THEN RAISE 'not this list'; END IF; RETURN NEW; END $$`);
  await lab.query('CREATE TRIGGER refuse_tab BEFORE INSERT ON race_books FOR EACH ROW EXECUTE FUNCTION refuse_tab()');
  expect(await lab.run('discover', [{ days: 1 }])).toMatchObject({ created: 3, failedLists: 1 });
  expect(await lab.query('SELECT count(*)::int AS books FROM race_books GROUP BY race_id')).toEqual(
    Array(3).fill({ books: 3 }),
  );
  const [tab] = await lab.query("SELECT status, last_ok_at FROM connector_health WHERE connector = 'tab'");
  expect(tab).toEqual({ status: 'not_placed', last_ok_at: null });
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 3, failed: 0 });
});

test('a race that cannot be started does not delay others', async () => {
  await lab.run('discover', [{ days: 2 }]);
  const [first] = await lab.query<{ race_id: string }>('SELECT race_id FROM races ORDER BY start_time');
  const { races } = lab.deps.stores;
  const raceHeader = async (raceId: string) => {
    if (raceId === first!.race_id) throw new Error('unreadable');
    return races.raceHeader(raceId);
  };
  const deps = { ...lab.deps, stores: { ...lab.deps.stores, races: { ...races, raceHeader } } };
  const beats: SweepProgress[] = [];
  const host = {
    signal: new AbortController().signal,
    heartbeat: (details: SweepProgress) => void beats.push(details),
  };
  expect(await startRaces(deps, host)).toEqual({ missing: 3, started: 2, failed: 1 });
  expect(beats.at(-1)).toEqual({ missing: 3, handled: 3 });
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 1, failed: 0 });
});

test('a sweep that could start hardly any race has failed', async () => {
  await lab.run('discover', [{ days: 2 }]);
  const raceHeader = async () => {
    throw new Error('unreadable');
  };
  const stores = { ...lab.deps.stores, races: { ...lab.deps.stores.races, raceHeader } };
  const host = { signal: new AbortController().signal, heartbeat: () => undefined };
  await expect(startRaces({ ...lab.deps, stores }, host)).rejects.toThrow('3 of 3 races could not be started');
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 3, failed: 0 });
});

test('a cancelled sweep starts no more races', async () => {
  await lab.run('discover', [{ days: 2 }]);
  const calledOff = { signal: AbortSignal.abort(), heartbeat: () => undefined };
  await expect(startRaces(lab.deps, calledOff)).rejects.toThrow('aborted');
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 3 });
});

test('an abandoned meeting is signalled to its other races that have not run, starting their workflows if need be', async () => {
  await lab.run('discover', [{ days: 1 }]);
  const races = await lab.query<{ race_id: string }>(
    "SELECT race_id FROM races WHERE venue_id = 'flemington' ORDER BY start_time",
  );
  expect(races).toHaveLength(2);
  expect(await lab.run('abandonMeeting', [{ raceId: races[0]!.race_id, note: 'abandoned' }])).toBe(1);
  expect(await signalsTo(races[1]!.race_id)).toEqual([['abandonedElsewhere', { note: 'abandoned', version: 1 }]]);
});

async function signalNames(raceId: string): Promise<readonly unknown[]> {
  const { events } = await lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).fetchHistory();
  return events!.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? []);
}

/** Name and argument of every signal that the race's workflow received. */
async function signalsTo(raceId: string): Promise<readonly unknown[]> {
  const { events } = await lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).fetchHistory();
  return events!.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    return data ? [[signal.signalName, JSON.parse(Buffer.from(data).toString())]] : [];
  });
}

test('an order for a meeting is one order however often its activity is tried, and is repeated until the race’s workflow has it', async () => {
  await lab.run('discover', [{ days: 1 }]);
  const [first, second] = await lab.query<{ race_id: string; start_time: string }>(
    "SELECT race_id, start_time FROM races WHERE venue_id = 'flemington' ORDER BY start_time",
  );
  const order = { raceId: first!.race_id, note: 'abandoned' };
  const raceId = second!.race_id;
  // The first attempt ends between the order and its signal.
  jest.spyOn(lab.temporal.client.workflow, 'signalWithStart').mockRejectedValueOnce(new Error('14 UNAVAILABLE'));
  await expect(lab.run('abandonMeeting', [order])).rejects.toThrow('UNAVAILABLE');
  await lab.run('abandonMeeting', [order], 2);
  await lab.run('startRaces', []);
  const signal = ['abandonedElsewhere', { note: 'abandoned', version: 1 }];
  expect(await signalsTo(raceId)).toEqual([signal, signal]);
  const taken = {
    epoch: 1,
    tier: 'none',
    advertisedStart: second!.start_time,
    closed: true,
    abandonmentVersion: 1,
  } as const;
  await lab.run('carryOut', [{ raceId, effects: [{ do: 'set_control', ...taken }] }]);
  await lab.run('startRaces', []);
  expect(await signalsTo(raceId)).toHaveLength(2);
});

test('a meeting has no country until a book names it, and keeps the same races', async () => {
  const abroad = await openLab(
    [
      { startMs: NOON + 2 * HOUR, venue: 'Saratoga' },
      { startMs: NOON + 3 * HOUR, venue: 'Veliefendi' },
      { startMs: NOON + 4 * HOUR, venue: 'Sha Tin' },
    ],
    {},
    ['ladbrokes_au', 'sportsbet', 'palmerbet', 'dabble_au', 'unibet'],
  );
  const card = () =>
    abroad.query(`SELECT r.venue_id, r.country, string_agg(b.bookmaker_key, ' ' ORDER BY b.bookmaker_key) AS books
                    FROM races r JOIN race_books b USING (race_id) GROUP BY race_id ORDER BY r.start_time`);
  const known = [
    { venue_id: 'veliefendi', country: 'TR', books: 'ladbrokes_au palmerbet sportsbet' },
    { venue_id: 'sha-tin', country: 'HK', books: 'dabble_au ladbrokes_au palmerbet sportsbet' },
  ];
  try {
    expect(await abroad.run('discover', [{ days: 1 }])).toMatchObject({ listed: 8, created: 3, refused: 0 });
    expect(await card()).toEqual([{ venue_id: 'saratoga', country: null, books: 'palmerbet' }, ...known]);
    abroad.clock.nowMs = NOON + HOUR;
    expect(await abroad.run('discover', [{ days: 1 }])).toMatchObject({ listed: 8, created: 0, refused: 0 });
    expect(await card()).toEqual([{ venue_id: 'saratoga', country: 'US', books: 'palmerbet' }, ...known]);
  } finally {
    await abroad.close();
  }
});

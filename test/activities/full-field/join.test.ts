// How a registry's race joins one of ours, whatever happened to its meeting: moved to another course or day, listed
// before it has names, published before our own result.
import { awaitResult, resultDelayMs } from '../../../src/activities/outcome/await-result';
import { overrideResult } from '../../../src/activities/outcome/override-result';
import { raceWorkflowId } from '../../../src/workflows/contract';
import {
  FIELD,
  hoursAfter,
  NAMES,
  openPublishedLab,
  type PublishedLab,
  publishedMeeting,
  publishedRace,
  START,
} from '../published';

let lab: PublishedLab;
beforeEach(async () => {
  lab = await openPublishedLab();
});
afterEach(() => lab.close());

const named = (name: (own: string) => string) => FIELD.map((runner) => ({ ...runner, name: name(runner.name) }));
const served = async (raceId: string) =>
  ((await lab.row(raceId))!.runners as { name: string }[] | null)?.map(({ name }) => name) ?? null;
const isSignalled = async (raceId: string): Promise<boolean> => {
  const { workflow } = lab.temporal.client;
  return workflow
    .getHandle(raceWorkflowId(raceId))
    .describe()
    .then(
      () => true,
      () => false,
    );
};

test('the field is served in our card’s spelling, and stored in the registry’s', async () => {
  const { raceId } = await lab.race();
  lab.publish(publishedMeeting({ races: [publishedRace({ runners: named((name) => `${name.toUpperCase()} (NZ)`) })] }));
  expect(await lab.collect()).toMatchObject({ filled: 1 });
  expect(await served(raceId)).toEqual(NAMES.map((name) => `${name} (NZ)`));
  expect(await lab.query("SELECT runners->0->>'name' AS name FROM published_races")).toEqual([
    { name: 'ZULU WARRIOR (NZ)' },
  ]);
});

test('a name without another spelling on the card keeps the registry’s spelling', async () => {
  const { raceId } = await lab.race();
  const field = named((name) => (name === NAMES[1] ? 'QUIET HARBOR' : name.toUpperCase()));
  const emergency = { ...FIELD[3]!, number: 5, position: 5, name: 'LATE CALL' };
  lab.publish(publishedMeeting({ races: [publishedRace({ runners: [...field, emergency] })] }));
  expect(await lab.collect()).toMatchObject({ filled: 1 });
  expect(await served(raceId)).toEqual([NAMES[0], 'QUIET HARBOR', NAMES[2], NAMES[3], 'LATE CALL']);
});

test('a document that two requests read at once is joined once, and neither refuses it', async () => {
  const { raceId } = await lab.race();
  lab.publish(publishedMeeting({ races: [publishedRace({})] }));
  await lab.collect();
  const [joined] = await lab.query<{ source: 'topaz'; key: string; number: number }>(
    'SELECT source, document_key AS key, race_number AS number FROM published_races WHERE race_id IS NOT NULL',
  );
  expect(await lab.deps.stores.published.join(joined!, joined!.number, raceId)).toBe(true);
  expect(await lab.deps.stores.published.join(joined!, joined!.number + 1, raceId)).toBe(false);
});

test('a race that is only listed stores nothing of a document with runners', async () => {
  const { raceId } = await lab.race();
  const listed = publishedMeeting({ races: [publishedRace({ stage: 'none', runners: [] })] });
  lab.publish(listed);
  await lab.collect();
  lab.publish(listed, publishedMeeting({ key: '2026Nov21,VIC,Flemington Synthetic', venue: 'Flemington Synthetic' }));
  lab.clock.nowMs += 3_600_000;
  expect(await lab.collect()).toMatchObject({ filled: 1, refused: 0 });
  expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete' });
});

test('moved to the synthetic course of the same venue: the race is not abandoned, and its field comes from there', async () => {
  const { raceId } = await lab.race({}, null);
  lab.clock.nowMs = hoursAfter(-3);
  const off = {
    note: 'transferred to Flemington Synthetic',
    races: [publishedRace({ stage: 'abandoned', runners: [] })],
  };
  lab.publish(publishedMeeting(off));
  expect(await lab.collect()).toMatchObject({ abandoned: 0, refused: 0 });
  expect(await isSignalled(raceId)).toBe(false);
  await lab.result(raceId);
  lab.clock.nowMs = hoursAfter(2);
  lab.publish(
    publishedMeeting(off),
    publishedMeeting({ key: '2026Nov21,VIC,Flemington Synthetic', venue: 'Flemington Synthetic' }),
  );
  expect(await lab.collect()).toMatchObject({ filled: 1, refused: 0, abandoned: 0 });
});

test.each([
  ['jumped', { jumpedAt: START }],
  ['started, without an observed jump,', {}],
] as const)(
  'a race that has just %s is not abandoned with its meeting, because its result may be on its way',
  async (_, seen) => {
    const { raceId, stores } = await lab.race({}, null);
    await stores.races.savePhase(raceId, 'jumpedAt' in seen ? 'jumped' : 'live', seen, START);
    lab.publish(publishedMeeting({ note: 'abandoned', races: [] }));
    lab.clock.nowMs = hoursAfter(0.2);
    expect(await lab.collect()).toMatchObject({ abandoned: 0, refused: 0 });
    lab.clock.nowMs = hoursAfter(2.2);
    expect(await lab.collect()).toMatchObject({ abandoned: 1 });
    expect(await isSignalled(raceId)).toBe(true);
  },
);

test('a meeting that keeps its key on another day or at another track is found there', async () => {
  const moved = { startTime: '2026-11-22T03:00:00.000Z', meetingDate: '2026-11-22', venue: 'Caulfield' };
  await lab.race({}, null);
  lab.publish(publishedMeeting({ key: '77', races: [publishedRace({ stage: 'none', runners: [] })] }));
  await lab.collect();
  const { raceId } = await lab.race(moved);
  lab.clock.nowMs = hoursAfter(26);
  const { startTime, meetingDate: day, venue } = moved;
  lab.publish(publishedMeeting({ key: '77', day, venue, races: [publishedRace({ startTime })] }));
  expect(await lab.collect()).toMatchObject({ filled: 1 });
  expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete' });
});

describe('published before our own result', () => {
  const watch = (raceId: string, known: { placingsKey: string; protest: boolean } | null, attempt = 1) => {
    const context = { cancellationSignal: new AbortController().signal, info: { attempt } };
    return awaitResult(lab.deps as never, lab.collector, { raceId, jumpedAt: START, known }, context as never);
  };
  const reported = { placingsKey: '1:1|2:2|3:3', protest: false };

  beforeEach(() => {
    Object.assign(lab.deps, { feeds: new Map() });
  });

  test('the field is applied as soon as any poller stores the result; the registry is not called', async () => {
    const { raceId } = await lab.race({}, null);
    lab.publish(publishedMeeting());
    expect(await lab.collect()).toMatchObject({ filled: 0, refused: 0 });
    await lab.result(raceId);
    const reads = lab.registry.reads.length;
    expect(await watch(raceId, null)).toMatchObject({ kind: 'result', facts: { status: 'interim' } });
    await expect(watch(raceId, reported)).rejects.toMatchObject({ type: 'NothingYet' });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete', runners: FIELD });
    expect(lab.registry.reads).toHaveLength(reads);
  });

  test('and with the corrected result, if it contradicted the first one', async () => {
    const { raceId } = await lab.race({}, null);
    lab.publish(publishedMeeting());
    await lab.collect();
    await lab.result(raceId, [2, 1, 3]);
    const first = { placingsKey: '1:2|2:1|3:3', protest: false };
    await expect(watch(raceId, first)).rejects.toMatchObject({ type: 'NothingYet' });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'pending', runners: null });
    expect(await lab.refusals()).toEqual(['placings_contradicted']);
    await lab.result(raceId);
    expect(await watch(raceId, first, 2)).toMatchObject({ kind: 'result', facts: reported });
    await expect(watch(raceId, reported)).rejects.toMatchObject({ type: 'NothingYet' });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete', field_note: null });
  });

  test('and again with an operator’s placings', async () => {
    const { raceId } = await lab.race({}, null);
    lab.publish(publishedMeeting());
    await lab.collect();
    await lab.result(raceId, [2, 1, 3]);
    const placings = [1, 2, 3].map((number, i) => ({ position: i + 1, number, name: null }));
    await overrideResult(lab.deps as never, lab.collector, { raceId, placings, note: null });
    expect(await lab.row(raceId)).toMatchObject({ field_status: 'complete', runners: FIELD });
  });
});

test('an operator’s placings must be runners on the card: another number is refused without retry, and nothing is written', async () => {
  const { raceId } = await lab.race();
  await lab.result(raceId);
  const before = await lab.row(raceId);
  const placings = [{ position: 1, number: 99, name: null }];
  const order = overrideResult(lab.deps as never, lab.collector, { raceId, placings, note: null });
  await expect(order).rejects.toMatchObject({
    nonRetryable: true,
    message: expect.stringMatching(/number 99; its card has 1, 2/),
  });
  expect(await lab.row(raceId)).toEqual(before);
});

test('a race abandoned after the order was accepted: refused without retry, so that the order does not wait for a reinstatement', async () => {
  const { raceId } = await lab.race();
  await lab.deps.stores.results.abandon(raceId, 'postponed', 'lifecycle', START);
  const placings = [{ position: 1, number: 1, name: null }];
  const order = overrideResult(lab.deps as never, lab.collector, { raceId, placings, note: null });
  await expect(order).rejects.toMatchObject({ nonRetryable: true, message: expect.stringMatching(/postponed/) });
  expect(await lab.row(raceId)).toMatchObject({ status: 'abandoned' });
});

test.each([
  [5, false, 0.5],
  [20, false, 2],
  [60, false, 15],
  [0, true, 1],
  [59, true, 1],
  [60, true, 15],
])('after %i minutes (result stored: %s) the books are polled again in %d', (minutes, stored, again) => {
  expect(resultDelayMs(minutes * 60_000, stored)).toBe(again * 60_000);
});

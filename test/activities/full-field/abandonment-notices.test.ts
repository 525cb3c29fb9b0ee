// A 3 "none | registry notice | race did not run | abandoned": it applies once to every race of the meeting without a
// result.
import { signalAllUnseen } from '../../../src/activities/races/signal-unseen';
import { raceWorkflowId } from '../../../src/workflows/contract';
import {
  hoursAfter,
  openPublishedLab,
  type PublishedLab,
  publishedMeeting,
  publishedRace,
  START,
  startOf,
} from '../published';

let lab: PublishedLab;
beforeEach(async () => {
  lab = await openPublishedLab();
  lab.clock.nowMs = hoursAfter(-1);
});
afterEach(() => lab.close());

const collect = async () => {
  lab.clock.nowMs += 3_600_000;
  return lab.collect();
};
const publish = (over: Parameters<typeof publishedMeeting>[0]) => {
  lab.publish(publishedMeeting({ races: [], ...over }));
};
const unrun = (raceNumber: number, over = {}) =>
  lab.race({ raceNumber, startTime: startOf(raceNumber), ...over }, null);

/** The notes of the abandonment signals that the race's workflow received, in order. */
async function notesSent(raceId: string): Promise<readonly string[]> {
  const handle = lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId));
  const history = await handle.fetchHistory().catch(() => null);
  return (history?.events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    return data ? [(JSON.parse(Buffer.from(data).toString()) as { note: string }).note] : [];
  });
}

test.each(['abandoned', 'postponed', 'transferred to Geelong'])(
  'a meeting that is %s: every race, including those that it does not list',
  async (note) => {
    const one = await unrun(1);
    const two = await unrun(2);
    const elsewhere = await unrun(1, { venue: 'Caulfield' });
    publish({ note, races: [publishedRace({ stage: 'abandoned', runners: [] })] });
    expect(await collect()).toMatchObject({ abandoned: 2, refused: 0 });
    expect([await notesSent(one.raceId), await notesSent(two.raceId), await notesSent(elsewhere.raceId)]).toEqual([
      [note],
      [note],
      [],
    ]);
  },
);

test('one race of a meeting that continues: that race alone', async () => {
  const one = await unrun(1);
  const two = await unrun(2);
  publish({
    races: [
      publishedRace({ stage: 'none', runners: [] }),
      publishedRace({ raceNumber: 2, startTime: startOf(2), stage: 'abandoned', runners: [] }),
    ],
  });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  expect([await notesSent(one.raceId), await notesSent(two.raceId)]).toEqual([[], ['abandoned']]);
});

test('a race with a result was run, whatever the notice: the notice is refused and counted once', async () => {
  const ran = await lab.race();
  const next = await unrun(2);
  publish({ note: 'abandoned', races: [publishedRace({ stage: 'abandoned', runners: [] })] });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  await collect();
  expect([await notesSent(ran.raceId), await notesSent(next.raceId)]).toEqual([[], ['abandoned']]);
  expect(await lab.refusals()).toEqual(['notice_of_a_race_that_ran']);
  expect(await lab.row(ran.raceId)).toMatchObject({ status: 'interim' });
});

test('the same notice is not applied again, so a reinstated race stays reinstated; a new notice is applied', async () => {
  const { raceId } = await unrun(1);
  const off = { note: 'abandoned' } as const;
  publish(off);
  await collect();
  await collect();
  expect(await notesSent(raceId)).toEqual(['abandoned']);
  // Reinstated by an operator; later the registry withdraws its notice.
  publish({ note: null, races: [publishedRace({ stage: 'none', runners: [] })] });
  await collect();
  expect(await lab.query('SELECT * FROM abandonment_notices')).toEqual([]);
  publish(off);
  await collect();
  publish({ note: 'postponed' });
  await collect();
  expect(await notesSent(raceId)).toEqual(['abandoned', 'abandoned', 'postponed']);
});

test('a notice whose signal fails is kept, and the next sweep signals its race under the same version', async () => {
  const { raceId } = await unrun(1);
  publish({ note: 'abandoned' });
  const { workflow } = lab.deps.client;
  jest.spyOn(workflow, 'getHandle').mockImplementationOnce(() => {
    throw new Error('14 UNAVAILABLE');
  });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  expect(await notesSent(raceId)).toEqual([]);
  expect(await signalAllUnseen(lab.deps)).toBe(1);
  await collect();
  expect(await notesSent(raceId)).toEqual(['abandoned']);
  expect(await lab.query('SELECT version FROM race_abandonments')).toEqual([{ version: 1 }]);
});

test('a past race whose workflow has ended is written directly, and no workflow is started for it', async () => {
  const { raceId, stores, before } = await unrun(1);
  await stores.races.savePhase(raceId, 'jumped', { jumpedAt: START, leftBoardAt: before(-600) }, before(-600));
  lab.clock.nowMs = hoursAfter(80);
  publish({ note: 'postponed' });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  expect(await notesSent(raceId)).toEqual([]);
  expect(await lab.row(raceId)).toMatchObject({
    status: 'abandoned',
    status_note: 'postponed',
    field_status: 'not_applicable',
  });
  expect(await stores.races.raceHeader(raceId)).toMatchObject({ phase: 'abandoned', status: 'abandoned' });
});

test('a more specific note is not overwritten', async () => {
  const { raceId, stores, before } = await unrun(1);
  await stores.results.abandon(raceId, 'transferred to Geelong', 'lifecycle', before(60));
  await unrun(2);
  publish({ note: 'abandoned' });
  await collect();
  expect(await notesSent(raceId)).toEqual([]);
  expect(await lab.row(raceId)).toMatchObject({ status_note: 'transferred to Geelong' });
});

test('a meeting that its books report abandoned is still read, because the registry gives the reason', async () => {
  const { raceId, stores, before } = await unrun(1);
  await stores.results.abandon(raceId, 'abandoned', 'lifecycle', before(60));
  publish({ note: 'postponed' });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  expect(await notesSent(raceId)).toEqual(['postponed']);
});

test('two cards at the track: applied to the card whose races the document names, to none if it names none', async () => {
  const one = await unrun(1);
  await unrun(2);
  await lab.query('UPDATE races SET card = 2 WHERE race_number = 2');
  publish({ note: 'abandoned' });
  expect(await collect()).toMatchObject({ abandoned: 0 });
  publish({ note: 'abandoned', races: [publishedRace({ stage: 'abandoned', runners: [] })] });
  expect(await collect()).toMatchObject({ abandoned: 1 });
  expect(await notesSent(one.raceId)).toEqual(['abandoned']);
});

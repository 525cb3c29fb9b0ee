// A 3 "Result | interim | protest": what may end a protest that no book settles, and what may not.
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

const LODGED = { stage: 'interim', protest: true, note: 'second against first' } as const;
const NEXT_DAY = hoursAfter(17);
const protest = async (raceId: string) => (await lab.row(raceId))!.protest;
const isRunning = async (raceId: string): Promise<boolean> => {
  const run = await lab.temporal.client.workflow.getHandle(raceWorkflowId(raceId)).describe();
  return run.status.name === 'RUNNING';
};

test('the registry’s final field of the next day, with the same placings, ends it: the race is followed again, and no stuck flag undoes it', async () => {
  const { raceId, stores } = await lab.race({}, LODGED);
  lab.publish(publishedMeeting());
  lab.clock.nowMs = NEXT_DAY;
  expect(await lab.collect()).toMatchObject({ filled: 1, refused: 0 });
  const settled = { status: 'interim', protest: false, status_note: null, placings_key: '1:1|2:2|3:3' };
  expect(await lab.row(raceId)).toMatchObject(settled);
  expect(await isRunning(raceId)).toBe(true);
  await lab.result(raceId, [1, 2, 3], LODGED);
  expect(await lab.row(raceId)).toMatchObject(settled);
  await stores.results.finalise(raceId, new Date(NEXT_DAY).toISOString(), '1:1|2:2|3:3');
  const { status, placings } = (await lab.row(raceId)) as { status: string; placings: { name: string }[] };
  expect([status, placings.map(({ name }) => name)]).toEqual(['final', NAMES.slice(0, 3)]);
});

test('a page read on the race’s own day is not a ruling; the same page read a day later is', async () => {
  const { raceId } = await lab.race({}, LODGED);
  lab.publish(publishedMeeting());
  expect(await lab.collect()).toMatchObject({ filled: 1 });
  expect(await lab.row(raceId)).toMatchObject({ protest: true, field_status: 'complete' });
  lab.clock.nowMs = NEXT_DAY;
  await lab.collect();
  expect(await protest(raceId)).toBe(false);
});

test('also if the field was filled by hand', async () => {
  const { raceId, stores } = await lab.race({}, LODGED);
  await stores.results.fillField(raceId, FIELD, 'racing_australia', START);
  lab.publish(publishedMeeting());
  lab.clock.nowMs = NEXT_DAY;
  await lab.collect();
  expect(await protest(raceId)).toBe(false);
});

test.each([
  ['another order', publishedRace({ runners: FIELD.map((runner, i) => ({ ...runner, position: [2, 1, 3, 4][i]! })) })],
  ['an interim field', publishedRace({ stage: 'interim' })],
  ['a part of the field', publishedRace({ runners: FIELD.slice(0, 3) })],
])('%s ends nothing, nor does time', async (_, race) => {
  const { raceId } = await lab.race({}, LODGED);
  lab.publish(publishedMeeting({ races: [race] }));
  for (const hours of [17, 41, 24 * 10]) {
    lab.clock.nowMs = hoursAfter(hours);
    await lab.collect();
    expect(await lab.row(raceId)).toMatchObject({ status: 'interim', protest: true, runners: null });
  }
  await expect(isRunning(raceId)).rejects.toThrow();
});

test('a dead heat that the registry numbers differently leaves the placings unchanged', async () => {
  const { raceId } = await lab.race({}, null);
  const name = (number: number) => NAMES[number - 1]!;
  const placings = [
    { position: 1, number: 1, name: name(1) },
    { position: 1, number: 2, name: name(2) },
    { position: 2, number: 3, name: name(3) },
  ];
  await lab.result(raceId, [], { ...LODGED, placings });
  const positions = [1, 1, 3, 4];
  const runners = FIELD.map((runner, i) => ({ ...runner, position: positions[i]!, dead_heat: i < 2 }));
  lab.publish(publishedMeeting({ races: [publishedRace({ runners })] }));
  lab.clock.nowMs = NEXT_DAY;
  await lab.collect();
  expect(await lab.row(raceId)).toMatchObject({ protest: false, placings_key: '1:1,2|2:3' });
});

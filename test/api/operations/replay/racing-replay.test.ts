// The replay of past races: its events in their order, in both formats, and from any place on.
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { named } from '../../../support/api/stream-client';
import { DAY, HERE, type PlayedLine, replays } from './replays';

const lab = replays();
const { addKey, open, played, used } = lab;
const ALL = `?date=${DAY}&speed=max`;

const shortOf = ({ event, data }: PlayedLine): string => {
  if (event === 'changes')
    return data.races
      .flatMap(
        (race: {
          race_number: number;
          changed_runners: { number: number; win_price: number; bookmaker_key: string }[];
        }) =>
          race.changed_runners.map((row) => `R${race.race_number} ${row.number} ${row.bookmaker_key} ${row.win_price}`),
      )
      .join();
  return `${event}${data.race_number ? ` R${data.race_number}` : ''}`;
};

test('races come into view, change, jump and result in the order of race time, over all races', async () => {
  const key = await addKey();
  const events = await played(key, ALL);
  expect(events.map(shortOf)).toEqual([
    'recorded',
    'state',
    'race R1',
    'race R2',
    'R1 1 neds 2.9,R1 2 neds 5.5',
    'R1 1 tab 2.5,R1 2 tab 6',
    'R1 2 tab 7',
    'gone',
    'R2 1 tab 4.5,R2 2 tab 4',
    'gone',
    'race R3',
    '',
    'R3 1 neds 8.5',
    'gone',
    'end',
  ]);
  for (const one of events) expectConforms('racing_replay', one);
  expect(JSON.stringify(events)).not.toMatch(/betfair|pinnacle|777\.5|666\.5/);
  expect(await used(key)).toBe(15);
  expect(events[0]!.data).toMatchObject({
    race_count: 3,
    left_out: [],
    bookmakers: ['neds', 'tab'],
    recorded_minutes: 60,
    until: `${DAY}T06:00:00.000Z`,
  });
  const stream = await open(key, ALL);
  await stream.until(named('end'));
  await stream.ended;
  const withoutIds = (all: readonly PlayedLine[]) => all.map(({ event, data }) => ({ event, data }));
  expect(withoutIds(stream.events)).toEqual(withoutIds(events));
});

test('a track condition is shown from its change on, and what has no instant never', async () => {
  const key = await addKey();
  const events = await played(key, `?race_id=${lab.races[2]}&speed=max`);
  const heads = events.flatMap(({ event, data }) =>
    event === 'race' ? [data] : event === 'changes' ? data.races : [],
  );
  expect(heads.map((head) => [head.track_condition, head.weather, head.market_closed_at])).toEqual([
    [null, null, null],
    ['Soft (5)', null, null],
    ['Soft (5)', null, null],
  ]);
});

test('from any id on exactly the rest follows, once, and for free', async () => {
  const key = await addKey();
  const events = await played(key, ALL);
  for (const [i, { id }] of events.entries())
    expect(await played(key, `${ALL}&last_event_id=${encodeURIComponent(id!)}`)).toEqual(
      i === events.length - 1 ? events.slice(i) : events.slice(i + 1),
    );
  expect(await used(key)).toBe(15);
});

test('an id of other parameters, of no replay, and a span without bounds or too long are refused for free', async () => {
  const key = await addKey();
  const [{ id }] = (await played(key, `?race_id=${lab.races[2]}&speed=max`)) as [PlayedLine];
  expect(await used(key)).toBe(5);
  const refused = [
    `${ALL}&last_event_id=${encodeURIComponent(id!)}`,
    `${ALL}&last_event_id=nothing`,
    '?speed=max',
    `?from=${DAY}T00:00:00Z&speed=max`,
    `?from=${DAY}T00:00:00Z&to=2026-11-21T00:00:01Z`,
    `?date=${DAY}&speed=1001`,
    `?date=${DAY}&speed=0.5`,
    `?date=${DAY}&format=csv`,
  ];
  for (const search of refused) {
    const { status, body } = await lab.apis[0].get(`${HERE}${search}`, key);
    expect([search, status]).toEqual([search, 422]);
    expectProblemConforms(body);
  }
  expect(await used(key)).toBe(5);
});

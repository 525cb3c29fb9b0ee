// The peculiarities of PlayUp: JSON:API (ids as text and as numbers, a race's relations next to it), pages, and several
// prices of which only the fixed one counts.
import { createPlayUpFeed } from '../../../src/feeds/playup/fetch';
import { mapMeetings } from '../../../src/feeds/playup/list';
import { mapRace } from '../../../src/feeds/playup/map';
import type {
  PlayUpMeetingsReply,
  PlayUpPrice,
  PlayUpRaceReply,
  PlayUpSelection,
} from '../../../src/feeds/playup/payload';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, json, startBookServer, status } from '../support/book-server';
import { playUpList, playUpRace } from '../support/books/playup';

const listed = (change: (reply: PlayUpMeetingsReply) => void) => {
  const reply = structuredClone(playUpList());
  change(reply);
  return mapMeetings(reply)!;
};

test('a race’s meeting comes from the relation, or from the number in its own attributes', () => {
  expect(listed((reply) => delete reply.data[0]!.relationships).value).toMatchObject([
    { venue: 'Flemington', raceNumber: 1 },
    { venue: 'Flemington', raceNumber: 2 },
  ]);
  const astray = listed((reply) => {
    delete reply.data[0]!.relationships;
    reply.included[1]!.attributes.meeting.id = 99;
  });
  expect(astray).toMatchObject({ value: [{ raceNumber: 1 }], dropped: { race_without_meeting: 1 } });
});

test.each(['Harness', 'Greyhound', ''])('the race type %p is not documented: counted, never guessed', (name) => {
  const { value, dropped } = listed((reply) => {
    for (const { attributes } of [...reply.data, ...reply.included]) attributes.race_type = { name };
  });
  expect(value).toEqual([]);
  expect(dropped).toEqual({ category_unknown: 2 });
});

test('the meeting’s own day, not that of a start past midnight; a meeting without one has its race’s Sydney day', () => {
  const late = Date.parse('2026-11-21T13:20:00Z') / 1000;
  const dated = listed((reply) => {
    reply.included[1]!.attributes.start_time_timestamp = late;
  });
  expect(dated.value.map((race) => race.meetingDate)).toEqual(['2026-11-21', '2026-11-21']);
  const undated = listed((reply) => {
    reply.data[0]!.attributes.start_date = '';
    reply.included[1]!.attributes.start_time_timestamp = late;
  });
  expect(undated.value.map((race) => race.meetingDate)).toEqual(['2026-11-21', '2026-11-22']);
});

test('a meeting without any name is dropped with its races, and counted', () => {
  const { value, dropped } = listed((reply) => {
    Object.assign(reply.data[0]!.attributes, { name: ' ', track: null });
  });
  expect(value).toEqual([]);
  expect(dropped).toEqual({ venue_missing: 1, race_without_meeting: 2 });
});

const FIELD = [
  { number: 4, name: 'Alpha', win: 4.6 },
  { number: 7, name: 'Bravo', win: '9.50' },
];
const mapped = (change: (reply: PlayUpRaceReply) => void) => {
  const reply = structuredClone(playUpRace(FIELD));
  change(reply);
  return mapRace(reply, '901')!;
};
const prices = (reply: PlayUpRaceReply) => reply.included.filter((row): row is PlayUpPrice => row.type === 'prices');
const selections = (reply: PlayUpRaceReply) =>
  reply.included.filter((row): row is PlayUpSelection => row.type === 'selections');

test('only the product Fixed Price is a price, at any position', () => {
  expect(mapped(() => undefined).value.runners).toMatchObject([
    { number: 4, win: 4.6, place: 1.5 },
    { number: 7, win: 9.5, place: 1.5 },
  ]);
  const without = mapped((reply) => {
    for (const { attributes } of prices(reply)) attributes.product.name = 'Top Tote';
  });
  expect(without.value.runners).toMatchObject([
    { win: null, place: null },
    { win: null, place: null },
  ]);
  expect(without.dropped).toEqual({});
});

test('bet type 2 is the win by number or by name; the place has only its name', () => {
  const numbered = mapped((reply) => {
    for (const { attributes } of prices(reply))
      attributes.bet_type.name = attributes.bet_type.name === 'Win' ? '' : 'Plc';
  });
  expect(numbered.value.runners).toMatchObject([
    { win: 4.6, place: null },
    { win: 9.5, place: null },
  ]);
});

test('prices belong to their runner by id, never by their order', () => {
  const { value } = mapped((reply) => void reply.included.reverse());
  expect(value.runners.map(({ number, win }) => [number, win])).toEqual([
    [4, 4.6],
    [7, 9.5],
  ]);
});

test.each([
  [{ id: 1, name: 'Active' }, false],
  [{ id: '1', name: 'anything' }, false],
  [{ id: 3, name: 'Active' }, false],
  [{ id: 3, name: 'Late Scratching' }, true],
  [{ name: 'Out' }, true],
  [{}, false],
  [null, false],
])('a runner of status %p is out: %p', (state, out) => {
  const { value } = mapped((reply) => {
    Object.assign(selections(reply)[0]!.attributes, { status: state });
  });
  expect(value.runners[0]!.scratching !== null).toBe(out);
  expect(value.runners[0]!.win).toBe(out ? null : 4.6);
});

test.each([
  [{ name: 'Open' }, 'OPEN'],
  [{ name: 'Interim' }, 'CLOSED'],
  [undefined, null],
])('race status %p: the market is %p', (state, marketStatus) => {
  const { value } = mapped((reply) => void Object.assign(reply.data.attributes, { status: state }));
  expect(value).toMatchObject({ marketStatus, startTime: '2026-11-21T04:00:00.000Z', result: null });
});

test('another race’s reply is refused; a runner that is referenced but not included is counted', () => {
  expect(mapRace(playUpRace(FIELD), '902')).toBeNull();
  const { value, dropped } = mapped((reply) => {
    reply.included = reply.included.filter((row) => row.id !== '70');
  });
  expect(value.runners.map((runner) => runner.name)).toEqual(['Bravo']);
  expect(dropped).toEqual({ runner_unreadable: 1 });
});

describe('pages', () => {
  let server: BookServer;
  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());

  const list = () =>
    createPlayUpFeed(
      { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS },
      () => 1_795_233_571_500,
    ).listRaces('2026-11-21');
  const pageOf = (url: string) => Number(new URL(url, 'http://x').searchParams.get('page[number]'));
  /** `rows` meetings of one race each on every page. */
  const filled = (page: number, rows: number): PlayUpMeetingsReply => {
    const [meeting] = playUpList().data;
    const [race] = playUpList().included;
    const ids = Array.from({ length: rows }, (_, i) => page * 1000 + i);
    return {
      data: ids.map((id) => ({ ...meeting!, id: `m${id}`, relationships: { races: { data: [{ id: `r${id}` }] } } })),
      included: ids.map((id) => ({ ...race!, id: `r${id}` })),
    };
  };

  test('are read until a short one', async () => {
    server.answer((request, response) =>
      json(filled(pageOf(request.url!), pageOf(request.url!) < 3 ? 100 : 7))(request, response),
    );
    const reply = await list();
    expect(reply.kind === 'ok' && reply.value.length).toBe(207);
    expect(server.requests.map(({ url }) => pageOf(url!))).toEqual([1, 2, 3]);
  });

  test('or as many as the book counts, and a race on two of them is listed once', async () => {
    const meta = { pagination: { total_pages: 2 } };
    server.answer(json({ ...filled(1, 30), meta }));
    const reply = await list();
    expect(reply).toMatchObject({ kind: 'ok', dropped: { race_repeated: 30 } });
    expect(reply.kind === 'ok' && reply.value.length).toBe(30);
    expect(server.requests).toHaveLength(2);
  });

  test('are limited in number, and one that fails fails the list', async () => {
    server.answer((request, response) =>
      (pageOf(request.url!) === 2 ? status(500) : json(filled(1, 100)))(request, response),
    );
    expect(await list()).toMatchObject({ kind: 'failed', reason: 'http_error' });
    server.answer(json(filled(1, 100)));
    expect(await list()).toMatchObject({ kind: 'failed', reason: 'too_large' });
    expect(server.requests).toHaveLength(20);
  });
});

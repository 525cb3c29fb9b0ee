// The peculiarities of Entain affiliates: identification, paging, meeting days, countries, statuses, dividends of three
// totes.
import { createEntainFeed, ENTAIN_BRANDS } from '../../../src/feeds/entain/fetch';
import { mapEvent, mapMeetings } from '../../../src/feeds/entain/map';
import type { EntainDividend, EntainEventReply } from '../../../src/feeds/entain/payload';
import { PATIENT_MS } from '../../support/patient';
import { json, startBookServer, status } from '../support/book-server';
import { entainList, entainRace } from '../support/books/entain';

const SITE = 'https://www.ladbrokes.com.au';
const FIELD = [1, 2, 3].map((number) => ({ number, name: `Runner ${number}`, win: number + 2 }));
const list = (change: (meeting: Record<string, unknown>) => void): unknown => {
  const reply = entainList();
  change(reply.data.meetings[0] as unknown as Record<string, unknown>);
  return reply;
};
const event = (change: (data: EntainEventReply['data']) => void) => {
  const reply = structuredClone(entainRace(FIELD));
  change(reply.data);
  return mapEvent(reply, SITE)!;
};

describe('over HTTP', () => {
  const feedAt = (baseUrl: string) =>
    createEntainFeed(
      ENTAIN_BRANDS[1]!,
      { baseUrl, contact: 'ops@example.org', partner: 'example', timeoutMs: PATIENT_MS },
      () => 0,
    );

  test('sends From and X-Partner, and reads pages until a short one', async () => {
    const server = await startBookServer();
    const meeting = entainList().data.meetings[0]!;
    const pageOf = (offset: number, size: number) =>
      Array.from({ length: size }, (_, i) => ({
        ...meeting,
        races: meeting.races.map((race) => ({ ...race, id: `${offset + i}-${race.race_number}` })),
      }));
    server.answer((request, response) => {
      const offset = Number(new URL(request.url!, 'http://book').searchParams.get('offset'));
      // The second page repeats the last meeting of the first: a row moved while we read.
      const meetings = offset === 0 ? pageOf(0, 200) : pageOf(199, 5);
      json({ header: {}, params: {}, data: { meetings } })(request, response);
    });
    const reply = await feedAt(server.url).listRaces('2026-11-21');
    await server.close();
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]!.headers).toMatchObject({ from: 'ops@example.org', 'x-partner': 'example' });
    expect(reply).toMatchObject({ kind: 'ok', dropped: { race_repeated: 2 } });
    expect(reply.kind === 'ok' && reply.value).toHaveLength(408);
  });

  test('a page that fails fails the list', async () => {
    const server = await startBookServer();
    const meeting = entainList().data.meetings[0]!;
    const full = json({ data: { meetings: Array(200).fill(meeting) } });
    server.answer((request, response) =>
      (request.url!.includes('offset=0') ? full : status(429, { 'retry-after': '5' }))(request, response),
    );
    const reply = await feedAt(server.url).listRaces('2026-11-21');
    await server.close();
    expect(reply).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterMs: 5000 });
  });

  test('another race’s reply is refused', async () => {
    const server = await startBookServer();
    server.answer(json(entainRace(FIELD)));
    const reply = await feedAt(server.url).fetchRace('event-2');
    await server.close();
    expect(reply).toMatchObject({ kind: 'failed', reason: 'malformed' });
  });
});

describe('the list', () => {
  test('race 0 is not a race and is counted', () => {
    const mapped = mapMeetings(
      list((m) => {
        for (const race of m.races as { race_number: number }[]) race.race_number = 0;
      }),
    )!;
    expect(mapped).toMatchObject({ value: [], dropped: { race_number_0: 2 } });
  });

  test('the day is the meeting date even if the start is on another', () => {
    const late = list((m) => ((m.races as { start_time: string }[])[0]!.start_time = '2026-11-20T13:15:00Z'));
    expect(mapMeetings(late)!.value[0]).toMatchObject({
      meetingDate: '2026-11-21',
      startTime: '2026-11-20T13:15:00.000Z',
    });
  });

  test.each([
    ['AUS', 'AU'],
    ['NZ', 'NZ'],
    ['HK', 'HK'],
    ['UK', 'GB'],
    ['USA', 'US'],
    ['IRE', 'IE'],
    ['SAF', 'ZA'],
    ['CHI', 'CL'],
    ['DEU', 'DE'],
    ['TUR', 'TR'],
  ])('country %s is %s', (code, country) => {
    expect(mapMeetings(list((m) => (m.country = code)))).toMatchObject({
      value: [{ country }, { country }],
      dropped: {},
    });
  });

  test('an unknown country is null and counted', () => {
    const mapped = mapMeetings(list((m) => (m.country = 'XX')))!;
    expect(mapped).toMatchObject({ value: [{ country: null }, { country: null }], dropped: { country_unknown: 1 } });
  });

  test.each([
    ['category', 'D', 'category_unknown'],
    ['name', ' ', 'venue_missing'],
    ['date', '2026-02-30T00:00:00Z', 'meeting_date_unreadable'],
  ])('a meeting with %s %p drops its races', (field, value, reason) => {
    expect(mapMeetings(list((m) => (m[field] = value)))).toMatchObject({ value: [], dropped: { [reason]: 2 } });
  });
});

describe('a race', () => {
  test('blank and 0 are unknown, strings are numbers', () => {
    const { value } = event(({ race, runners }) => {
      Object.assign(race, { distance: 0, weather: '', track_condition: ' ', prize_monies: { total_value: 150000 } });
      Object.assign(runners[0]!, { jockey: '', barrier: 0, weight: undefined });
    });
    expect(value.facts).toMatchObject({ distanceM: null, weather: null, trackCondition: null, prizeTotal: 150000 });
    expect(value.runners[0]).toMatchObject({ jockey: null, barrier: null, weightKg: null, form: '6x12' });
    expect(value.runners[1]).toMatchObject({ jockey: 'J Rider', barrier: 3, weightKg: 57, toteWin: null });
    expect(value.sourceUrl).toBe('https://www.ladbrokes.com.au/racing/flemington/event-1');
  });

  test.each(['deduction', 'deductions'] as const)('a scratching with its stamp and its %s', (field) => {
    const { value } = event(({ runners }) => {
      Object.assign(runners[0]!, { is_scratched: true, scratch_time: 1795230000, [field]: { win: 0.05, place: 0.06 } });
      Object.assign(runners[1]!, { is_scratched: true, scratch_time: 0, scr_time: '2026-11-21T01:02:03.4567Z' });
    });
    expect(value.runners.map((runner) => runner.scratching)).toEqual([
      { at: '2026-11-21T03:00:00.000Z', late: null, winDeduction: 0.05, placeDeduction: 0.06 },
      { at: '2026-11-21T01:02:03.456Z', late: null, winDeduction: null, placeDeduction: null },
      null,
    ]);
  });

  test('an invalid deduction is dropped, another market is not a runner', () => {
    const mapped = event(({ runners }) => {
      Object.assign(runners[0]!, { is_scratched: true, deduction: { win: 5, place: 0.06 } });
      runners[1]!.primary_market = false;
    });
    expect(mapped.dropped).toEqual({ deduction_not_a_fraction: 1, not_primary_market: 1 });
    expect(mapped.value.runners.map((runner) => runner.number)).toEqual([1, 3]);
    expect(mapped.value.runners[0]!.scratching).toMatchObject({ winDeduction: null, placeDeduction: 0.06 });
  });

  test.each([
    ['Open', 'OPEN', {}],
    ['Live', 'CLOSED', {}],
    ['Final', 'CLOSED', { resulted_without_placings: 1 }],
    ['Postponed', 'CLOSED', { status_unknown: 1 }],
  ])('status %s without results: market %s and no result', (state, marketStatus, dropped) => {
    const mapped = event(({ race }) => Object.assign(race, { status: state }));
    expect(mapped).toMatchObject({ value: { marketStatus, result: null }, dropped });
  });

  test('a pool price is a PROV estimate only if the reply has one', () => {
    const { value } = event(({ runners }) => {
      runners[0]!.odds!.pool_win = 4.4;
      runners[1]!.odds!.pool_win = 0;
    });
    expect(value.runners.map((runner) => runner.toteWin)).toEqual([{ PROV: 4.4 }, null, null]);
  });
});

describe('the outcome', () => {
  const result = (position: number, runner_number: number) => ({
    position,
    runner_number,
    barrier: 1,
    name: `Runner ${runner_number}`,
    entrant_id: '',
    margin_length: 0,
  });
  const dividend = (
    tote: string,
    product_name: string,
    numbers: number[],
    amount: number,
    more = {},
  ): EntainDividend => ({
    id: `${tote}${product_name}${numbers}`,
    tote,
    product_name,
    status: 'Final',
    dividend: amount,
    pool_size: 0,
    jackpot_size: 0,
    positions: numbers.map((runner_number, i) => ({ runner_number, position: i + 1 })),
    description: '',
    ...more,
  });
  const resulted = (status: string, dividends: EntainDividend[] = [], more = {}) =>
    event((data) => {
      Object.assign(data.race, { status, race_number: 8, ...more });
      data.results = [result(2, 3), result(1, 1), result(2, 2), result(0, 9)];
      data.dividends = dividends;
    });

  test('dead heats share a position; a runner that did not finish has none', () => {
    const { value, dropped } = resulted('Interim', [], { protest: true, protest_reason: '2nd v 1st' });
    expect(value.result).toMatchObject({ stage: 'interim', protest: true, note: 'protest: 2nd v 1st' });
    expect(value.result!.placings.map((p) => [p.position, p.number])).toEqual([
      [1, 1],
      [2, 2],
      [2, 3],
    ]);
    expect(dropped).toEqual({ result_without_position: 1 });
    expect(resulted('Final').value.result).toMatchObject({ stage: 'final', protest: false, note: null });
  });

  test.each([
    ['Interim', { protest: true }, { protest: true, note: 'protest' }],
    ['Interim', { protest: false, protest_reason: '2nd v 1st' }, { protest: false, note: null }],
    ['Final', { protest: true, protest_reason: '2nd v 1st' }, { protest: false, note: null }],
  ])('%s with %j delays the result only while the protest is open', (status, more, expected) => {
    expect(resulted(status, [], more).value.result).toMatchObject(expected);
  });

  test.each([
    ['counting on by one', [1, 1, 2, 3], [1, 1, 3, 4]],
    ['leaving a place out', [1, 1, 3, 4], [1, 1, 3, 4]],
    ['two dead heats', [1, 2, 2, 3, 3], [1, 2, 2, 4, 4]],
    ['a place not given', [1, 2, 4], [1, 2, 4]],
  ])('after a dead heat, %s: the next place follows all of it', (_, sent, positions) => {
    const { value } = event((data) => {
      Object.assign(data.race, { status: 'Interim' });
      data.results = sent.map((position, i) => result(position, i + 1));
    });
    expect(value.result!.placings.map((placing) => placing.position)).toEqual(positions);
  });

  test.each([
    ['Giant 6', { code: 'G6', type: 'Giant 6' }],
    ['Big 6', { code: 'B6', type: 'Big 6' }],
    ['Early Quadrella', { code: 'EQ', type: 'Early Quaddie' }],
    ['Pool Quaddie', { code: 'QD', type: 'Quaddie' }],
  ])('%s is recognised by its name', (product, expected) => {
    const { value } = resulted('Final', [dividend('NSW', product, [1, 2, 3, 4], 900)]);
    expect(value.result!.multiRace).toMatchObject([{ ...expected, product: 'NSW', selection: '1,2,3,4' }]);
  });

  test('abandoned: no placings', () => {
    expect(resulted('Abandoned').value.result).toMatchObject({ stage: 'abandoned', note: 'abandoned', placings: [] });
  });

  test('every tote, the race’s own first, then VIC, and the final row before the interim one', () => {
    const { value, dropped } = resulted('Final', [
      dividend('VIC', 'Tote Win', [1], 4),
      dividend('NSW', 'Tote Win', [1], 4.1, { status: 'Interim' }),
      dividend('NSW', 'Tote Win', [1], 4.2),
      dividend('QLD', 'Tote Win', [1], 4.3),
      dividend('NSW', 'Tote Place', [3], 1.5),
      dividend('QLD', 'Quadrella', [4, 5, 6, 1], 900),
      dividend('VIC', 'Quadrella', [4, 5, 6, 1], 800),
    ]);
    expect(value.result).toMatchObject({
      straight: [
        { market: 'WIN', product: 'NSW', number: 1, amount: 4.2 },
        { market: 'PLC', product: 'NSW', number: 3, amount: 1.5 },
        { market: 'WIN', product: 'VIC', number: 1, amount: 4 },
        { market: 'WIN', product: 'QLD', number: 1, amount: 4.3 },
      ],
      multiRace: [
        { code: 'QD', product: 'VIC', selection: '4,5,6,1', amount: 800 },
        { code: 'QD', product: 'QLD', selection: '4,5,6,1', amount: 900 },
      ],
    });
    expect(value.result!.multiRace[0]!.legs).toEqual([5, 6, 7, 8].map((raceNumber) => ({ raceNumber })));
    expect(dropped).toMatchObject({ dividend_superseded: 1 });
  });

  test('a product with final dividends has no interim ones, for any runners, because a protest has changed them since', () => {
    const interim = { status: 'Interim' };
    const { value, dropped } = resulted('Final', [
      dividend('NSW', 'Exacta', [2, 1], 14, interim),
      dividend('NSW', 'Exacta', [1, 2], 9),
      dividend('NSW', 'Quinella', [2, 1], 5, interim),
      dividend('NSW', 'Quinella', [1, 2], 6),
      dividend('NSW', 'Tote Place', [1], 1.3),
      dividend('NSW', 'Tote Place', [4], 3.1, interim),
      dividend('NSW', 'Trifecta', [1, 2, 3], 80, interim),
    ]);
    expect(value.result!.straight).toEqual([{ market: 'PLC', product: 'NSW', number: 1, amount: 1.3 }]);
    expect(value.result!.exotics.map(({ code, selection, amount }) => [code, selection, amount])).toEqual([
      ['EX', '1,2', 9],
      ['QN', '1,2', 6],
      ['TF', '1,2,3', 80],
    ]);
    expect(dropped).toMatchObject({ dividend_superseded: 3 });
  });

  test('exotics are in finishing order, in any order of the rows; a daily double skips a race', () => {
    const first4 = dividend('NSW', 'First Four', [8, 15, 1, 2], 700);
    first4.positions.reverse();
    const { value } = resulted('Final', [
      first4,
      dividend('NSW', 'Daily Double', [3, 1], 20),
      dividend('NSW', 'Exacta', [1, 2], 9),
    ]);
    expect(value.result!.exotics).toEqual([
      { code: 'FF', product: 'NSW', selection: '8,15,1,2', amount: 700 },
      { code: 'EX', product: 'NSW', selection: '1,2', amount: 9 },
    ]);
    expect(value.result!.multiRace).toMatchObject([
      { code: 'DD', legs: [{ raceNumber: 6 }, { raceNumber: 8 }], selection: '3,1' },
    ]);
  });

  test.each([
    ['product', dividend('NSW', 'Mystery', [1], 2), 'dividend_product_unknown'],
    ['amount', dividend('NSW', 'Tote Win', [1], 0), 'dividend_without_amount'],
    ['runner', dividend('NSW', 'Tote Win', [], 2), 'dividend_without_runners'],
    ['tote', dividend('', 'Tote Win', [1], 2), 'dividend_without_tote'],
  ])('a dividend without a usable %s is counted', (_, row, reason) => {
    const { value, dropped } = resulted('Final', [row]);
    expect(value.result!.straight).toEqual([]);
    expect(dropped).toMatchObject({ [reason]: 1 });
  });
});

// Recorded responses of real books through connector, store and GET /v1/racing/results: every page, nothing lost. The
// recordings are from 2025 and collection began on 2026-08-15, so their dates are moved by whole weeks when they are
// read.
import { mapEvent, mapMeetings } from '../../src/feeds/entain/map';
import type { EntainEventReply, EntainMeetingsReply } from '../../src/feeds/entain/payload';
import { mapHistory } from '../../src/feeds/tab/history';
import type { TabHistoryReply } from '../../src/feeds/tab/payload';
import type { PlacedRace } from '../../src/store/card/card';
import { createStores } from '../../src/store/create-stores';
import type { Stores } from '../../src/store/stores';
import { expectConforms } from '../support/api/conforms';
import { type Served, serve } from '../support/api/served';
import { listedRace } from '../support/races/builders';
import {
  aFewAtOnce,
  describeRecorded,
  placeAll,
  readRecorded,
  shiftedByWeeks,
  TAB_HISTORY,
} from '../support/races/recorded';

let served: Served;
let stores: Stores;
let key: string;
beforeEach(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterEach(() => served.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows as they came over the wire.
type Row = any;

/** Every page until an empty one. */
async function paged(search: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { body } = await served.api.get(`/v1/racing/results?${search}&limit=${limit}&offset=${rows.length}`, key);
    expectConforms('race_results', body);
    if (body.length === 0) return rows;
    rows.push(...body);
  }
}

const later = (start: string, minutes: number): string => new Date(Date.parse(start) + minutes * 60_000).toISOString();

async function finish(
  { raceId, listed }: PlacedRace,
  source: string,
  result: Parameters<Stores['results']['saveResult']>[0]['result'],
) {
  if (result.stage === 'abandoned')
    return stores.results.abandon(raceId, result.note ?? 'abandoned', source, listed.startTime);
  await stores.results.saveResult({ raceId, source, result, at: later(listed.startTime, 5) });
  await stores.results.finalise(raceId, later(listed.startTime, 35));
}

describeRecorded('TAB, six days of history', () => {
  /** 1 January 2025 and 11 November 2026 are Wednesdays, 97 weeks apart, both in daylight time. */
  const WEEKS = 97;
  /** Those that are stored: five pages and more each, with dead heats and abandonments. */
  const DAYS = ['2026-11-11', '2026-11-12'];

  test('1,473 races are read; each of two days is returned once, with its placings, dead heats and abandonments included', async () => {
    const reply = shiftedByWeeks(readRecorded<TabHistoryReply>(TAB_HISTORY), WEEKS);
    const { value: history, dropped } = mapHistory(reply)!;
    const all = placeAll(history.map((race) => race.listed));
    const isStored = ({ meetingDate }: { readonly meetingDate: string }) => DAYS.includes(meetingDate);
    const placed = all.placed.filter(({ listed }) => isStored(listed));
    await stores.races.saveCard('tab', placed, `${DAYS[0]}T00:00:00.000Z`);
    const byId = new Map(placed.map((race) => [race.listed.sourceRaceId, race]));
    const stored = history.filter(({ listed }) => isStored(listed));
    await aFewAtOnce(stored, ({ listed, result }) => finish(byId.get(listed.sourceRaceId)!, 'tab', result!));

    served.api.now = Date.parse('2026-11-17T00:00:00.000Z');
    const week = await paged('hours_back=168', 200);
    const days = (await Promise.all(DAYS.map((day) => paged(`date=${day}`, 50)))).flat();
    expect(new Set(week.map((row) => row.race_id)).size).toBe(week.length);
    const ids = (rows: Row[]) => rows.map((row) => row.race_id).sort();
    expect(ids(week)).toEqual(placed.map((race) => race.raceId).sort());
    expect(ids(days)).toEqual(ids(week));

    const recorded = reply.meetings
      .filter(isStored)
      .flatMap((meeting) => meeting.races.map((race) => ({ meeting, race })));
    const idOf = ({ race }: Recorded) => byId.get(selfOf(race))!.raceId;
    const byRaceId = new Map(recorded.map((one) => [idOf(one), one]));
    expect(byRaceId.size).toBe(recorded.length);
    for (const row of week) expect(row).toMatchObject(expectedOf(byRaceId.get(row.race_id)!));
    const count = (is: (row: Row) => boolean): number => week.filter(is).length;
    expect({
      races: week.length,
      abandoned: count((row) => row.status === 'abandoned' && row.status_note === 'abandoned'),
      final: count((row) => row.status === 'final'),
      deadHeats: count((row) => new Set(row.placings.map((one: Row) => one.position)).size < row.placings.length),
    }).toEqual({ races: 549, abandoned: 7, final: 542, deadHeats: 6 });
    const abandoned = history.filter(({ result }) => result!.stage === 'abandoned');
    expect([history.length, all.placed.length, abandoned.length]).toEqual([1473, 1473, 18]);
    // Unmapped parts: none of our fields takes the totals of exotic pools, and no dividend was recorded.
    expect({ refused: all.refused.length, dropped }).toEqual({ refused: 0, dropped: { exotic_pool: 1924 } });
    expect(count((row) => row.dividends !== null || row.runners !== null || row.deductions.length > 0)).toBe(0);

    const coverage = (await served.api.get('/v1/racing/results/coverage?days=7', key)).body;
    for (const status of ['complete', 'pending', 'overdue', 'unavailable', 'unsupported', 'not_applicable'])
      expect([status, coverage[status]]).toEqual([status, count((row) => row.field_status === status)]);
  });

  type Meeting = TabHistoryReply['meetings'][number];
  interface Recorded {
    readonly meeting: Meeting;
    readonly race: Meeting['races'][number];
  }

  const selfOf = ({ _links }: Recorded['race']): string => {
    const [day, letter, type, , number] = _links!.self!.split('/racing/')[1]!.split('/');
    return [day, letter, type, number].join('/');
  };

  /** From the reply itself, not from the connector's result. */
  function expectedOf({ meeting, race }: Recorded) {
    const slots = race.raceStatus === 'Abandoned' ? [] : race.results!;
    return {
      venue: meeting.meetingName,
      category: { R: 'horse', H: 'harness', G: 'greyhound' }[meeting.raceType],
      country: meeting.location === 'NZL' ? 'NZ' : 'AU',
      race_number: race.raceNumber,
      race_name: race.raceName!.trim(),
      distance_m: race.raceDistance,
      track_condition: meeting.trackCondition,
      weather: meeting.weatherCondition,
      start_time: new Date(race.raceStartTime).toISOString(),
      status: race.raceStatus === 'Abandoned' ? 'abandoned' : 'final',
      runners: null,
      dividends: null,
      // A slot is a position: several runners in a slot are a dead heat, and the slots after it are empty.
      placings: slots.flatMap((numbers, slot) =>
        numbers.map((number) => ({ position: slot + 1, number, name: null, win_price: null, place_price: null })),
      ),
    };
  }
});

describeRecorded('Entain affiliates', () => {
  /** Both are Thursdays: 17 July 2025 and 19 November 2026. */
  const WEEKS = 70;
  const SECONDS = ['advertised_start', 'actual_start', 'scratch_time'];
  const event = (): EntainEventReply =>
    shiftedByWeeks(
      readRecorded<EntainEventReply>('entain-affiliates/Events-For-A-Specified-Race.json'),
      WEEKS,
      SECONDS,
    );

  test('a race with status Final: four placings of eight with their prices, each dividend once and final', async () => {
    const reply = event();
    const { value: snapshot, dropped } = mapEvent(reply, 'https://book.example')!;
    const { sourceRaceId, startTime } = snapshot;
    const { race } = reply.data;
    const listed = { sourceRaceId, startTime: startTime!, meetingDate: '2026-11-19', venue: race.meeting_name };
    const { placed } = placeAll([listedRace({ ...listed, country: 'NZ', raceNumber: race.race_number })]);
    await stores.races.saveCard('ladbrokes_au', placed, startTime!);
    const { raceId } = placed[0]!;
    const fence = { epoch: 0, attempt: 0 };
    const poll = { observedAt: startTime!, bookAt: null, marketStateSource: false, startSource: true };
    await stores.quotes.savePoll({ raceId, bookmakerKey: 'ladbrokes_au', fence, ...poll, snapshot });
    await finish(placed[0]!, 'ladbrokes_au', snapshot.result!);

    const [row, ...more] = await paged('hours_back=168', 50);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ status: 'final', country: 'NZ', runners: null, field_status: 'unsupported' });
    const results = reply.data.results!.filter(({ position }) => position <= 4);
    const oddsOf = (number: number) => reply.data.runners.find((runner) => runner.runner_number === number)!.odds!;
    expect(row.placings).toEqual(
      results.map(({ position, runner_number: number, name }) => ({
        position,
        number,
        name,
        horse_ref: `pe:${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`,
        win_price: oddsOf(number).fixed_win,
        place_price: position <= 3 ? oddsOf(number).fixed_place : null,
      })),
    );
    const final = reply.data.dividends!.filter(({ status }) => status === 'Final');
    const { straight, exotics, multi_race, straight_types } = row.dividends;
    const numbersOf = ({ positions }: (typeof final)[number]) => positions.map((one) => one.runner_number);
    const paid = (name: string) => final.filter(({ product_name }) => product_name === `Pool ${name}`);
    const placingOf = (number: number) => results.find(({ runner_number }) => runner_number === number)!;
    const onOne = (product: string, market: string) =>
      paid(product).map((one) => {
        const [number] = numbersOf(one) as [number];
        const { name, position } = placingOf(number);
        return { name, number, position, market, product: 'NZ', amount: one.dividend };
      });
    const onMany = (product: string, code: string, type: string) =>
      paid(product).map((one) => ({
        code,
        type,
        product: 'NZ',
        selection: numbersOf(one).join(),
        amount: one.dividend,
      }));
    const inAnyOrder = (rows: readonly Row[]) =>
      [...rows].map((one) => JSON.stringify(Object.entries(one).sort())).sort();
    expect(inAnyOrder(straight)).toEqual(inAnyOrder([...onOne('Win', 'WIN'), ...onOne('Place', 'PLC')]));
    expect(inAnyOrder(exotics)).toEqual(
      inAnyOrder([
        ...onMany('Quinella', 'QN', 'Quinella'),
        ...onMany('Trifecta', 'TF', 'Trifecta'),
        ...onMany('First4', 'FF', 'First Four'),
      ]),
    );
    expect(straight.length + exotics.length).toBe(final.length);
    expect({ straight: straight.length, multi_race, straight_types }).toEqual({
      straight: 4,
      multi_race: [],
      straight_types: ['NZ'],
    });
    expect(row.deductions).toEqual([]);
    // Unmapped parts: the interim twins of the seven, and the four positions behind the placegetters.
    expect(dropped).toEqual({ dividend_superseded: 7 });
    expect(reply.data.results!.length - row.placings.length).toBe(4);
  });

  test.each([
    ['List-of-meetings.json', { Final: 530, Open: 196, Abandoned: 17, Interim: 3, Closed: 2 }],
    ['Specified-Meeting-ByID.json', null],
  ])('%s: a race without placings has a result only if it is abandoned', async (file, statuses) => {
    const reply = shiftedByWeeks(readRecorded<EntainMeetingsReply>(`entain-affiliates/${file}`), WEEKS);
    const { placed } = placeAll(mapMeetings(reply)!.value);
    await stores.races.saveCard('ladbrokes_au', placed, '2026-11-19T00:00:00.000Z');
    const statusOf = new Map(reply.data.meetings.flatMap(({ races }) => races.map(({ id, status }) => [id, status])));
    const counts: Record<string, number> = {};
    const unplaced: Record<string, number> = {};
    const off: string[] = [];
    for (const one of placed) {
      const status = statusOf.get(one.listed.sourceRaceId) ?? 'none';
      counts[status] = (counts[status] ?? 0) + 1;
      const bare = { race: { event_id: one.listed.sourceRaceId, status }, runners: [] };
      const { value, dropped } = mapEvent({ header: {}, data: bare }, 'https://book.example')!;
      for (const reason of Object.keys(dropped)) unplaced[reason] = (unplaced[reason] ?? 0) + 1;
      if (!value.result) continue;
      off.push(one.raceId);
      await finish(one, 'ladbrokes_au', value.result);
    }
    if (statuses) expect(counts).toEqual(statuses);
    served.api.now = Date.parse('2026-11-20T12:00:00.000Z');
    const rows = await paged('hours_back=168', 200);
    const shown = placed.filter((race) => off.includes(race.raceId) && race.listed.country !== 'HK');
    expect(rows.map((row) => row.race_id).sort()).toEqual(shown.map((race) => race.raceId).sort());
    expect(off).toHaveLength(counts.Abandoned ?? 0);
    for (const row of rows) expect(row).toMatchObject({ status: 'abandoned', status_note: 'abandoned', placings: [] });
    expect(unplaced.resulted_without_placings ?? 0).toBe((counts.Final ?? 0) + (counts.Interim ?? 0));
  });
});

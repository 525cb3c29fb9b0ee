// The peculiarities of TABtouch: a list without starts or countries, and a page that contains a race twice, rendered
// and as a model.
import { numberRunners } from '../../../src/domain/race/join-runners';
import { mapNextRaces } from '../../../src/feeds/tabtouch/list';
import { mapRacePage } from '../../../src/feeds/tabtouch/map';
import { embeddedModel } from '../../../src/feeds/tabtouch/model';
import type { TabTouchNextRace } from '../../../src/feeds/tabtouch/payload';
import { createPageReader, KEPT } from '../../../src/feeds/tabtouch/read-page';
import { type PagePart, tabTouchList, tabTouchPage } from '../support/books/tabtouch';

const TODAY = '2026-11-21';
const ID = { day: TODAY, code: 'fle', raceNumber: 1 };
const FIELD = [
  { number: 1, name: 'Alpha', win: 2.75 },
  { number: 2, name: 'Bravo', win: 9 },
  { number: 3, name: 'Charlie', win: 9 },
];

const [SAMPLE] = tabTouchList() as readonly TabTouchNextRace[];
const listed = (...changes: readonly object[]) =>
  mapNextRaces(
    changes.map((change) => ({ ...SAMPLE!, ...change })),
    TODAY,
  )!;

describe('the list', () => {
  test.each([
    ['/racing/2026-11-22/fle/7', '2026-11-22/fle/7'],
    ['https://www.tabtouch.com.au/racing/2026-11-22/fle/7?from=next', '2026-11-22/fle/7'],
    ['/racing/fle/7', '2026-11-21/fle/7'],
  ])('the address %p gives the day, if it has one, and the number', (url, sourceRaceId) => {
    expect(listed({ url }).value).toMatchObject([{ sourceRaceId, raceNumber: 7, startTime: null }]);
  });

  test.each([
    [{ isRaces: true }, 'horse'],
    [{ isTrots: true }, 'harness'],
    [{ isDogs: true }, 'greyhound'],
  ])('the flag %p is %s', (flag, category) => {
    expect(listed({ isRaces: false, ...flag }).value).toMatchObject([{ category }]);
  });

  test.each([
    [{ isDogs: true }, 'category_unknown'],
    [{ isRaces: 'true' }, 'category_unknown'],
    [{ url: '/racing/2026-11-21/fle' }, 'race_number_unreadable'],
    [{ url: undefined }, 'race_number_unreadable'],
    [{ meetingId: '' }, 'meeting_id_missing'],
    [{ groundDescription: ', Good' }, 'venue_missing'],
  ])('%p drops the race as %s', (change, reason) => {
    expect(listed(change)).toMatchObject({ value: [], dropped: { [reason]: 1 } });
  });

  test('the venue is the text before the first comma; a tag after it is its country', () => {
    const rows = ['Pinjarra, Soft, Rail Out', 'Veliefendi - TUR, Good', 'Q1 - Lakeside'].map(
      (groundDescription, i) => ({
        groundDescription,
        meetingId: `M${i}`,
      }),
    );
    expect(listed(...rows).value.map(({ venue, country }) => [venue, country])).toEqual([
      ['Pinjarra', null],
      ['Veliefendi', 'TR'],
      ['Q1 - Lakeside', null],
    ]);
  });

  test('if two meetings could be one venue neither is listed: one Ascot is in Perth, the other in Berkshire', () => {
    const perth = { groundDescription: 'Ascot, Good 4', meetingId: 'PR', url: '/racing/2026-11-21/pr/3' };
    const berkshire = { groundDescription: 'ASCOT, Soft', meetingId: 'ORA', url: '/racing/2026-11-21/ora/1' };
    const both = listed(perth, berkshire, {});
    expect(both.value.map((race) => race.venue)).toEqual(['Flemington']);
    expect(both.dropped).toEqual({ venue_of_two_meetings: 2 });
    const others = [
      { isRaces: false, isDogs: true },
      { url: '/racing/2026-11-22/ora/1' },
      { groundDescription: 'Ascot - UK, Soft' },
    ];
    for (const other of others) expect(listed(perth, { ...berkshire, ...other }).value).toHaveLength(2);
    expect(listed(perth, { ...perth, url: '/racing/2026-11-21/pr/4' }).value).toHaveLength(2);
  });
});

describe('the embedded model', () => {
  test.each([
    ['var model = {"a":{"b":"};"}};', { a: { b: '};' } }],
    ['x(); var model={"a":"\\"}{"};\nvar other = {};', { a: '"}{' }],
    ['var model =\n  {}\n', {}],
  ])('%p is read up to its own brace', (script, model) => expect(embeddedModel(script)).toEqual(model));

  test.each([
    "var model = {'a': 1};",
    'var model = {a: 1};',
    'var model = {"a": alert(1)};',
    'var model = {"a": 1',
    'var model = load({"a":1});',
    'var models = {"a":1};',
    'model = {"a":1};',
    'var model;',
    '',
  ])('%p has none', (script) => expect(embeddedModel(script)).toBeUndefined());
});

const mapped = (part: PagePart = {}, field: Parameters<typeof tabTouchPage>[0] = FIELD) =>
  mapRacePage(tabTouchPage(field, part), ID);
const starters = (...pairs: readonly (readonly [unknown, unknown])[]) =>
  pairs.map(([fixedWinDiv, fixedPlaceDiv]) => ({ fixedWinDiv, fixedPlaceDiv }));
const places = (...pairs: readonly (readonly [unknown, unknown])[]) =>
  mapped({ starters: starters(...pairs) })!.value.runners.map((runner) => runner.place);

describe('the page', () => {
  test('the favourite’s label is not part of its price, and no runner has a number', () => {
    expect(mapped()!.value).toMatchObject({
      marketStatus: 'OPEN',
      runners: [{ name: 'Alpha', number: null, win: 2.75 }, { win: 9 }, { win: 9 }],
      sourceUrl: 'https://www.tabtouch.com.au/racing/2026-11-21/fle/1',
    });
  });

  test.each([
    'Betting closed: 12:05:01',
    'Betting closed: 12:05:01 Dividends official: 12:09:44',
    'Dividends official: 12:09:44',
  ])('a page with %p is closed: its figures are not prices', (state) => {
    const { value, dropped } = mapped({ state })!;
    expect([value.marketStatus, value.runners, dropped]).toEqual(['CLOSED', [], {}]);
  });

  test.each([null, ''])('a page without a state (%p) is not assumed to be open', (state) => {
    const { value, dropped } = mapped({ state })!;
    expect([value.marketStatus, value.runners, dropped]).toEqual([null, [], { market_state_missing: 1 }]);
  });

  test.each<[string, PagePart, typeof FIELD]>([
    ["another race's", { raceNumber: 2 }, FIELD],
    ['one whose model is not JSON', { model: "{'pool': 1}" }, FIELD],
    ['an open one without runners', {}, []],
  ])('%s is malformed', (_, part, field) => expect(mapped(part, field)).toBeNull());

  test('a scratched row has no price and no other value', () => {
    const html = tabTouchPage(FIELD).replace('<td class="tote win">', '<td>Scratched</td><td class="tote win">');
    expect(mapRacePage(html, ID)!.value.runners[0]).toMatchObject({ name: 'Alpha', win: null, scratching: null });
    expect(mapped({}, [{ number: 1, name: 'Scratched Record', win: 3 }])!.value.runners[0]!.win).toBe(3);
  });

  test('a wrongly joined race prices no runner: no name of the one Ascot is on the card of the other', () => {
    const card = ['Delta', 'Echo', 'Foxtrot'].map((name, i) => ({ number: i + 1, name }));
    expect(numberRunners(mapped()!.value.runners, card)).toEqual({ runners: [], unjoined: 3 });
  });

  test('two prices in one row are not a price', () => {
    const html = tabTouchPage(FIELD).replace('tote win', 'fixed win');
    const reply = mapRacePage(html, ID)!;
    expect(reply.value.runners.map((runner) => runner.win)).toEqual([null, 9, 9]);
    expect(reply.dropped).toMatchObject({ win_ambiguous: 1 });
  });

  test('a dash is not a price', () => {
    const field = [{ number: 1, name: 'Alpha', win: '-' }, FIELD[1]!];
    const { value, dropped } = mapped({}, field)!;
    expect(value.runners.map((runner) => runner.win)).toEqual([null, 9]);
    expect(dropped).toEqual({});
  });
});

describe('the place, which only the model has', () => {
  test('goes to the runner whose win price is unique to its starter, in any order of either', () => {
    expect(places([9, 2.2], [2.75, 1.3], [9, 2.2])).toEqual([1.3, 2.2, 2.2]);
    expect(places(['9.00', '2.20'], ['2.75', '1.30'], [9, 2.2])).toEqual([1.3, 2.2, 2.2]);
  });

  test('belongs to no runner if two starters share a win price but not a place price', () => {
    expect(places([2.75, 1.3], [9, 2.2], [9, 2.4])).toEqual([1.3, null, null]);
  });

  test('is not affected by starters without a price', () => {
    expect(places([2.75, 1.3], [null, 5], [9, 2.2], [0, 7], [9, 2.2])).toEqual([1.3, 2.2, 2.2]);
  });

  test.each([
    ['cents', starters([275, 130], [900, 220], [900, 220])],
    ['another count', starters([2.75, 1.3], [9, 2.2])],
    ['another price', starters([2.75, 1.3], [9, 2.2], [9.5, 2.2])],
    ['nothing', []],
  ])('is unknown and counted if the model shows %s', (_, shown) => {
    const reply = mapped({ starters: shown })!;
    expect(reply.value.runners.map((runner) => runner.place)).toEqual([null, null, null]);
    expect(reply.dropped).toEqual({ place_not_aligned: 1 });
  });
});

describe('pages of one race, one after the other', () => {
  const at = (time: string, field = FIELD) => tabTouchPage(field, { state: `Dividends as at: ${time}` });

  test('a page with a later time alone is not parsed again; every other difference is', () => {
    const read = createPageReader();
    const first = read(at('11:59:30'), ID);
    expect(read(at('12:00:02'), ID)).toBe(first);
    const moved = FIELD.map((runner, i) => ({ ...runner, win: i === 0 ? 2.8 : runner.win }));
    const pages = [at('12:00:02', moved), at('12:00:17'), tabTouchPage(FIELD, { state: 'Betting closed: 12:00' })];
    for (const page of [...pages, ...pages.toReversed(), 'no page', null])
      expect(read(page, ID)).toEqual(mapRacePage(page, ID));
  });

  test('however many races’ pages are read, a few are kept, and the oldest is read again', () => {
    const read = createPageReader();
    const raceAt = (number: number) => read(at('11:59:30'), { ...ID, code: `c${number}` });
    const first = raceAt(1);
    for (let number = 2; number <= KEPT.max; number++) raceAt(number);
    expect(raceAt(1)).toBe(first);
    for (let number = 2; number <= KEPT.max + 1; number++) raceAt(number);
    expect(raceAt(1)).toEqual(first);
    expect(raceAt(1)).not.toBe(first);
  });

  test('the same page of another race is that race’s, if it is one', () => {
    const read = createPageReader();
    read(at('11:59:30'), ID);
    const other = { ...ID, raceNumber: 2 };
    expect(read(at('11:59:30'), other)).toEqual(mapRacePage(at('11:59:30'), other));
    expect(read(at('11:59:30'), { ...ID, code: 'ran' })?.value.sourceRaceId).not.toBe(
      read(at('11:59:30'), ID)?.value.sourceRaceId,
    );
  });
});

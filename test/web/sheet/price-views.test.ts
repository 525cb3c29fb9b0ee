// The tables of a race by its state: what is said to return, what is marked, and what stands where nothing is known.
import { load } from 'cheerio';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { raceMarketOf } from '../../../src/web/board/race-market';
import { raceSheetOf } from '../../../src/web/board/sheet';
import { priceViews } from '../../../src/web/sheet/price-views';
import { book, NOW, race, START } from '../board/live-race';

function viewsOf(over: Partial<LiveRace>, keepsPrices = true) {
  const visible = visibleRaceOf(race(over), NOW, keepsPrices);
  const readings = {
    marks: () => null,
    changes: { track: null, deductions: [] },
    market: raceMarketOf(visible, [], NOW),
  };
  const { text } = priceViews(raceSheetOf(visible, readings, NOW), { nowMs: NOW, level: 1, linked: false });
  return load(text);
}

const books = [
  { ...book('tab', [4, 2]), place: [1.5, null] },
  { ...book('neds', [4.2, 101]), place: [1.6, null] },
];

test.each([
  ['an open market returns at its best prices, each bet alone', {}, ['c-win', 'c-place', 'c-win', 'c-place']],
  ['a suspended market returns nothing', { market_status: 'SUSPENDED' }, []],
  ['a closed market returns nothing', { market_status: 'CLOSED' }, []],
  ['a race that has jumped returns nothing', { jumped_at: START }, []],
  ['an abandoned race returns nothing', { status: 'abandoned' }, []],
])('%s', (_, over, returned) => {
  const withPlaces = books.map((one) => ({ ...one, place: [1.5, 1.2] }));
  const $ = viewsOf({ ...over, books: withPlaces } as Partial<LiveRace>);
  expect(
    $('[data-return]')
      .get()
      .map((one) => $(one).parent().attr('class')!.split(' ')[1]),
  ).toEqual(returned);
  expect($('#stake')).toHaveLength(returned.length === 0 ? 0 : 1);
});

test('without a place price no place bet returns; a placeholder is never the price that returns', () => {
  const others = ['sportsbet', 'ladbrokes_au'].map((key) => book(key, [4, 2]));
  const $ = viewsOf({ books: [...books, ...others] });
  const second = $('.of-win tbody tr:not(.fold)').eq(1);
  expect(second.find('.c-win').attr('data-price')).toBe('2');
  expect(second.find('.suspect').attr('data-price')).toBe('101');
  expect(second.find('.c-place').attr('data-price')).toBe('');
  expect(second.find('.c-place [data-return]')).toHaveLength(0);
});

test('every cell and head of a book has its key, in the same order in every row', () => {
  const $ = viewsOf({ books });
  const keysOf = (row: string) =>
    $(row)
      .get()
      .map((one) =>
        $(one)
          .find('th[data-bookmaker], td[data-bookmaker]')
          .get()
          .map((cell) => $(cell).attr('data-bookmaker')),
      );
  for (const market of ['win', 'place']) {
    const [head, ...rows] = keysOf(`.of-${market} tr:not(.fold)`);
    expect(head).toEqual(['tab', 'neds']);
    expect(new Set(rows.map(String))).toEqual(new Set([String(head)]));
  }
});

test('each column of the win and the place table sorts, by a name of its own, and every price has its column', () => {
  const $ = viewsOf({ books });
  for (const market of ['win', 'place']) {
    const heads = $(`.of-${market} thead tr`).first().children('th').get();
    const sorts = heads.map((head) => $(head).find('[data-sort]').attr('data-sort'));
    expect(sorts.slice(-2)).toEqual(['book-tab', 'book-neds']);
    expect(new Set(sorts).size).toBe(heads.length);
    expect(sorts).not.toContain(undefined);
    const cells = $(`.of-${market} tbody tr:not(.fold, .scratched)`).first().children();
    expect(cells).toHaveLength(heads.length);
    // On a phone the books' own buttons are in their fold.
    const folded = $(`.of-${market} .by-book [data-sort]`).get();
    expect(folded.map((one) => $(one).attr('data-sort'))).toEqual(['book-tab', 'book-neds']);
  }
});

test('what is not captured is a dash with its reason, and a mark ahead says that it is to come', () => {
  const $ = viewsOf({ books });
  const cells = $('.of-win tbody tr').first().find('.c-first, .c-mark');
  expect(
    cells.get().map((one) => [$(one).text().replace(/^.* /, ''), $(one).attr('data-value'), $(one).attr('title')]),
  ).toEqual([
    ['–', '', 'No price is captured yet'],
    ['–', '', 'No price stood then'],
    ['–', '', 'No price stood then'],
    ['–', '', 'Not yet read 10 minutes before the start'],
    ['–', '', 'Not yet read 5 minutes before the start'],
  ]);
});

// A card is looked at long after it was made: its prices stand with their moment, and a race that is over has none.
import fc from 'fast-check';
import type { RaceOutcome } from '../../../src/web/board/model';
import { boardCard, MOST_ROWS, raceCard } from '../../../src/web/cards/card';
import { HEIGHT, textsOf, WIDTH } from '../../../src/web/cards/layout';
import { givenSheet, NOW, sheetOf } from '../../support/pages/priced-sheet';
import { runs } from '../../support/property';

const isPrice = (figure: string): boolean => /\d/.test(figure);

test('open prices stand with a moment at which each of them was read, and are none once the race is over', () => {
  const seen = { priced: 0, over: 0 };
  fc.assert(
    fc.property(givenSheet, (one) => {
      const sheet = sheetOf(one);
      const { rows, note, kind } = raceCard({ sheet, outcome: null }, NOW);
      expect(rows.length).toBeLessThanOrEqual(MOST_ROWS);
      const priced = rows.filter(({ figure }) => isPrice(figure));
      if (one.state === 'jumped' || one.state === 'abandoned' || one.jumpedSecondsAgo !== null) {
        seen.over++;
        expect([kind, rows]).toEqual(['still', []]);
        return;
      }
      expect(kind).toBe('prices');
      if (priced.length === 0) {
        expect(note).toMatch(/^No current prices at 3:42:05 pm AEDT, Sat 21 Nov 2026$/);
        return;
      }
      seen.priced++;
      expect(note).toMatch(/^Prices at \d{1,2}:\d\d:\d\d [ap]m AEDT, Sat 21 Nov 2026$/);
      for (const { source } of priced) {
        const { polledMs, staleFromMs } = sheet.books.find(({ title }) => title === source)!;
        expect(NOW).toBeLessThan(staleFromMs!);
        const [, minute, second] = /(\d\d):(\d\d) [ap]m/.exec(note)!;
        const ofHour = (Number(minute) * 60 + Number(second)) * 1000;
        expect(ofHour).toBeLessThanOrEqual(polledMs! % 3_600_000);
      }
    }),
    { numRuns: runs(2000) },
  );
  expect(Math.min(seen.priced, seen.over)).toBeGreaterThan(10);
});

test('a result stands with its placings, as interim while it is', () => {
  const sheet = sheetOf({ state: 'jumped', prices: [2, 3], ages: [1, 1, 1], staleAfter: 60, jumpedSecondsAgo: 200 });
  const placing = { deadHeat: false, place: null, sp: null, margin: null, timeSeconds: null };
  const outcome = {
    ...{ status: 'interim', note: null, protest: false, resultedMs: NOW, straight: [], exotics: [] },
    placings: [
      { ...placing, position: 1, number: 2, name: 'Runner 2', win: 3.4 },
      { ...placing, position: 2, number: 1, name: null, win: null },
    ],
  } as unknown as RaceOutcome;
  const card = raceCard({ sheet, outcome }, NOW);
  expect([card.kicker, card.rows, card.note]).toEqual([
    'Interim result',
    [
      { lead: '1st', text: '2 Runner 2', figure: '3.40', source: 'win' },
      { lead: '2nd', text: '1 –', figure: '–', source: '' },
    ],
    'Result of 3:42:05 pm AEDT, Sat 21 Nov 2026. Settled fixed prices.',
  ]);
});

test('the card of the board has no price, and its moment', () => {
  const race = { ...sheetOf({ state: 'open', prices: [], ages: [1, 1, 1], staleAfter: 9, jumpedSecondsAgo: null }) };
  const favourite = { number: 1, name: 'x', price: 77.77, staleFromMs: NOW + 1 };
  const card = boardCard([{ ...race, favourite }], NOW);
  expect(JSON.stringify(card)).not.toContain('77.77');
  expect(card.rows[0]).toEqual({ lead: '', text: 'Flemington R7', figure: '3:43 pm', source: 'AEDT, Sat 21 Nov' });
  expect(boardCard([], NOW).note).toBe('No race was open for betting at 3:42 pm AEDT, Sat 21 Nov 2026');
});

test('every text has room within the picture, and texts of a row do not meet', () => {
  const row = { lead: '12', text: 'x', figure: '101', source: 'x' };
  const card = { kind: 'prices', kicker: 'a', title: 'b', subtitle: 'c', note: 'd' } as const;
  const texts = textsOf({ ...card, rows: Array.from({ length: MOST_ROWS }, () => row) });
  const spans = texts.map(({ x, y, align, maxWidth }) => ({
    y,
    from: align === 'left' ? x : x - maxWidth,
    width: maxWidth,
  }));
  for (const { y, from, width } of spans) {
    expect(from).toBeGreaterThanOrEqual(0);
    expect(from + width).toBeLessThanOrEqual(WIDTH);
    expect(y).toBeLessThan(HEIGHT);
  }
  for (const [i, one] of spans.entries())
    for (const other of spans.slice(i + 1))
      if (one.y === other.y)
        expect(one.from + one.width <= other.from || other.from + other.width <= one.from).toBe(true);
});

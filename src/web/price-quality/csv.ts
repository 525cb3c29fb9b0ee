// The figures of a period as CSV: a row for each bookmaker, code and mark. What is unknown is empty, never 0.
import { halfUp } from '../../domain/half-up';
import type { Column, Row } from '../../row-files/columns';
import { csvHeader, csvLines } from '../../row-files/csv';
import type { PriceQualityView } from './price-quality';
import type { MarkRow } from './source';

type Figure = readonly [column: Column, of: (row: MarkRow) => string | number | null];

const column = (name: string, type: Column['type'], description: string, nullable = false): Column => ({
  name,
  type,
  nullable,
  description,
});

const FIGURES: readonly Figure[] = [
  [column('category', 'text', 'Racing code'), ({ category }) => category],
  [column('bookmaker_key', 'text', 'Key of the bookmaker'), ({ bookmaker }) => bookmaker],
  [column('bookmaker', 'text', 'Its title'), ({ title }) => title],
  [column('minutes_to_jump', 'integer', 'Minutes from the mark to the jump'), ({ minutes }) => minutes],
  [column('races', 'integer', 'Races at which it had a price on offer'), ({ races }) => races],
  [column('quoted', 'integer', 'Prices on offer'), ({ quoted }) => quoted],
  [column('age_known', 'integer', 'Of quoted, prices of known age'), ({ checked }) => checked],
  [
    column('stale', 'integer', 'Of age_known, stale prices', true),
    ({ checked, stale }) => (checked === 0 ? null : stale),
  ],
  [column('placeholders', 'integer', 'Prices that are no real quote'), ({ placeholders }) => placeholders],
  [column('compared', 'integer', 'Prices on runners with another bookmaker’s price'), ({ compared }) => compared],
  [column('best', 'integer', 'Of compared, the highest, shared ones included'), ({ best }) => best],
  [column('best_alone', 'integer', 'Of best, those that no other bookmaker had'), ({ bestAlone }) => bestAlone],
  [column('closes', 'integer', 'Prices on runners with a closing price'), ({ closes }) => closes],
  [column('vs_close_pct', 'number', 'Mean percent above the best closing price', true), vsClosePct],
  [column('fairs', 'integer', 'Prices on runners with a fair price'), ({ fairs }) => fairs],
  [column('vs_fair_pct', 'number', 'Mean percent above the fair price', true), vsFairPct],
];

const PERIOD = column('period', 'text', 'The Sydney day, or the month of Sydney days');
const COLUMNS = [PERIOD, ...FIGURES.map(([one]) => one)];

export function vsClosePct({ closes, closeSum }: MarkRow): number | null {
  return closes === 0 ? null : halfUp(closeSum / closes / 100, 100);
}

export function vsFairPct({ fairs, fairSum }: MarkRow): number | null {
  return fairs === 0 ? null : halfUp(fairSum / fairs / 100, 100);
}

export function priceQualityCsv({ period, codes }: PriceQualityView): string {
  const rows = codes.flatMap(({ books }) =>
    books.flatMap(({ marks }) =>
      Object.values(marks).flatMap((row): Row[] =>
        row === null ? [] : [[period.name, ...FIGURES.map(([, of]) => of(row))]],
      ),
    ),
  );
  return csvHeader(COLUMNS) + csvLines(COLUMNS)(rows);
}

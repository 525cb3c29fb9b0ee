// The exotic dividends of a day's results as rows (D27).
import type { Column, Row } from '../../row-files/columns';
import type { ResultRow } from '../../store/reads/results/results';
import { column, nullable, RACE_COLUMNS } from './columns';
import { byStart, raceCells } from './results';

export const EXOTIC_DIVIDEND_COLUMNS: readonly Column[] = [
  ...RACE_COLUMNS,
  column('result_status', 'text', '`interim` or `final`.'),
  nullable(column('resulted_at', 'instant', 'When the first placings were reported (UTC).')),
  column('code', 'text', '`QN`, `EX`, `TF` or `FF`.'),
  column('type', 'text', 'Quinella, Exacta, Trifecta or First Four.'),
  column('product', 'text', 'The pool that paid.'),
  column('selection', 'text', 'The winning numbers.'),
  column('amount', 'number', 'Dividend for one dollar.'),
];

interface Exotic {
  readonly code: string;
  readonly type: string;
  readonly product: string;
  readonly selection: string;
  readonly amount: number;
}

export function exoticRows(results: readonly ResultRow[]): Row[] {
  return [...results].sort(byStart).flatMap((race) => {
    const exotics = [...((race.dividends?.exotics ?? []) as readonly Exotic[])].sort(inOrder);
    const head = [...raceCells(race), race.status, race.resulted_at];
    return exotics.map(({ code, type, product, selection, amount }) => [
      ...head,
      code,
      type,
      product,
      selection,
      amount,
    ]);
  });
}

const keyOf = ({ code, product, selection }: Exotic): string => `${code} ${product} ${selection}`;
const inOrder = (a: Exotic, b: Exotic): number => (keyOf(a) < keyOf(b) ? -1 : 1);

// The rows of a statement: the head before it, each line, the sums and the head of each day, and the sums of the month.
// In pieces: a page of lines is in memory. Never a head that is not that of the lines before it.
import type { Column } from '../../row-files/columns';
import { csvHeader, csvLines } from '../../row-files/csv';
import { CHAINED, createDayChain, type DaySums, type StatementLine } from '../../store/credits/statement/chain';
import type { ClosedDay, CreditDayStore, StatementMonth } from '../../store/credits/statement/days';

const texts = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name, type: 'text', nullable: true, description: name }));

/** Those of a line that its owner may change later are behind the head, and no part of it. */
const COLUMNS = ['record', ...CHAINED, 'head', 'lines', 'key_label', 'key_last4'] as const;
type StatementRow = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

const DAY_COLUMNS = ['month', 'day', 'lines', 'used', 'from_grants', 'overage', 'granted', 'previous', 'head'];

const HEADER = csvHeader(texts(...COLUMNS));
const toCsv = csvLines(texts(...COLUMNS));
const daysToCsv = csvLines(texts(...DAY_COLUMNS));

const csvOf = (rows: readonly StatementRow[]): string =>
  toCsv(rows.map((row) => COLUMNS.map((name) => row[name] || null)));

interface Read {
  readonly month: StatementMonth & { readonly accountId: string };
  readonly days: readonly ClosedDay[];
  /** By the public id of a key. */
  readonly keys: ReadonlyMap<string, { readonly label: string; readonly last4: string }>;
  readonly store: Pick<CreditDayStore, 'lines'>;
}

/** `days`: one at least. Throws between two pieces if a line was changed. */
export async function* statementPieces({ month, days, keys, store }: Read): AsyncGenerator<string> {
  const lineRow = (line: StatementLine): StatementRow => {
    const key = keys.get(line.key_id);
    return { record: 'line', ...line, key_label: key?.label, key_last4: key?.last4 };
  };
  yield HEADER + csvOf([{ record: 'opening', head: days[0]!.previous }]);
  for (const day of days) {
    const chain = createDayChain(day.previous);
    for await (const page of store.lines(month, day.day)) {
      for (const line of page) chain.add(line);
      yield csvOf(page.map(lineRow));
    }
    const found = chain.end();
    if (found.head !== day.head)
      throw new Error(`the lines of ${month.accountId} on ${day.day} are not those of its head`);
    yield csvOf([{ record: 'day', day: day.day, ...sumCells(found), head: found.head }]);
  }
  const sums = days.reduce<DaySums>(added, NOTHING);
  const last = days.at(-1)!;
  // A day may have been closed since the month was read.
  const through = month.through > last.day ? month.through : last.day;
  yield csvOf([{ record: 'month', day: through, ...sumCells(sums), head: last.head }]);
}

const NOTHING: DaySums = { lines: 0, used: 0, fromGrants: 0, overage: 0, granted: 0 };

const added = (a: DaySums, b: DaySums): DaySums => ({
  lines: a.lines + b.lines,
  used: a.used + b.used,
  fromGrants: a.fromGrants + b.fromGrants,
  overage: a.overage + b.overage,
  granted: a.granted + b.granted,
});

const sumCells = ({ lines, used, fromGrants, overage, granted }: DaySums): StatementRow => ({
  lines: String(lines),
  used: String(used),
  from_allowance: String(used - fromGrants - overage),
  from_grants: String(fromGrants),
  overage: String(overage),
  granted: String(granted),
  balance_effect: String(granted - used),
});

/** Every closed day of an account, a few hundred a year. */
export const headsCsv = (days: readonly (ClosedDay & { readonly period: string })[]): string =>
  csvHeader(texts(...DAY_COLUMNS)) +
  daysToCsv(
    days.map((one) => [
      ...[one.period.slice(0, 7), one.day],
      ...[one.lines, one.used, one.fromGrants, one.overage, one.granted].map(String),
      ...[one.previous, one.head],
    ]),
  );

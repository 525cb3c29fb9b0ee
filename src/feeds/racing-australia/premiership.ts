// A premiership table. The columns and the address are as public readers describe them; the line of the period and the
// parameter of the scope are inferred, and the season in the address is assumed to be the year in which it begins.
import {
  PREMIERSHIP_TOP,
  type PremiershipPage,
  type PremiershipRow,
  type PremiershipTable,
} from '../../domain/registry/premiership';
import { countDrops } from '../reading/drops';
import { openPage } from '../reading/html';
import { numberOf, tallyOf, winningsOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { dashedDay } from './address';
import { cellText, readRows, spaced, type TableRow } from './page';
import { linkedCode } from './runner-cells';

const PERIOD = /(\d{1,2}-[A-Za-z]{3}-\d{4})\s+to\s+(\d{1,2}-[A-Za-z]{3}-\d{4})/i;

/** Null if the page has no table for the role. A table without rows is empty, not absent: there is no winner yet. */
export function mapPremiership(html: string, { role }: PremiershipTable): Mapped<PremiershipPage> | null {
  const $ = openPage(html);
  const table = $('table')
    .toArray()
    .map((one) => readRows($, $(one), [role, '1st', 'starts']))
    .find((rows) => rows !== null);
  if (!table) return null;
  const drops = countDrops();
  const rows = table.flatMap((row) => {
    const read = readRow(row, role);
    if (!read) drops.add('premiership_row_unreadable');
    return read ? [read] : [];
  });
  const [, from, to] = PERIOD.exec(spaced($, $('div.premiership-period').first()).slice(0, 500)) ?? [];
  const page = {
    periodFrom: from ? dashedDay(from) : null,
    periodTo: to ? dashedDay(to) : null,
    rows: rows.slice(0, PREMIERSHIP_TOP).map((row, i) => ({ rank: i + 1, ...row })),
  };
  return { value: page, bookAt: null, dropped: drops.counts() };
}

function readRow(row: TableRow, role: PremiershipTable['role']): Omit<PremiershipRow, 'rank'> | null {
  const text = (column: string): string | null => cellText(row.get(column)?.text);
  const name = text(role);
  if (name === null) return null;
  const tally = (column: string): number | null => tallyOf(text(column)?.replaceAll(',', ''));
  return {
    name,
    code: linkedCode(row, role, `${role}code`),
    firsts: tally('1st'),
    seconds: tally('2nd'),
    thirds: tally('3rd'),
    fourths: tally('4th'),
    fifths: tally('5th'),
    prizeMoney: winningsOf(text('prizemoney')),
    strikeRate: numberOf(text('strikerate')?.replace('%', '')),
    starts: tally('starts'),
  };
}

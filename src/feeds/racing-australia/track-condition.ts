// A state's track conditions. The day is joined to the venue (`Mon 16-Feb Beaumont Newcastle`) and has no year.
import type { Day } from '../../domain/race/race';
import type { RegistryCondition } from '../../domain/registry/registry';
import { countDrops } from '../reading/drops';
import { openPage } from '../reading/html';
import type { Mapped } from '../transport/reply';
import { dayNear } from './address';
import { cellText, readRows, type TableRow } from './page';

const MEETING = /^([A-Za-z]{3}\s+\d{1,2}-[A-Za-z]{3})\s+(.+)$/;

/** Null if no table of the page has the columns. */
export function mapTrackConditions(html: string, today: Day): Mapped<readonly RegistryCondition[]> | null {
  const $ = openPage(html);
  const tables = $('table').toArray();
  const rows = tables
    .map((table) => readRows($, $(table), ['meeting', 'trackcondition']))
    .find((found) => found !== null);
  if (!rows) return null;
  const drops = countDrops();
  const conditions = rows.flatMap((row) => {
    const condition = readCondition(row, today);
    if (!condition) drops.add('track_row_unreadable');
    return condition ? [condition] : [];
  });
  return { value: conditions, bookAt: null, dropped: drops.counts() };
}

function readCondition(row: TableRow, today: Day): RegistryCondition | null {
  const [, date = '', venue] = MEETING.exec(cellText(row.get('meeting')?.text) ?? '') ?? [];
  const day = dayNear(date, today);
  if (!day || !venue) return null;
  // Column names vary in length: `Rail` or `Rail Position`.
  const text = (column: string): string | null =>
    cellText([...row].find(([name]) => name.startsWith(column))?.[1].text);
  return {
    day,
    venue,
    trackCondition: text('trackcondition'),
    rail: text('rail'),
    weather: text('weather'),
    penetrometer: text('penetrometer'),
    rainfall: text('rainfall'),
    irrigation: text('irrigation'),
    updated: text('updated') ?? text('lastupdated'),
  };
}

// The official scratching sheet: each race's scratched runners, without times. A race without rows has no scratchings.
import type { RegistrySheet } from '../../domain/registry/registry';
import { countDrops, type Drops } from '../reading/drops';
import { openPage, type Page, type Piece } from '../reading/html';
import { countOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { raceTables } from './meeting-page';
import { cellText, readRows } from './page';

/** Null if the page has no race, because it is then not a sheet. */
export function mapScratchings(html: string, key: string): Mapped<RegistrySheet> | null {
  const $ = openPage(html);
  const drops = countDrops();
  const races = raceTables($).flatMap(({ title, table }) => {
    const raceNumber = countOf(/Race\s+(\d+)/i.exec(title)?.[1]);
    if (raceNumber === null) drops.add('race_title_unreadable');
    return raceNumber === null ? [] : [{ raceNumber, scratched: table ? readScratched($, table, drops) : [] }];
  });
  return races.length === 0 ? null : { value: { key, races }, bookAt: null, dropped: drops.counts() };
}

function readScratched($: Page, table: Piece, drops: Drops) {
  const rows = readRows($, table, ['no', 'horse']);
  if (!rows) drops.add('sheet_columns_unreadable');
  return (rows ?? []).flatMap((row) => {
    const number = countOf(row.get('no')?.text.replace(/e$/i, ''));
    const name = cellText(row.get('horse')?.text);
    if (number === null || name === null) drops.add('runner_unreadable');
    return number === null || name === null ? [] : [{ number, name }];
  });
}

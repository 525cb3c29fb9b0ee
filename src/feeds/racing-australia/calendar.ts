// The calendar of a state: which meetings are to come and which of their documents are out. Trials are no meetings.
import type { RegistryListing } from '../../domain/registry';
import { countDrops } from '../drops';
import type { Mapped } from '../reply';
import { keyIn, readKey } from './address';
import { openPage, readRows, type TableRow } from './page';

/** Null when the page has no calendar. A calendar without meetings is a good answer. */
export function mapCalendar(html: string): Mapped<readonly RegistryListing[]> | null {
  const $ = openPage(html);
  const rows = readRows($, $('table.race-fields').first(), ['date', 'venue']);
  if (!rows) return null;
  const drops = countDrops();
  const listings = rows.flatMap((row) => {
    const links = [...row.values()].flatMap((cell) => cell.links);
    const key = links.map(keyIn).find((found) => found !== null);
    // Not even a first document: there is nothing to ask for yet.
    if (!key || isTrial(key, row)) return [];
    const meeting = readKey(key);
    if (!meeting) drops.add('meeting_key_unreadable');
    return meeting
      ? [{ key, ...meeting, acceptances: has(links, 'Acceptances'), scratchings: has(links, 'Scratchings') }]
      : [];
  });
  return { value: listings, bookAt: null, dropped: drops.counts() };
}

const isTrial = (key: string, row: TableRow): boolean =>
  /,\s*(trial|jumpout)s?\s*$/i.test(key) || /\((trial|jumpout)s?\)/i.test(row.get('venue')?.text ?? '');

const has = (links: readonly string[], document: string): boolean =>
  links.some((link) => new RegExp(`/${document}\\.aspx\\?`, 'i').test(link));

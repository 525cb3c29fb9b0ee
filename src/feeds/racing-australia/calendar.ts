// The calendar of a state: upcoming meetings and which of their documents are published. Meetings that have run are in
// a calendar of the same structure (results/calendar.ts). Trials are left out.
import type { RegistryListing } from '../../domain/registry/registry';
import { countDrops, type Drops } from '../reading/drops';
import { openPage } from '../reading/html';
import type { Mapped } from '../transport/reply';
import { isTrial, keyIn, readKey } from './address';
import { linksIn, squeezed } from './page';

export const mapCalendar = (html: string): Mapped<readonly RegistryListing[]> | null => mapRows(html, listingOf);

/**
 * Null if the page has no calendar; a calendar without meetings is valid. `read` gets a row's links and text, because
 * the columns have no names; it returns null for a row that is not a meeting.
 */
export function mapRows<T>(
  html: string,
  read: (links: readonly string[], text: string, drops: Drops) => T | null,
): Mapped<readonly T[]> | null {
  const $ = openPage(html);
  const table = $('table.race-fields').first();
  if (table.length === 0) return null;
  const drops = countDrops();
  const rows = table.find('tr').toArray();
  const value = rows.flatMap((row) => read(linksIn($, $(row)), squeezed($(row).text()), drops) ?? []);
  return { value, bookAt: null, dropped: drops.counts() };
}

function listingOf(links: readonly string[], text: string, drops: Drops): RegistryListing | null {
  const key = links.map(keyIn).find((found) => found !== null);
  // Nothing to fetch yet: not even the first document is published.
  if (!key || isTrial(key, text)) return null;
  const meeting = readKey(key);
  if (!meeting) drops.add('meeting_key_unreadable');
  return meeting && { key, ...meeting, acceptances: has(links, 'Acceptances'), scratchings: has(links, 'Scratchings') };
}

const has = (links: readonly string[], document: string): boolean =>
  links.some((link) => new RegExp(`/${document}\\.aspx\\?`, 'i').test(link));

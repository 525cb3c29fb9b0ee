// The calendar of a state: which meetings are to come and which of their documents are out. What has run has a calendar of the same
// build (results/calendar.ts). Trials are no meetings.
import type { RegistryListing } from '../../domain/registry/registry';
import { countDrops, type Drops } from '../reading/drops';
import { openPage } from '../reading/html';
import type { Mapped } from '../transport/reply';
import { isTrial, keyIn, readKey } from './address';
import { linksIn, squeezed } from './page';

export const mapCalendar = (html: string): Mapped<readonly RegistryListing[]> | null => mapRows(html, listingOf);

/**
 * Null when the page has no calendar. A calendar without meetings is a good answer. `read` gets a row's links and text: they say all, for the
 * columns have no names; null is no meeting.
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
  // Not even a first document: there is nothing to ask for yet.
  if (!key || isTrial(key, text)) return null;
  const meeting = readKey(key);
  if (!meeting) drops.add('meeting_key_unreadable');
  return meeting && { key, ...meeting, acceptances: has(links, 'Acceptances'), scratchings: has(links, 'Scratchings') };
}

const has = (links: readonly string[], document: string): boolean =>
  links.some((link) => new RegExp(`/${document}\\.aspx\\?`, 'i').test(link));

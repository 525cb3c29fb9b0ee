// The calendar of the meetings that a state has run, about a month of them. A row's link identifies the meeting; trials
// and jump-outs are left out.

import type { Day } from '../../../domain/race/race';
import type { PublishedListing } from '../../../domain/results/published-results';
import type { Drops } from '../../reading/drops';
import type { Mapped } from '../../transport/reply';
import { isTrial, keyIn, readKey } from '../address';
import { mapRows } from '../calendar';

const RESULTS = /\/Results\.aspx\?/i;

/** Meetings from `from` to `to`, both inclusive. Null if the page has no calendar. */
export function mapResultsCalendar(html: string, from: Day, to: Day): Mapped<readonly PublishedListing[]> | null {
  const mapped = mapRows(html, listingOf);
  const wanted = mapped?.value.filter(({ day }) => day >= from && day <= to) ?? [];
  return mapped && { ...mapped, value: [...new Map(wanted.map((one) => [one.key, one])).values()] };
}

function listingOf(links: readonly string[], text: string, drops: Drops): PublishedListing | null {
  const key = keyIn(links.find((link) => RESULTS.test(link)));
  if (key === null || isTrial(key, text)) return null;
  const meeting = readKey(key);
  if (!meeting) drops.add('meeting_key_unreadable');
  return meeting && { key, day: meeting.day, region: meeting.state, venue: meeting.venue };
}

// Whether a race is at a venue, whatever the spelling of its case, accents and punctuation.
import type { Race } from '../board/quotes.ts';

export function sameVenue({ venue, venue_id, venue_canonical, venue_site }: Race, name: string): boolean {
  const wanted = folded(name);
  return [venue, venue_id, venue_canonical, venue_site].some((one) => folded(one) === wanted);
}

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

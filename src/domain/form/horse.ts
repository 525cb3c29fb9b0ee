// Which horse a name or a code means, by the feeds' reports of it (B 4.5). A horse has another code at each meeting,
// and each of them opens its page. Two horses whose folded names are equal are distinguished by the country of birth
// after their names, if both have one.
import type { Instant } from '../race/race';
import type { AnimalQuery } from './animal';
import { birthplace } from './birthplace';

/** The horse in one report. */
export interface HorseSighting {
  readonly key: string;
  readonly name: string;
  /** `ra:<code>`; null if the report has none. */
  readonly ref: string | null;
  /** Of a race, its start; of a stored page, when it was read. */
  readonly at: Instant;
  readonly source: 'acceptances' | 'results' | 'page';
}

export interface Horse {
  readonly key: string;
  readonly name: string;
  /**
   * The code that its page is read under: the one that the query pins, else the most recent. Null if none was ever
   * reported.
   */
  readonly ref: string | null;
  /** Every code of it, the most recent first. */
  readonly refs: readonly string[];
  readonly lastSeen: Instant;
}

/** `sightings`: in any order, of any horses. Null if none is of the horse that the query means. */
export function horseOf(query: AnimalQuery, sightings: readonly HorseSighting[]): Horse | null {
  const pinned = 'ref' in query ? sightings.find(({ ref }) => ref === query.ref) : undefined;
  const key = 'key' in query ? query.key : pinned?.key;
  const named = sightings.filter((sighting) => sighting.key === key).sort(newestFirst);
  const chosen = pinned ?? named.find(({ ref }) => ref !== null) ?? named[0];
  if (!chosen) return null;
  const own = named.filter(({ name }) => isNameOf(chosen, name));
  const refs = [...new Set([...(pinned?.ref ? [pinned.ref] : []), ...own.flatMap(({ ref }) => ref ?? [])])];
  return { key: chosen.key, name: chosen.name, ref: chosen.ref, refs, lastSeen: own[0]!.at };
}

/** Reports of feeds come before a page that was only read on request, whose time says nothing about the horse. */
function newestFirst(a: HorseSighting, b: HorseSighting): number {
  const pages = Number(a.source === 'page') - Number(b.source === 'page');
  return pages || (a.at < b.at ? 1 : a.at > b.at ? -1 : compare(b.ref ?? '', a.ref ?? ''));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Horses under the same folded name with another country of birth are different horses. */
export function isNameOf(horse: { readonly name: string }, name: string): boolean {
  const from = birthplace(horse.name);
  const other = birthplace(name);
  return from === null || other === null || from === other;
}

/** A code of the registry; text of any other shape is the code of no horse. */
export const isHorseRef = (ref: string): boolean => /^ra:\d{1,20}$/.test(ref);

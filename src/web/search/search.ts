// Finds venues, runners, riders and trainers by the beginning of their words. A text that is too short finds nothing
// and reads nothing. Many visitors cost one read: what was found is cached for some seconds.
import { runnerKey } from '../../domain/race/runner';
import { foldText } from '../../domain/race/venue';
import { timedCache } from '../board/timed-cache';
import type { FoundVenue, SearchFound, SearchSource, SpelledVenue } from './model';

export interface NameSearch {
  find(text: string): Promise<SearchFound>;
}

export const SHORTEST = 2;
export const LONGEST = 60;
const NO_RUNNERS = { runners: [], moreRunners: false };
const NOTHING: SearchFound = { venues: [], ...NO_RUNNERS, people: [], morePeople: false };
const MOST_VENUES = 8;
const MOST_WORDS = 5;
/** Race time. */
const CACHED_MS = 5000;
const VENUES_CACHED_MS = 60_000;
const TEXTS_CACHED = 200;

export function createNameSearch({ source, now }: { readonly source: SearchSource; now(): number }): NameSearch {
  const found = timedCache<SearchFound>(CACHED_MS, TEXTS_CACHED);
  const venues = timedCache<readonly SpelledVenue[]>(VENUES_CACHED_MS, 1);
  return {
    async find(text) {
      const nowMs = now();
      const cut = text.slice(0, LONGEST);
      const asked = foldText(cut);
      if (asked.replaceAll(' ', '').length < SHORTEST) return NOTHING;
      // Folded as the names of runners are, which is not how words are: `Rock & Roll (NZ)` is `rockroll`.
      const key = runnerKey(cut);
      const words = asked.split(' ').slice(0, MOST_WORDS);
      const read = async (): Promise<SearchFound> => {
        const [all, byKey, byWords] = await Promise.all([
          venues.get('all', nowMs, () => source.venues(nowMs)),
          key === '' ? NO_RUNNERS : source.runners(key),
          source.people(words, nowMs),
        ]);
        return { venues: venuesOf(all.value, words), ...byKey, ...byWords };
      };
      return (await found.get(`${asked} ${key}`, nowMs, read)).value;
    },
  };
}

function venuesOf(all: readonly SpelledVenue[], words: readonly string[]): FoundVenue[] {
  const begins = (name: string): boolean => {
    const own = foldText(name).split(' ');
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  return all
    .filter(({ name, spellings }) => [name, ...spellings].some(begins))
    .toSorted((a, b) => Number(begins(b.name)) - Number(begins(a.name)) || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_VENUES)
    .map(({ venueId, name, country, state, categories }) => ({ venueId, name, country, state, categories }));
}

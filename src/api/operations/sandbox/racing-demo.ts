// The sandbox's sample of one book's win prices: the next races of a code, computed once in 90 seconds for all API
// processes (shapes 3.8).
import type { Static } from '@sinclair/typebox';
import type { Category } from '../../../domain/race/race';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { type RacesRead, readRaces } from '../widgets/fills/races';
import { type DemoBookSport, MOST_EVENTS, type RACING_SLUGS } from './sports-demo-schema';

type RacingSlug = (typeof RACING_SLUGS)[number];
type Sample = Pick<Static<typeof DemoBookSport>, 'has_data' | 'items' | 'truncated' | 'cached'>;

export interface RacingDemo {
  bookRacing(bookmakerKey: string, code: RacingSlug, nowMs: number): Promise<Sample>;
}

const CACHED_MS = 90_000;
/** Part of the cache key: raise it when the sample changes in form or content. */
const FORM = 'demo racing 1';

const CATEGORIES: Readonly<Record<RacingSlug, Category>> = {
  'horse-racing': 'horse',
  'harness-racing': 'harness',
  'greyhound-racing': 'greyhound',
};

export function createRacingDemo(reads: Pick<Reads, 'board' | 'findRaces'>, shared: SharedAnswers): RacingDemo {
  return {
    async bookRacing(key, code, nowMs) {
      const { value, fresh } = await shared.get(`${FORM} ${key} ${code}`, CACHED_MS, nowMs, async () => {
        const wanted = {
          type: 'racing' as const,
          categories: [CATEGORIES[code]],
          countries: [],
          races: MOST_EVENTS + 1,
        };
        const read = await readRaces(reads, wanted, { bookmakers: [key] }, null, nowMs);
        const races = (read?.races ?? []).flatMap(itemOf);
        return { items: races.slice(0, MOST_EVENTS), truncated: races.length > MOST_EVENTS };
      });
      const items = value.items.filter(({ start_time }) => Date.parse(start_time) > nowMs);
      return { ...value, items, has_data: items.length > 0, cached: !fresh };
    },
  };
}

/** None without a price. */
function itemOf({ venue, raceNumber, startMs, runners }: RacesRead['races'][number]) {
  const priced = runners.flatMap(({ name, win }) =>
    win ? [{ name, price: win.price, updatedMs: win.updatedMs }] : [],
  );
  if (priced.length === 0 || startMs === null) return [];
  return [
    {
      venue,
      race_number: raceNumber,
      start_time: new Date(startMs).toISOString(),
      last_update: new Date(Math.max(...priced.map(({ updatedMs }) => updatedMs))).toISOString(),
      prices: priced.map(({ name, price }) => ({ name, price })),
    },
  ];
}

// Composes what the pages of past races show. Many viewers cost one read: values are cached for some seconds.
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, aetDayBounds, isDay } from '../../domain/time/aet';
import type { PriceChart } from '../board/model';
import { priceChartOf } from '../board/price-chart';
import { timedCache } from '../board/timed-cache';
import type { DayView, PastDays, PastRace } from './model';
import { pastRaceOf } from './past-race';
import type { PastSource, StoredPastRace } from './source';

export interface PastRaces {
  /** Days up to `until`, today at the latest. */
  days(until: Day | null): Promise<PastDays>;
  /** Null: no such day, a future one, or one before the archive. */
  day(day: string): Promise<DayView | null>;
  /** Null: there is no such race. */
  race(raceId: string): Promise<PastRace | null>;
  /** The data of its chart. */
  chart(raceId: string): Promise<PriceChart | null>;
}

const DAYS = 28;
/** Race time. */
const CACHED_MS = 5000;
const RACES_CACHED = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createPastRaces({ source, now }: { readonly source: PastSource; now(): number }): PastRaces {
  const spans = timedCache<PastDays>(CACHED_MS, 50);
  const days = timedCache<DayView | null>(CACHED_MS, 50);
  const stored = timedCache<StoredPastRace | null>(CACHED_MS, RACES_CACHED);
  const pages = new WeakMap<StoredPastRace, PastRace>();
  const charts = new WeakMap<StoredPastRace, PriceChart>();
  const read = async (raceId: string): Promise<StoredPastRace | null> =>
    UUID.test(raceId) ? (await stored.get(raceId, now(), () => source.race(raceId))).value : null;
  return {
    async days(until) {
      const today = aetDay(now());
      const last = until !== null && isDay(until) && until < today ? until : today;
      return (await spans.get(last, now(), () => spanOf(source, last))).value;
    },
    async day(day) {
      const today = aetDay(now());
      if (!isDay(day) || day > today) return null;
      return (await days.get(day, now(), () => dayOf(source, day, today))).value;
    },
    race: async (raceId) => made(pages, await read(raceId), pastRaceOf),
    chart: async (raceId) => made(charts, await read(raceId), chartOf),
  };
}

/** The same value for the same reading, so that it is serialised once. */
function made<T>(
  cache: WeakMap<StoredPastRace, T>,
  race: StoredPastRace | null,
  make: (race: StoredPastRace) => T,
): T | null {
  if (race === null) return null;
  const value = cache.get(race) ?? make(race);
  cache.set(race, value);
  return value;
}

async function spanOf(source: PastSource, last: Day): Promise<PastDays> {
  const wanted = Array.from({ length: DAYS }, (_, i) => addDays(last, -i));
  const [days, fromMs] = await Promise.all([source.days(wanted), source.archiveFromMs()]);
  const isMore = fromMs !== null && fromMs < aetDayBounds(wanted.at(-1)!).startMs;
  const since = fromMs === null ? null : aetDay(fromMs);
  return { days: days.filter(({ run }) => run > 0), since, older: isMore ? addDays(last, -DAYS) : null };
}

async function dayOf(source: PastSource, day: Day, today: Day): Promise<DayView | null> {
  const [coverage, races, fromMs] = await Promise.all([source.days([day]), source.races(day), source.archiveFromMs()]);
  const since = fromMs === null ? null : aetDay(fromMs);
  const first = since ?? today;
  if (races.length === 0 && day < first) return null;
  return { coverage: coverage[0]!, races, since, before: day > first ? addDays(day, -1) : null };
}

const chartOf = ({ race, captured }: StoredPastRace): PriceChart =>
  priceChartOf(race, captured, race.jumpedMs ?? race.startMs);

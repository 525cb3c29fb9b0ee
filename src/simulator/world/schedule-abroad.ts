// The meetings outside Australia and New Zealand: one of each role every day, in addition to the domestic card, which
// they never change. Real race nights in Hong Kong are Wednesdays and weekends; here every day's card has one, early
// enough to end within its Sydney day.
import type { Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import type { ScheduledMeeting } from './schedule';
import { ABROAD, type Abroad } from './tracks';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const BETWEEN_RACES_MS = 30 * MINUTE_MS;

/**
 * Counted in minutes from the start of the Sydney day, or back from its end (the last race). They are spread out, so
 * that few race at the same time.
 */
type Hours = { readonly races: number } & ({ readonly first: number } | { readonly lastBeforeEnd: number });

const HOURS: Readonly<Record<Abroad, Hours>> = {
  hongKong: { races: 8, lastBeforeEnd: 20 },
  international: { races: 6, first: 5 },
  unlabelled: { races: 6, first: 6 * 60 + 5 },
};

/** In the order of `HOURS`. */
export function scheduleAbroad(day: Day): ScheduledMeeting[] {
  const dayNumber = Math.round(Date.parse(day) / DAY_MS);
  return Object.entries(HOURS).map(([role, hours]) => {
    const tracks = ABROAD[role as Abroad];
    return { track: tracks[dayNumber % tracks.length]!, startsMs: startsOf(day, hours) };
  });
}

function startsOf(day: Day, hours: Hours): number[] {
  const { startMs, endMs } = aetDayBounds(day);
  const firstMs =
    'first' in hours
      ? startMs + hours.first * MINUTE_MS
      : endMs - hours.lastBeforeEnd * MINUTE_MS - (hours.races - 1) * BETWEEN_RACES_MS;
  return Array.from({ length: hours.races }, (_, i) => firstMs + i * BETWEEN_RACES_MS);
}

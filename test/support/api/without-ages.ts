// Races of `next-to-go` in its order, without the members that follow from `last_update`, the start and the time of the
// response. Two results are equal as text if the races are equal.
import type { WireRace } from '../docs/stream-board';

export const withoutAges = (races: Iterable<WireRace>): readonly WireRace[] =>
  sorted(Array.from(races, raceOf).sort((a, b) => order(a.start_time, b.start_time) || order(a.race_id, b.race_id)));

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function raceOf(race: WireRace): WireRace {
  const { data_age_seconds, freshest_age_seconds, refresh_tier, stale, stale_bookmakers, ...others } = race;
  const { cached, cache_age_seconds, runners, ...shown } = others;
  return { ...shown, runners: runners.map(runnerOf) };
}

const runnerOf = ({ bookmakers, ...runner }: WireRace): WireRace => ({
  ...runner,
  bookmakers: bookmakers.map(({ age_seconds: _, stale: __, ...quote }: WireRace) => quote),
});

/** The order of members means nothing. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON.
function sorted(value: any): any {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

// The result of a TAB race: `results` by finishing position, and dividends per jurisdiction.
// `Paying` is TAB's end state, but placings are final only after standing for 30 minutes (A 3): a TAB result is interim
// or abandoned, never final.
import type { FeedPlacing, FeedResult, FeedRunner } from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import { countOf, type JsonObject, listOf, textOf } from '../reading/read';
import { dividendsOf, NO_DIVIDENDS } from './dividends';

type Named = Pick<FeedRunner, 'number' | 'name'>;

/** Null if there is neither a result nor an abandonment. */
export function resultOf(
  race: JsonObject,
  runners: readonly Named[],
  jurisdiction: string,
  drops: Drops,
): FeedResult | null {
  const status = textOf(race.raceStatus);
  const placings = placingsOf(listOf(race.results), runners, drops);
  if (status === 'Abandoned') {
    drops.add('result_of_abandoned_race', placings.length);
    drops.add('dividend_of_abandoned_race', listOf(race.dividends).length);
    return { stage: 'abandoned', note: 'abandoned', protest: false, placings: [], ...NO_DIVIDENDS };
  }
  if (placings.length === 0) {
    if (status === 'Paying') drops.add('resulted_without_placings');
    drops.add('dividend_without_placings', listOf(race.dividends).length);
    return null;
  }
  return { stage: 'interim', note: null, protest: false, placings, ...dividendsOf(race, jurisdiction, drops) };
}

/**
 * `[[2],[3],[8,9],[]]`: the slot is the position, several numbers in a slot are a dead heat, and the slots that they
 * use up are empty.
 */
function placingsOf(slots: readonly unknown[], runners: readonly Named[], drops: Drops): FeedPlacing[] {
  const names = new Map(runners.map((runner) => [runner.number, runner.name]));
  const placings: FeedPlacing[] = [];
  slots.forEach((slot, index) => {
    if (!Array.isArray(slot)) drops.add('result_unreadable');
    for (const raw of listOf(slot)) {
      const number = countOf(raw);
      if (number) placings.push({ position: index + 1, number, name: names.get(number) ?? null });
      else drops.add('result_unreadable');
    }
  });
  return placings;
}

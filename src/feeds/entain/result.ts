// The result in an Entain event reply. `results` and `dividends` are omitted, not empty, before resulting.
import type { FeedPlacing, FeedResult } from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import { asRow, countOf, type JsonObject, listOf, textOf } from '../reading/read';
import { dividendsOf } from './dividends';

const ABANDONED: FeedResult = {
  stage: 'abandoned',
  note: 'abandoned',
  protest: false,
  placings: [],
  straight: [],
  exotics: [],
  multiRace: [],
};

/** Null if there is no result. Placings are interim until the status is Final: they may still change (A 3). */
export function resultOf(data: JsonObject, race: JsonObject, drops: Drops): FeedResult | null {
  const status = textOf(race.status);
  if (status === 'Abandoned') {
    drops.add('result_of_abandoned_race', listOf(data.results).length);
    drops.add('dividend_of_abandoned_race', listOf(data.dividends).length);
    return ABANDONED;
  }
  const placings = placingsOf(listOf(data.results), drops);
  if (placings.length === 0) {
    if (status === 'Final' || status === 'Interim') drops.add('resulted_without_placings');
    drops.add('dividend_without_placings', listOf(data.dividends).length);
    return null;
  }
  const protest = status !== 'Final' && race.protest === true;
  return {
    stage: status === 'Final' ? 'final' : 'interim',
    // The reason may remain after the protest was dismissed.
    note: protest ? ['protest', textOf(race.protest_reason)].filter(Boolean).join(': ') : null,
    protest,
    placings,
    ...dividendsOf(listOf(data.dividends), textOf(race.state), countOf(race.race_number), drops),
  };
}

/** Dead heats repeat a position. A runner that did not finish has none. */
function placingsOf(rows: readonly unknown[], drops: Drops): FeedPlacing[] {
  const placings: FeedPlacing[] = [];
  for (const raw of rows) {
    const row = asRow(raw);
    const number = countOf(row?.runner_number);
    const position = countOf(row?.position);
    if (!row || !number) drops.add('result_unreadable');
    else if (!position) drops.add('result_without_position');
    else placings.push({ position, number, name: textOf(row.name) });
  }
  return ranked(placings.sort((a, b) => a.position - b.position || a.number - b.number));
}

/**
 * After a dead heat the next runner ranks behind all of its runners, however the book counts: after two firsts comes
 * third.
 */
function ranked(placings: readonly FeedPlacing[]): FeedPlacing[] {
  return placings.map((placing) => {
    const ahead = placings.filter((other) => other.position < placing.position).length;
    return { ...placing, position: Math.max(placing.position, ahead + 1) };
  });
}

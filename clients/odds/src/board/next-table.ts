// The next races as a table, a race on a line. The service says which races are to come; a race whose advertised start
// has passed here says so.

import { type Cell, type Column, tableOf } from '../text/table.ts';
import { ageText, countdownText } from '../text/times.ts';
import { ageOf, type Moment, type Quote, quotesOn, type Race } from './quotes.ts';
import { type Frame, priceText, raceName, secondsToStart } from './race-table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'start in', align: 'right' },
  { title: 'race', align: 'left', least: 12 },
  { title: 'category', align: 'left' },
  { title: 'favourite', align: 'left', least: 16 },
  { title: 'best price', align: 'left' },
  { title: 'runners', align: 'right' },
  { title: 'books', align: 'right' },
  { title: 'oldest', align: 'right' },
];

export function nextLines(races: readonly Race[], moment: Moment, { width, paint }: Frame): string[] {
  if (races.length === 0) return ['No race to come fits.'];
  const { lines } = tableOf(
    COLUMNS,
    races.map((race) => rowOf(race, moment)),
    width,
    paint,
  );
  return [...lines, paint('quiet', '!4m: the price is stale, with its age')];
}

function rowOf(race: Race, moment: Moment): Cell[] {
  const quotes = race.runners.flatMap(({ bookmakers }) => bookmakers);
  const favourite = favouriteOf(race, moment);
  return [
    { text: countdownText(secondsToStart(race, moment)) },
    { text: raceName(race) },
    { text: race.category },
    { text: favourite ? `${favourite.runner.number} ${favourite.runner.name}` : '-' },
    favourite
      ? { text: `${priceText(favourite.best)} ${favourite.best.book}`, look: favourite.best.isStale ? 'stale' : 'best' }
      : { text: '-' },
    { text: String(race.runners.length) },
    { text: String(new Set(quotes.map(({ key }) => key)).size) },
    { text: quotes.length === 0 ? '-' : ageText(Math.max(...quotes.map((one) => ageOf(one, moment)))) },
  ];
}

/** The runner whose best win price is the lowest. */
function favouriteOf({ runners }: Race, moment: Moment): { runner: Race['runners'][number]; best: Quote } | undefined {
  return runners
    .flatMap((runner) =>
      quotesOn(runner, 'win', moment)
        .filter(({ isBest }) => isBest)
        .map((best) => ({ runner, best })),
    )
    .sort((a, b) => a.best.price - b.best.price)[0];
}

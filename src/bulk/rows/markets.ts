// Every quote on every market of a day's races as rows: those that `GET /v1/racing/markets` has for a race that has
// left the board. Its exotic dividends are a separate dataset.
import { bestWin } from '../../domain/prices/best-price';
import { winAndPlaceOnly } from '../../domain/prices/win-and-place';
import type { Day } from '../../domain/race/race';
import { horseRef, runnerKey } from '../../domain/race/runner';
import type { Column, Row } from '../../row-files/columns';
import type { LiveRace } from '../../store/reads/races/find-races';
import { column, nullable, RACE_COLUMNS } from './columns';

export const MARKET_COLUMNS: readonly Column[] = [
  ...RACE_COLUMNS,
  column('status', 'text', '`off_board`, or `abandoned`: the race did not run.'),
  column('runner_number', 'integer', 'Saddlecloth or rug number.'),
  column('runner_key', 'text', 'Folded name: lowercase letters and digits.'),
  column('runner_name', 'text', 'Name on the card.'),
  nullable(column('runner_ref', 'text', 'The registry’s reference of the runner.')),
  nullable(column('horse_ref', 'text', 'Persistent identity of a thoroughbred.')),
  column('market', 'text', '`win`, `place`, `top2`, `top3` or `top4`.'),
  column('bookmaker_key', 'text', 'Bookmaker.'),
  column('price', 'number', 'The last price that the book showed.'),
  column('last_update', 'instant', 'When the book was last polled (UTC).'),
  column('is_best', 'boolean', 'Whether it is the best of the market on the runner, by the rules of `best-odds`.'),
  column('is_suspect', 'boolean', 'Whether it is a placeholder.'),
];

const QUOTED = ['place', 'top2', 'top3', 'top4', 'win'] as const;
const QUOTED_IN_HONG_KONG = ['place', 'win'] as const;

/** Of runners that were not scratched. */
export function marketRows(day: Day, race: LiveRace): Row[] {
  const { race_id, start_time, venue, race_number, category, country, venue_id, venue_site } = race;
  const status = race.status === 'abandoned' ? 'abandoned' : 'off_board';
  const head = [race_id, start_time, day, venue, race_number, category, country, venue_id, venue_site, status];
  const running = race.runners.filter(({ scratched }) => !scratched);
  return running.flatMap(({ number, name, runnerRef }) => {
    const runner = [...head, number, runnerKey(name), name, runnerRef, horseRef(name, category)];
    return marketsOf(race).flatMap((market) => {
      const quotes = quotesOn(race, number, market);
      const { best, suspects } = bestWin(quotes);
      const suspected = new Set(suspects.map(({ bookmaker }) => bookmaker));
      return quotes.map(({ bookmaker, price, polledAtMs }) => [
        ...runner,
        market,
        bookmaker,
        price,
        new Date(polledAtMs).toISOString(),
        bookmaker === best?.bookmaker,
        suspected.has(bookmaker),
      ]);
    });
  });
}

const marketsOf = (race: LiveRace) => (winAndPlaceOnly(race) ? QUOTED_IN_HONG_KONG : QUOTED);

/** By bookmaker. Ages count from any one instant: the fresher quote is the best of equal ones. */
const quotesOn = ({ books }: LiveRace, number: number, market: (typeof QUOTED)[number]) =>
  books.flatMap(({ bookmaker, polledAtMs, numbers, [market]: prices }) => {
    const price = prices[numbers.indexOf(number)] ?? null;
    return price === null ? [] : [{ bookmaker, price, polledAtMs, ageSeconds: -polledAtMs / 1000 }];
  });

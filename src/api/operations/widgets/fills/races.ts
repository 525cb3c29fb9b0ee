// The races of a widget with their best prices: read once for a fill, and shown to each of its readers with current
// ages and links.
import { bookmaker } from '../../../../domain/bookmakers';
import { isShown } from '../../../../domain/race/board-state';
import type { Category } from '../../../../domain/race/race';
import { linkOf } from '../../../../domain/widgets/link-template';
import type { BoardRace } from '../../../../store/reads/races/board';
import type { RaceWindow } from '../../../../store/reads/races/race-window';
import type { Reads } from '../../../../store/reads/reads';
import type { RacingShown, WidgetSettings } from '../../../../store/widgets/widgets';
import type { WidgetPrice, WidgetRace } from '../../../../web/widgets/source';
import { windowOf } from '../../../kernel/endpoint/board-window';
import { CUSTOMERS } from '../../../kernel/endpoint/visibility';
import { quoteFreshness } from '../../../wire/present-freshness';
import { comparedBooks } from '../../../wire/select-race';
import { bestLines, type Line } from '../../prices/present-best-lines';

/** A best price, without the parts that change until it is shown. */
type ReadPrice = Pick<WidgetPrice, 'price' | 'bookmaker' | 'updatedMs'>;

interface ReadRunner {
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly win: ReadPrice | null;
  readonly place: ReadPrice | null;
}

type ReadRace = Omit<WidgetRace, 'runners'> & { readonly runners: readonly ReadRunner[] };

/** Survives JSON unchanged. */
export interface RacesRead {
  readonly type: 'racing';
  /** Race time. */
  readonly asOfMs: number;
  readonly races: readonly ReadRace[];
}

const HOURS_AHEAD = 24;

/** Null: the race is not open for betting, or not in the widget. Reads no book that customers may not see (D14). */
export async function readRaces(
  reads: Pick<Reads, 'board' | 'findRaces'>,
  { categories, countries, races: limit }: RacingShown,
  { bookmakers }: Pick<WidgetSettings, 'bookmakers'>,
  raceId: string | null,
  nowMs: number,
): Promise<RacesRead | null> {
  const books = comparedBooks(bookmakers.length > 0 ? bookmakers : undefined, CUSTOMERS);
  const only = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);
  const of = { categories: only<Category>(categories), countries: only(countries), includeUnresolved: false };
  const races =
    raceId === null
      ? await reads.board({ ...windowOf(HOURS_AHEAD, nowMs), ...of, bookmakers: books, limit })
      : await openRace(reads, raceId, books, of, nowMs);
  return races && { type: 'racing', asOfMs: nowMs, races: races.map((race) => readRace(race, nowMs)) };
}

async function openRace(
  reads: Pick<Reads, 'findRaces'>,
  raceId: string,
  books: readonly string[],
  { categories, countries }: Pick<RaceWindow, 'categories' | 'countries'>,
  nowMs: number,
): Promise<readonly BoardRace[] | null> {
  const found = await reads.findRaces({ raceId }, books);
  const open = found.filter((race) => isShown('board', race, nowMs));
  const shown = open.filter(
    ({ category, country }) =>
      country !== null && (countries?.includes(country) ?? true) && (categories?.includes(category) ?? true),
  );
  return shown.length > 0 ? shown : null;
}

function readRace(race: BoardRace, nowMs: number): ReadRace {
  const lines = new Map(bestLines(race, nowMs).runners.map((one) => [one.runner.number, one]));
  return {
    raceId: race.race_id,
    venue: race.venue,
    raceNumber: race.race_number,
    category: race.category,
    country: race.country,
    raceName: race.race_name,
    startMs: race.startMs,
    runners: race.runners.map(({ number, name, scratched }) => ({
      number,
      name,
      scratched,
      win: readPrice(lines.get(number)?.win),
      place: readPrice(lines.get(number)?.place),
    })),
  };
}

const readPrice = (line: Line | undefined): ReadPrice | null =>
  line?.best ? { price: line.best.price, bookmaker: line.best.bookmaker, updatedMs: line.best.book.polledAtMs } : null;

export function raceShown(race: ReadRace, templates: WidgetSettings['linkTemplates'], nowMs: number): WidgetRace {
  const shown = (read: ReadPrice | null, { number, name }: ReadRunner): WidgetPrice | null => {
    if (read === null) return null;
    const template = templates[read.bookmaker];
    const names = { race_id: race.raceId, race_number: race.raceNumber, venue: race.venue, category: race.category };
    const values = { ...names, runner_number: number, runner_name: name, bookmaker: read.bookmaker };
    const polled = { bookmaker: read.bookmaker, polledAtMs: read.updatedMs };
    return {
      ...read,
      bookmakerName: bookmaker(read.bookmaker)?.title ?? read.bookmaker,
      stale: quoteFreshness(polled, race.startMs, nowMs).stale,
      url: template === undefined ? null : linkOf<'racing'>(template, values),
    };
  };
  return {
    ...race,
    runners: race.runners.map((runner) => ({
      ...runner,
      win: shown(runner.win, runner),
      place: shown(runner.place, runner),
    })),
  };
}

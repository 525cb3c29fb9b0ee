// One past race as its page shows it: the board's own sheet as of the jump, each book's close, and the value of the
// best price at each mark. Pure.
import { BOOKMAKERS, bookmaker } from '../../domain/bookmakers';
import { bestAtMarks } from '../../domain/clv/best-at-marks';
import { againstAll } from '../../domain/clv/measure';
import { type RunnerCloses, runnerCloses } from '../../domain/clv/runner-closes';
import { type BookLines, linesOf } from '../../domain/market/intelligence/captured';
import { raceMarketOf } from '../board/race-market';
import { raceSheetOf } from '../board/sheet';
import type { CloseCell, ClosesRow, PastRace } from './model';
import type { ArchivedClose, StoredPastRace } from './source';

export function pastRaceOf(stored: StoredPastRace): PastRace {
  const { race, result, meeting, changes, outcome, source, captured, closes } = stored;
  const jumpMs = race.jumpedMs ?? race.startMs;
  const market = raceMarketOf(race, captured, jumpMs);
  const sheet = raceSheetOf(race, { marks: () => null, changes, market }, jumpMs);
  const positionOf = (number: number) => result?.placings.find((row) => row.number === number)?.position ?? null;
  const runners = sheet.runners.map((runner) => ({ ...runner, position: positionOf(runner.number) }));
  const books = BOOKMAKERS.map(({ key }) => key).filter((key) => closes.some((close) => close.bookmaker === key));
  const numbers = runners.map(({ number }) => number);
  const polledAtMs = new Map(captured.map((one) => [one.bookmaker, jumpMs]));
  const lines = linesOf(captured, numbers, { startMs: race.startMs, nowMs: jumpMs, polledAtMs });
  return {
    meeting,
    sheet: { ...sheet, runners },
    result,
    outcome,
    source,
    books: books.map((key) => bookmaker(key)!.title),
    closes: namedRows(closes, runners).map((row) =>
      rowOf({ ...row, position: positionOf(row.number) }, books, { lines, numbers, startMs: race.startMs }),
    ),
  };
}

interface NamedRow {
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly onCard: boolean;
  readonly own: readonly ArchivedClose[];
}

/** A row for each runner of the card, and one for each name that a book has under a number and the card lacks. */
function namedRows(closes: readonly ArchivedClose[], card: PastRace['sheet']['runners']): NamedRow[] {
  const rows = card.map(({ number, name, scratching }): NamedRow => {
    const own = closes.filter((close) => close.number === number && close.name === name);
    const scratched = scratching !== null || own.some((close) => close.scratched);
    return { number, name, scratched, onCard: true, own };
  });
  const listed = new Set(rows.flatMap(({ own }) => own));
  const others = Map.groupBy(
    closes.filter((close) => !listed.has(close)),
    ({ number, name }) => `${number} ${name}`,
  );
  for (const own of others.values()) {
    const { number, name, scratched } = own[0]!;
    rows.push({ number, name, scratched, onCard: false, own });
  }
  return rows.sort((a, b) => a.number - b.number);
}

interface Captured {
  readonly lines: readonly BookLines[];
  readonly numbers: readonly number[];
  readonly startMs: number;
}

function rowOf(
  { own, onCard, ...runner }: NamedRow & { readonly position: number | null },
  books: readonly string[],
  { lines, numbers, startMs }: Captured,
): ClosesRow {
  const all = runnerCloses(own.filter(({ compared }) => compared));
  const { close } = againstAll(all, 'best');
  const marked =
    runner.scratched || !onCard
      ? []
      : bestAtMarks(lines, numbers.indexOf(runner.number), close?.price ?? null, startMs);
  return {
    ...runner,
    close,
    cells: books.map((key) =>
      cellOf(
        own.find((one) => one.bookmaker === key),
        all,
      ),
    ),
    marks: marked,
  };
}

function cellOf(close: ArchivedClose | undefined, { best, placeholders }: RunnerCloses): CloseCell | null {
  if (close === undefined) return null;
  const {
    bookmaker: key,
    closePrice,
    openPrice,
    foundBy,
    ageSeconds,
    closeSecsToJump,
    isClosingLine,
    compared,
  } = close;
  const placeholder = placeholders.includes(key);
  return {
    price: closePrice,
    open: openPrice,
    foundBy,
    ageSeconds,
    seenSeconds: closeSecsToJump,
    best: compared && isClosingLine && !placeholder && closePrice === best?.closePrice,
    placeholder,
  };
}

// The betslip links of the races of a response: one read for all of them, and none for a caller below Plus.
import { bookmaker } from '../../../domain/bookmakers';
import { type BetslipRunner, betslipUrl } from '../../../domain/prices/betslip';
import type { BetslipIds } from '../../../store/betslip';
import { isUnreachable } from '../../../store/pg/unreachable';
import type { BoardBook } from '../../../store/reads/races/board';
import type { Reads } from '../../../store/reads/reads';
import type { BetslipLinks, BetslipLookup } from './present-betslip';

/** A race with the books whose links are needed. */
export interface LinkedRace {
  readonly race_id: string;
  readonly books: readonly Pick<BoardBook, 'bookmaker' | 'sourceUrl'>[];
}

export interface BetslipBoard {
  linksOf(races: readonly LinkedRace[]): Promise<BetslipLookup>;
}

/**
 * `templates`: by bookmaker key; a book without one has no link. `whenAway`: the result without the database, or its
 * error.
 */
export function createBetslipBoard(
  reads: Pick<Reads, 'betslipIds'>,
  templates: Readonly<Record<string, string>>,
  whenAway: (error: unknown) => readonly BetslipIds[] = noIds,
): BetslipBoard {
  const routed = Object.keys(templates);
  return {
    async linksOf(races) {
      if (routed.length === 0 || races.length === 0) return () => null;
      const raceIds = races.map((race) => race.race_id);
      const rows = await reads.betslipIds(raceIds, routed).catch(whenAway);
      const byBook = new Map(rows.map((one) => [keyOf(one.raceId, one.bookmakerKey), one]));
      const pages = new Map(
        races.flatMap(({ race_id, books }) => books.map((book) => [keyOf(race_id, book.bookmaker), book.sourceUrl])),
      );
      return (raceId, key, number) => {
        const ids = byBook.get(keyOf(raceId, key));
        return ids ? linksOf(ids, pages.get(keyOf(raceId, key)) ?? null, number, templates[key]!) : null;
      };
    },
  };
}

const keyOf = (raceId: string, bookmakerKey: string): string => `${raceId} ${bookmakerKey}`;

/** For links that must not be missing: without the database nothing is returned. */
export function noneWithoutDatabase(error: unknown): never {
  throw error;
}

/** Without the database, a board that is served from a cache has no links. */
function noIds(error: unknown): readonly BetslipIds[] {
  if (isUnreachable(error)) return [];
  throw error;
}

const NO_IDS: BetslipRunner['runnerId'] = { win: null, place: null };

function linksOf(ids: BetslipIds, sourceUrl: string | null, number: number, template: string): BetslipLinks {
  const { bookmakerKey, sourceRaceId, runners } = ids;
  const route = bookmaker(bookmakerKey)!.betslip!;
  const runner = { sourceUrl, sourceRaceId, number, runnerId: runners.get(number) ?? NO_IDS };
  const [win, place] = (['win', 'place'] as const).map((market) => betslipUrl(template, route, runner, market));
  return { win: win ?? null, place: place ?? null, appOnly: route.opens === 'app' };
}

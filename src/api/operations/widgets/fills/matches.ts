// The matches of a sports widget with their best prices: read once for a fill, and shown to each of its readers with
// current ages and links.
import { bookmaker } from '../../../../domain/bookmakers';
import { bestPrices } from '../../../../domain/sports/best-prices';
import type { MatchQuote } from '../../../../domain/sports/compare';
import { isStaleAt, onlyWanted, type PricedMatch } from '../../../../domain/sports/match';
import type { MatchMarket } from '../../../../domain/sports/sports';
import { linkOf } from '../../../../domain/widgets/link-template';
import type { SportShown, WidgetSettings } from '../../../../store/widgets/widgets';
import type { WidgetMatch, WidgetSelection } from '../../../../web/widgets/source';
import { CUSTOMERS } from '../../../kernel/endpoint/visibility';
import { comparedBooks } from '../../../wire/select-race';
import { USUAL_MAX_AGE_MINUTES } from '../../sports/parameters-schema';
import type { SportsBoard } from '../../sports/sports-board';

type Best = NonNullable<WidgetSelection['best']>;

/** Without the parts that change until it is shown. */
type ReadBest = Pick<Best, 'price' | 'bookmaker' | 'updatedMs' | 'suspect'>;

interface ReadSelection extends Omit<WidgetSelection, 'best'> {
  readonly best: ReadBest | null;
}

interface ReadMatch extends Omit<WidgetMatch, 'selections'> {
  readonly selections: readonly ReadSelection[];
}

/** Survives JSON unchanged. */
export interface MatchesRead {
  readonly type: 'sports';
  /** Race time. */
  readonly asOfMs: number;
  readonly sportKey: string;
  readonly market: MatchMarket;
  readonly matches: readonly ReadMatch[];
}

/** Null: the match is not open for betting, or of another sport. Shows no book that customers may not see (D14). */
export async function readMatches(
  sports: Pick<SportsBoard, 'upcoming'>,
  { sportKey, market, matches: limit }: SportShown,
  { bookmakers }: Pick<WidgetSettings, 'bookmakers'>,
  eventId: string | null,
  nowMs: number,
): Promise<MatchesRead | null> {
  const { matches, readAtMs } = await sports.upcoming(sportKey, nowMs);
  const wanted = {
    bookmakers: comparedBooks(bookmakers.length > 0 ? bookmakers : undefined, CUSTOMERS),
    markets: [market],
    maxAgeSeconds: USUAL_MAX_AGE_MINUTES * 60,
    nowMs,
  };
  const only = (match: PricedMatch): readonly PricedMatch[] => {
    const kept = onlyWanted(match, wanted);
    return kept ? [kept] : [];
  };
  const read = { type: 'sports', asOfMs: readAtMs, sportKey, market } as const;
  if (eventId === null) {
    const shown = matches.flatMap(only).slice(0, limit);
    return { ...read, matches: shown.map((match) => readMatch(match, market, nowMs)) };
  }
  const found = matches.find((match) => match.eventId === eventId);
  if (!found) return null;
  // A match that a reader requested is shown even if none of the widget's books prices it.
  const [match = { ...found, books: [] }] = only(found);
  return { ...read, matches: [readMatch(match, market, nowMs)] };
}

const readMatch = (match: PricedMatch, market: MatchMarket, nowMs: number): ReadMatch => ({
  eventId: match.eventId,
  homeTeam: match.homeTeam,
  awayTeam: match.awayTeam,
  competition: match.competition,
  startMs: Date.parse(match.commenceTime),
  selections: bestPrices(match, market, nowMs).map(({ name, point, best }) => ({
    name,
    point,
    best: best && readBest(best),
  })),
});

const readBest = ({ price, suspect, book, seen }: MatchQuote): ReadBest => ({
  price,
  bookmaker: book.bookmaker,
  updatedMs: seen.observedAtMs,
  suspect,
});

export function matchShown(
  { sportKey, market }: MatchesRead,
  match: ReadMatch,
  templates: WidgetSettings['linkTemplates'],
  nowMs: number,
): WidgetMatch {
  const names = { event_id: match.eventId, home_team: match.homeTeam, away_team: match.awayTeam };
  const shown = (best: ReadBest, { name, point }: ReadSelection): Best => {
    const template = templates[best.bookmaker];
    const selection = { selection: name, point: point ?? '', bookmaker: best.bookmaker };
    const values = { ...names, sport_key: sportKey, market, ...selection };
    return {
      ...best,
      bookmakerName: bookmaker(best.bookmaker)?.title ?? best.bookmaker,
      stale: isStaleAt({ observedAtMs: best.updatedMs }, nowMs),
      url: template === undefined ? null : linkOf<'sports'>(template, values),
    };
  };
  return {
    ...match,
    selections: match.selections.map((one) => ({ ...one, best: one.best && shown(one.best, one) })),
  };
}

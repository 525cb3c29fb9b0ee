// The evidence that a book's row is a stored match of the same two teams (D66): the book's own id, the competition, the
// starts, the order of the sides and the prices. Clubs have several sides under one name, so equal teams on one day
// prove nothing.
//
// | competition            | starts within       | sides     | prices                        |
// | an operator's ruling   | any, until it has started | either | any                         |
// | the book's own id      | any, until it has started | either | no contradiction            |
// | the same               | the sport's hours   | the same  | no contradiction              |
// | the same, turned, or the match has started | ten minutes | either | no contradiction     |
// | one of them names none | ten minutes         | either    | no contradiction              |
// | one name, unknown      | ten minutes         | either    | no contradiction              |
// | two names, one unknown, of no women, youth or reserves | ten minutes | the same | both have them, and they agree |
// | known as different     | never               |           |                               |
// | parted by an operator  | never               |           |                               |
// | one book's, moved      | the sport's hours   | the same  | to the cent (`moved-start.ts`) |
import type { Instant } from '../../race/race';
import { isUnderRound } from '../quality';
import type { MarketPrices } from '../sports';
import { competitionOf, type Relation, relationOf } from './competitions';
import type { ListedEvent, ListedMatch, StoredEvent } from './listed-event';
import { divisionOf } from './team-names';

export type Evidence = 'ruling' | 'id' | 'competition' | 'unnamed' | 'unknown_competition' | 'moved';

/** Why a row is no match that the same two teams play: the first of these that holds. */
export type Misfit = 'parted' | 'other_competition' | 'other_id' | 'start' | 'dividing_word' | 'sides' | 'prices';

export interface Fit {
  readonly because: Evidence;
  readonly apartMs: number;
  /** The book lists the sides the other way round. */
  readonly isTurned: boolean;
  /** Both have prices, which are of one match with these sides. */
  readonly agrees: boolean;
  /** The prices contradict that it is one match with these sides. */
  readonly disagrees: boolean;
}

const HOUR_MS = 3_600_000;
/** Books give one start, to minutes. */
export const MINUTES_APART_MS = 10 * 60_000;
/**
 * Two books whose chances of the home side differ by this do not price one match, or one of them has its sides turned.
 */
export const CONTRADICTION = 0.4;

const RANKS: Readonly<Record<Evidence, number>> = {
  ruling: 0,
  id: 1,
  competition: 2,
  unnamed: 3,
  unknown_competition: 3,
  moved: 4,
};

/** The lower, the stronger. */
export const rankOf = (because: Evidence): number => RANKS[because];

/**
 * The chance of the home side against the away side, without margin and without the draw: 0 to 1. Null without both
 * prices, and where they add up to less than 100 %, which no book sells: one of them is no price, and says nothing of
 * the sides.
 */
export function homeShareOf(prices: Pick<MarketPrices, 'home' | 'draw' | 'away'>): number | null {
  const { home, away } = prices;
  return home === null || away === null || isUnderRound(prices) ? null : away / (home + away);
}

/** A text: why it is another match. */
export function fitOf(row: ListedMatch, one: StoredEvent, observedMs: number): Fit | Misfit {
  const { listed, home } = row;
  const isTurned = one.homeKey !== home.key;
  const apartMs = apart(listed, [one.commenceTime, ...one.listedStarts]);
  const within = listed.sport.joinWithinHours * HOUR_MS;
  const hasStarted = Date.parse(one.commenceTime) <= observedMs;
  // An id that comes back for a return match does not move a match that has started.
  const mayMove = !hasStarted || apartMs <= within;
  const differs = differenceOf(listed.homeShare, one.homeShare, isTurned);
  const agrees = differs !== null && differs < CONTRADICTION;
  if (mayMove && isRuled(listed, one, apartMs <= within))
    return { because: 'ruling', apartMs, isTurned, agrees, disagrees: false };
  if (isParted(listed, one)) return 'parted';
  const relation = relationTo(listed, one.competitions, one.isRuled);
  if (relation === 'different') return 'other_competition';
  if (isOtherId(listed, one)) return 'other_id';
  // A book that prices the match already may misprint a price: `suspect.ts` judges that.
  const wasJudged = one.isOwn && one.ownShare !== null;
  const disagrees = !wasJudged && differs !== null && differs >= CONTRADICTION;
  const fit = { apartMs, isTurned, agrees, disagrees };
  if (isSameId(listed, one) && mayMove) return { because: 'id', ...fit };
  // Split squads and second games: the same sides turned, or after the first has begun.
  const most = relation === 'same' && !isTurned && !hasStarted ? within : MINUTES_APART_MS;
  if (apartMs > most) return 'start';
  if (relation === 'unknown' && isDivided(listed)) return 'dividing_word';
  if (relation === 'unknown' && isTurned) return 'sides';
  if (relation === 'unknown' && !agrees) return 'prices';
  return { because: BECAUSE[relation], ...fit };
}

/**
 * A side or its competition is named as of women, youth or reserves: of these there are several competitions with the
 * same clubs.
 */
const isDivided = ({ sport, homeTeam, awayTeam, competition }: ListedEvent): boolean =>
  [homeTeam, awayTeam].some((name) => divisionOf(sport.key, name, competition) !== '');

/** The book's row stands there because an operator joined or parted it: by its id, or as the row of that start. */
function isRuled(listed: ListedEvent, one: StoredEvent, isNear: boolean): boolean {
  if (!one.isRuledOwn) return false;
  return listed.sourceId !== null && one.sourceId !== null ? isSameId(listed, one) : isNear;
}

/** An operator parted the book's row from the match. A row without an id may be that row. */
const isParted = ({ sourceId }: ListedEvent, { partedIds }: StoredEvent): boolean =>
  partedIds.length > 0 && (sourceId === null || partedIds.includes(null) || partedIds.includes(sourceId));

const BECAUSE = {
  same: 'competition',
  alike: 'unknown_competition',
  unknown: 'unknown_competition',
  unnamed: 'unnamed',
} as const;

/** Whether a row that may be the match starts nearer to it than this. */
export const startsNearer = (listed: ListedEvent, one: StoredEvent, thanMs: number): boolean =>
  relationTo(listed, one.competitions, one.isRuled) !== 'different' &&
  apart(listed, [one.commenceTime, ...one.listedStarts]) < thanMs;

/** Whether two rows of one list may be the same match. Rows with ids of their own are two. */
export function mayBeOne({ listed: a, home }: ListedMatch, { listed: b, home: other }: ListedMatch): boolean {
  const relation = relationTo(a, b.competition === null ? [] : [b.competition]);
  if (relation === 'different' || isOtherId(a, b)) return false;
  const isUsual = relation === 'same' && home.key === other.key;
  const within = isUsual ? a.sport.joinWithinHours * HOUR_MS : MINUTES_APART_MS;
  return apart(a, [b.commenceTime]) <= within;
}

const USUAL = ['different', 'same', 'alike', 'unknown'] as const;
/** An operator joined matches whose competitions the table may know as different. */
const RULED = ['same', 'different', 'alike', 'unknown'] as const;

/** To all that were named for a match: one that is known as different decides. */
export function relationTo({ sport, competition }: Named, named: readonly string[], isRuled = false): Relation {
  const own = competitionOf(sport.key, competition);
  const relations = named.map((one) => relationOf(own, competitionOf(sport.key, one)));
  return (isRuled ? RULED : USUAL).find((one) => relations.includes(one)) ?? 'unnamed';
}

type Named = Pick<ListedEvent, 'sport' | 'competition'>;

function differenceOf(own: number | null, others: number | null, isTurned: boolean): number | null {
  return own === null || others === null ? null : Math.abs((isTurned ? 1 - own : own) - others);
}

export const apart = ({ commenceTime }: Pick<ListedEvent, 'commenceTime'>, starts: readonly Instant[]): number =>
  Math.min(...starts.map((one) => Math.abs(Date.parse(one) - Date.parse(commenceTime))));

type Identified = Pick<ListedEvent, 'sourceId'>;
const isSameId = (a: Identified, b: Identified): boolean => a.sourceId !== null && a.sourceId === b.sourceId;
const isOtherId = (a: Identified, b: Identified): boolean =>
  a.sourceId !== null && b.sourceId !== null && a.sourceId !== b.sourceId;

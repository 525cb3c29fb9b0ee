// The evidence that a book's row is a stored match of the same two teams (D66): the book's own id, the competition, the starts, the order of the
// sides and the prices. Clubs have several sides under one name, so equal teams on one day prove nothing.
//
// | competition            | starts within       | sides     | prices                        |
// | the book's own id      | any, until it has started | either | no contradiction            |
// | the same               | the sport's hours   | the same  | no contradiction              |
// | the same, turned, or the match has started | ten minutes | either | no contradiction     |
// | one of them names none | ten minutes         | either    | no contradiction              |
// | one name, unknown      | ten minutes         | either    | no contradiction              |
// | two names, one unknown | ten minutes         | the same  | both have them, and they agree |
// | known as different     | never               |           |                               |
import type { Instant } from '../../race/race';
import { isUnderRound } from '../quality';
import type { MarketPrices } from '../sports';
import { competitionOf, type Relation, relationOf } from './competitions';
import type { ListedEvent, Row, StoredEvent } from './listed-event';

export type Evidence = 'id' | 'competition' | 'unnamed' | 'unknown_competition';

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
/** Two books whose chances of the home side differ by this do not price one match, or one of them has its sides turned. */
const CONTRADICTION = 0.4;

const RANKS: Readonly<Record<Evidence, number>> = { id: 0, competition: 1, unnamed: 2, unknown_competition: 2 };

/** The lower, the stronger. */
export const rankOf = (because: Evidence): number => RANKS[because];

/**
 * The chance of the home side against the away side, without margin and without the draw: 0 to 1. Null without both prices, and where they add up to
 * less than 100 %, which no book sells: one of them is no price, and says nothing of the sides.
 */
export function homeShareOf(prices: Pick<MarketPrices, 'home' | 'draw' | 'away'>): number | null {
  const { home, away } = prices;
  return home === null || away === null || isUnderRound(prices) ? null : away / (home + away);
}

/** Null: it is another match. */
export function fitOf({ listed, home }: Row, one: StoredEvent, observedMs: number): Fit | null {
  const relation = relationTo(listed, one.competitions);
  if (relation === 'different' || isOtherId(listed, one)) return null;
  const isTurned = one.homeKey !== home.key;
  const apartMs = apart(listed, [one.commenceTime, ...one.listedStarts]);
  const within = listed.sport.joinWithinHours * HOUR_MS;
  const hasStarted = Date.parse(one.commenceTime) <= observedMs;
  const differs = differenceOf(listed.homeShare, one.homeShare, isTurned);
  // A book that prices the match already may misprint a price: `suspect.ts` judges that.
  const wasJudged = one.isOwn && one.ownShare !== null;
  const disagrees = !wasJudged && differs !== null && differs >= CONTRADICTION;
  const agrees = differs !== null && differs < CONTRADICTION;
  // An id that comes back for a return match does not move a match that has started.
  if (isSameId(listed, one) && (!hasStarted || apartMs <= within))
    return { because: 'id', apartMs, isTurned, agrees, disagrees };
  // Split squads and second games: the same sides turned, or after the first has begun.
  const most = relation === 'same' && !isTurned && !hasStarted ? within : MINUTES_APART_MS;
  if (apartMs > most || (relation === 'unknown' && (isTurned || !agrees))) return null;
  return { because: BECAUSE[relation], apartMs, isTurned, agrees, disagrees };
}

const BECAUSE = {
  same: 'competition',
  alike: 'unknown_competition',
  unknown: 'unknown_competition',
  unnamed: 'unnamed',
} as const;

/** Whether two rows of one list may be the same match. Rows with ids of their own are two. */
export function mayBeOne({ listed: a, home }: Row, { listed: b, home: other }: Row): boolean {
  const relation = relationTo(a, b.competition === null ? [] : [b.competition]);
  if (relation === 'different' || isOtherId(a, b)) return false;
  const isUsual = relation === 'same' && home.key === other.key;
  const within = isUsual ? a.sport.joinWithinHours * HOUR_MS : MINUTES_APART_MS;
  return apart(a, [b.commenceTime]) <= within;
}

/** To all that were named for a match: one that is known as different decides. */
function relationTo({ sport, competition }: ListedEvent, named: readonly string[]): Relation {
  const own = competitionOf(sport.key, competition);
  const relations = named.map((one) => relationOf(own, competitionOf(sport.key, one)));
  return (['different', 'same', 'alike', 'unknown'] as const).find((one) => relations.includes(one)) ?? 'unnamed';
}

function differenceOf(own: number | null, others: number | null, isTurned: boolean): number | null {
  return own === null || others === null ? null : Math.abs((isTurned ? 1 - own : own) - others);
}

const apart = ({ commenceTime }: ListedEvent, starts: readonly Instant[]): number =>
  Math.min(...starts.map((one) => Math.abs(Date.parse(one) - Date.parse(commenceTime))));

type Identified = Pick<ListedEvent, 'sourceId'>;
const isSameId = (a: Identified, b: Identified): boolean => a.sourceId !== null && a.sourceId === b.sourceId;
const isOtherId = (a: Identified, b: Identified): boolean =>
  a.sourceId !== null && b.sourceId !== null && a.sourceId !== b.sourceId;

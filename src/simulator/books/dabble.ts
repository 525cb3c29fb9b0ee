// Dabble, as far as its racing feed is documented: competitions (each is a meeting), a meeting's races with markets and
// prices, and one race. No race number and no saddlecloth number anywhere; win and place, and Top 2, 3 and 4 as legs of
// a same-race multi.
import type { Category } from '../../domain/race/race';
import type {
  DabbleBook,
  DabbleCompetition,
  DabbleCompetitionsReply,
  DabbleDetailsReply,
  DabbleFixturesReply,
} from '../../feeds/dabble/payload';
import type { Meeting, Race } from '../world/race';
import { uuidOf } from '../world/random';
import { placeChances } from '../world/story/truth';
import type { Track } from '../world/tracks';
import type { World } from '../world/world';
import { rungNear } from './ladder';
import { DABBLE } from './profiles';
import { type Book, json } from './reply';
import { type BookView, listViewOf, viewOf } from './view';

const SPORTS: Readonly<Record<Category, DabbleCompetition['sportName']>> = {
  horse: 'Thoroughbred Racing',
  greyhound: 'Greyhound Racing',
  harness: 'Harness Racing',
};
const NOT_FOUND = json(404, { status: 'error' });
/** The active competitions include every other sport. */
const OTHER_SPORT: DabbleCompetition = { id: uuidOf(1, 'league'), name: 'NRL', sportName: 'Rugby League' };
const LEG_MARGIN = 1.18;

export function dabbleBook(world: World): Book {
  return ({ path, nowMs }) => {
    if (path === '/competitions/active') return json(200, competitions(world, nowMs));
    const [root, kind, id = '', last, ...rest] = path.slice(1).split('/');
    if (root !== 'frontend-api' || rest.length > 0) return NOT_FOUND;
    if (kind === 'competitions' && last === 'sport-fixtures') {
      const meeting = world.meetingById(id, nowMs);
      return meeting ? json(200, fixtures(meeting, nowMs)) : NOT_FOUND;
    }
    const race = kind === 'sport-fixtures' && id === 'details' ? world.raceById(last ?? '', nowMs) : null;
    const reply: DabbleDetailsReply | null = race && { sportFixtureDetail: bookOf(race, nowMs) };
    return reply ? json(200, reply) : NOT_FOUND;
  };
}

/** A meeting is active until its last race closes. */
function competitions(world: World, nowMs: number): DabbleCompetitionsReply {
  const meetings = world.listedDays(nowMs).flatMap((day) => world.meetings(day));
  const active = meetings.filter(({ races }) => races.some((race) => listViewOf(race, DABBLE, nowMs).takesBets));
  const rows = active.map(({ id, track }) => ({ id, name: track.name, sportName: SPORTS[track.category] }));
  return { data: { activeCompetitions: [OTHER_SPORT, ...rows] } };
}

function fixtures(meeting: Meeting, nowMs: number): DabbleFixturesReply {
  return {
    data: meeting.races.map((race) => ({
      ...bookOf(race, nowMs),
      advertisedStart: new Date(listViewOf(race, DABBLE, nowMs).state.advertisedStartMs).toISOString(),
    })),
  };
}

/** A stand-in for any status but `Open`: the real ones are undocumented. */
const NOT_OPEN = 'NotOpen';

function bookOf(race: Race, nowMs: number): DabbleBook {
  const view = viewOf(race, DABBLE, nowMs);
  const markets = marketsOf(view, race.meeting.track).map(({ type, prices }) => ({
    id: uuidOf(race.seed, `dabble ${type}`),
    type,
    prices,
  }));
  const selectionId = (index: number): string => uuidOf(race.seed, `dabble selection ${index}`);
  return {
    id: race.id,
    status: view.takesBets ? 'Open' : NOT_OPEN,
    markets: markets.map(({ id, type }) => ({ id, resultingType: type })),
    selections: race.runners.map(({ name, number, vacant }, i) => ({
      id: selectionId(i),
      name: vacant ? 'Vacant Box' : name,
      ...(view.out.has(number) && { isScratched: true }),
    })),
    prices: markets.flatMap(({ id, prices }) =>
      prices.flatMap((price, i) => (price > 0 ? [{ marketId: id, selectionId: selectionId(i), price }] : [])),
    ),
  };
}

interface PricedMarket {
  readonly type: string;
  readonly prices: readonly number[];
}

/** Includes the win as a leg of a multi, which is not a win price. Meetings abroad have no multis (A 2.4 rule 7). */
function marketsOf(view: BookView, { abroad }: Track): PricedMarket[] {
  const fixed = [
    { type: 'RacingFixedWin', prices: view.win },
    { type: 'RacingFixedPlace', prices: view.place },
  ];
  if (abroad !== null) return fixed;
  const top2 = legPrices(view, 2, view.win);
  const top3 = legPrices(view, 3, top2);
  return [
    ...fixed,
    { type: 'RacingSrmWin', prices: view.win.map((price) => (price > 0 ? price + 0.5 : 0)) },
    { type: 'RacingSrmTop2', prices: top2 },
    { type: 'RacingSrmTop3', prices: top3 },
    { type: 'RacingSrmTop4', prices: legPrices(view, 4, top3) },
  ];
}

/**
 * Prices for finishing among the `first`: never above the price of the previous leg, and 0 if the whole field would
 * qualify.
 */
function legPrices(view: BookView, first: number, above: readonly number[]): readonly number[] {
  const implied = view.win.map((price) => (price > 0 ? 1 / price : 0));
  const total = implied.reduce((sum, one) => sum + one, 0);
  if (implied.filter((one) => one > 0).length <= first) return view.win.map(() => 0);
  return placeChances(
    implied.map((one) => one / total),
    first,
  ).map((chance, i) =>
    above[i]! > 0 ? Math.min(above[i]!, rungNear(DABBLE.ladder, 1 / Math.min(0.97, chance * LEG_MARGIN))) : 0,
  );
}

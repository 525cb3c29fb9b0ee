// Betr and BetRight (one platform), as far as their racing APIs are documented: the race card of a day, and runners
// with win and place prices. Betr's race reply has no market status, because none is documented.

import type { Category, Day } from '../../domain/race/race';
import { addDays, aetDay, isDay } from '../../domain/time/aet';
import type {
  BetRightEvent,
  BetRightGroupedRaceCard,
  BetRightMeeting,
  BetrGroupedRaceCard,
  BetrRace,
  BetrRaceStub,
} from '../../feeds/bluebet/payload';
import type { Meeting, Race } from '../world/race';
import type { World } from '../world/world';
import { ALPHA3 } from './abroad';
import { BETR, BETRIGHT, type BookProfile } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { type ListView, listViewOf, viewOf } from './view';

export function betrBook(world: World): Book {
  return (request) => {
    // As far as documented, it refuses no other client.
    if (/^python-urllib/i.test(request.header('user-agent'))) return json(403, { message: 'Forbidden' });
    if (request.path === '/GroupedRaceCard') return betrRaceCard(world, request);
    return request.path === '/Race' ? raceOf(world, request, betrRace) : notFound();
  };
}

export function betrightBook(world: World): Book {
  return (request) => {
    if (request.path === '/Racing/GroupedRaceCard') return betRightRaceCard(world, request);
    return request.path === '/Racing/Event' ? raceOf(world, request, betRightEvent) : notFound();
  };
}

const notFound = (): BookReply => json(404, { message: 'Not Found' });

function raceOf(world: World, request: BookRequest, reply: (race: Race, nowMs: number) => unknown): BookReply {
  const race = world.raceBySerial(Number(request.query.get('eventId') || Number.NaN), request.nowMs);
  return race ? json(200, reply(race, request.nowMs)) : notFound();
}

/** Meetings of one code, if the day is listed. */
const meetingsOf = (world: World, day: Day, category: Category, nowMs: number): readonly Meeting[] =>
  world.listedDays(nowMs).includes(day) ? world.meetings(day).filter(({ track }) => track.category === category) : [];

function betrRaceCard(world: World, { query, nowMs }: BookRequest): BookReply {
  const days = query.get('DaysToRace') ?? '';
  if (!/^\d$/.test(days)) return json(400, { message: 'DaysToRace is required' });
  const day = addDays(aetDay(nowMs), Number(days));
  const list = (category: Category) => meetingsOf(world, day, category, nowMs).map((one) => betrRaces(one, nowMs));
  const reply: BetrGroupedRaceCard = {
    Thoroughbred: list('horse'),
    Greyhounds: list('greyhound'),
    Trots: list('harness'),
  };
  return json(200, reply);
}

function betrRaces({ track, races }: Meeting, nowMs: number): BetrRaceStub[] {
  return races.map((race) => {
    const view = listViewOf(race, BETR, nowMs);
    return {
      EventId: race.serial,
      Venue: track.pointsbet,
      CountryCode: ALPHA3[track.country],
      RaceNumber: race.number,
      EventName: race.name,
      AdvertisedStartTime: startOf(view).replace('Z', '0000Z'),
      IsOpenForBetting: view.takesBets,
    };
  });
}

const startOf = ({ state }: ListView): string => new Date(state.advertisedStartMs).toISOString();

const betrRace = (race: Race, nowMs: number): BetrRace => ({
  Outcomes: outcomesOf(race, BETR, nowMs).map(({ number, name, scratched, prices }) => ({
    OutcomeId: number,
    OutcomeName: name,
    Scratched: scratched,
    FixedPrices: prices.map(([MarketTypeCode, Price]) => ({ MarketTypeCode, Price })),
  })),
});

function betRightRaceCard(world: World, { query, nowMs }: BookRequest): BookReply {
  const day = query.get('raceDate') ?? '';
  if (!isDay(day)) return json(400, { message: 'raceDate is required' });
  const list = (category: Category) =>
    meetingsOf(world, day, category, nowMs).map((one) => betRightMeeting(one, nowMs));
  const reply: BetRightGroupedRaceCard = {
    thoroughbred: list('horse'),
    greyhounds: list('greyhound'),
    trots: list('harness'),
  };
  return json(200, reply);
}

function betRightMeeting({ track, races }: Meeting, nowMs: number): BetRightMeeting {
  return {
    venue: track.name,
    countryCode: ALPHA3[track.country],
    races: races.map((race) => {
      const view = listViewOf(race, BETRIGHT, nowMs);
      return {
        eventId: race.serial,
        raceNumber: race.number,
        advertisedStartTimeUtc: startOf(view),
        isOpenForBetting: view.takesBets,
      };
    }),
  };
}

const betRightEvent = (race: Race, nowMs: number): BetRightEvent => ({
  isOpenForBetting: listViewOf(race, BETRIGHT, nowMs).takesBets,
  outcomes: outcomesOf(race, BETRIGHT, nowMs).map(({ number, name, scratched, prices }) => ({
    outcomeId: number,
    outcomeName: name,
    scratched,
    fixedPrices: prices.map(([marketTypeCode, price]) => ({ marketTypeCode, price })),
  })),
});

interface Outcome {
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly prices: readonly (readonly ['WIN' | 'PLC', number])[];
}

/** A scratched runner's win price was observed as a meaningless 0. */
function outcomesOf(race: Race, book: BookProfile, nowMs: number): Outcome[] {
  const view = viewOf(race, book, nowMs);
  return race.runners.map(({ number, name }, i) => {
    const scratched = view.out.has(number);
    const win = ['WIN', scratched ? 0 : view.win[i]!] as const;
    return { number, name, scratched, prices: scratched ? [win] : [win, ['PLC', view.place[i]!]] };
  });
}

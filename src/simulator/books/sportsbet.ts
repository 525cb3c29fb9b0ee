// Sportsbet, as far as its racing API is documented: the list of a day, one racecard, and many racecards at once. Epoch
// seconds, grams, prices as decimals and as fractions. No results, no deductions, no Same Race Multi lists: their
// shapes are undocumented.

import type { Category } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';
import type {
  SportsbetAllRacingReply,
  SportsbetBettingStatus,
  SportsbetError,
  SportsbetEventStub,
  SportsbetMeeting,
  SportsbetMultipleRacecardsReply,
  SportsbetPrice,
  SportsbetRacecardReply,
  SportsbetSection,
  SportsbetSelection,
} from '../../feeds/sportsbet/payload';
import type { Conditions, Meeting, Race, Runner } from '../world/race';
import type { Country, Track } from '../world/tracks';
import type { World } from '../world/world';
import { flucsOf, markedPrices } from './flucs';
import type { PriceList } from './prices';
import { SPORTSBET } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { type BookView, type ListView, listViewOf, viewOf } from './view';

const GATEWAY = '/apigw/sportsbook-racing';
const ROOT = '/Sportsbook/Racing';
const CLASSES: Record<Category, string> = {
  horse: 'Horses - Aus/NZ',
  harness: 'Harness Racing',
  greyhound: 'Greyhound Racing',
};
const REGIONS: Readonly<Record<Country, string>> = {
  AU: 'Australia',
  NZ: 'New Zealand',
  HK: 'Hong Kong',
  TR: 'Turkey',
  GB: 'United Kingdom',
  US: 'USA',
};
const CATEGORIES = Object.keys(CLASSES) as Category[];
const MOST_RACES = 20;
const FLUCS_SHOWN = 10;

export function sportsbetBook(world: World): Book {
  return (request) => {
    const path = request.path.startsWith(`${GATEWAY}${ROOT}/`) ? request.path.slice(GATEWAY.length) : '';
    const [kind, id, card] = path.slice(ROOT.length + 1).split('/');
    if (kind === 'AllRacing' && isDay(id ?? '') && card === undefined) return listReply(world, id!, request.nowMs);
    if (kind === 'Events' && id === 'MultipleRacecards' && card === undefined) return cardsReply(world, request);
    const race = kind === 'Events' && card === 'Racecard' ? raceOf(world, id!, request.nowMs) : null;
    return race ? json(200, racecard(race, request.nowMs)) : notFound(path);
  };
}

function notFound(path: string): BookReply {
  const error: SportsbetError = { code: 'ResourceNotFound', message: `${path} does not exist` };
  return json(404, error);
}

const raceOf = (world: World, id: string, nowMs: number): Race | null =>
  /^\d+$/.test(id) ? world.raceBySerial(Number(id), nowMs) : null;

/** Unknown ids are left out, and too many are refused: the book's behaviour is undocumented. */
function cardsReply(world: World, { query, nowMs }: BookRequest): BookReply {
  const ids = (query.get('eventIds') ?? '').split(',').filter((id) => id !== '');
  if (ids.length === 0 || ids.length > MOST_RACES) return json(400, { code: 'BadRequest', message: 'eventIds' });
  const races = ids.map((id) => raceOf(world, id, nowMs)).filter((race) => race !== null);
  const reply: SportsbetMultipleRacecardsReply = { events: races.map((race) => racecard(race, nowMs)) };
  return json(200, reply);
}

function listReply(world: World, day: string, nowMs: number): BookReply {
  const meetings = world.listedDays(nowMs).includes(day) ? world.meetings(day) : [];
  const sections = CATEGORIES.map((raceType): SportsbetSection => {
    const ofType = meetings.filter(({ track }) => track.category === raceType);
    return { raceType, meetings: ofType.map((meeting) => meetingRow(meeting, nowMs)) };
  });
  const reply: SportsbetAllRacingReply = { dates: meetings.length > 0 ? [{ sections }] : [] };
  return json(200, reply);
}

function meetingRow(meeting: Meeting, nowMs: number): SportsbetMeeting {
  const { track, serial, races } = meeting;
  return {
    id: serial,
    name: track.name,
    className: classOf(track),
    regionName: REGIONS[track.country],
    isInternational: track.abroad !== null,
    events: races.map((race) => eventStub(race, listViewOf(race, SPORTSBET, nowMs))),
  };
}

function classOf({ category, abroad }: Track): string {
  if (abroad === null) return CLASSES[category];
  return abroad === 'hongKong' ? 'Horses - Asia' : 'Horses - International';
}

function eventStub(race: Race, view: ListView) {
  return {
    id: race.serial,
    raceNumber: race.number,
    startTime: Math.floor(view.state.advertisedStartMs / 1000),
    name: `R${race.number} ${race.name}`,
    distance: String(race.distanceM),
    statusCode: view.state.stage === 'interim' ? 'B' : 'A',
    bettingStatus: bettingStatusOf(view),
    httpLink: `${ROOT.slice(1)}/Events/${race.serial}/Racecard`,
  } satisfies SportsbetEventStub;
}

function bettingStatusOf({ state, takesBets }: ListView): SportsbetBettingStatus {
  if (state.stage === 'final') return 'RESULTED';
  return takesBets ? 'PRICED' : 'OFF';
}

function racecard(race: Race, nowMs: number): SportsbetRacecardReply {
  const view = viewOf(race, SPORTSBET, nowMs);
  const marked = markedPrices(race, SPORTSBET, nowMs);
  const { httpLink: _, ...event } = eventStub(race, view);
  return {
    ...event,
    className: classOf(race.meeting.track),
    competitionName: race.meeting.track.name,
    trackStatus: trackStatusOf(view.conditions),
    markets: [
      {
        name: 'Win or Place',
        statusCode: 'A',
        selections: race.runners.map((runner, i) => selectionOf(race, runner, i, view, marked)),
      },
    ],
  };
}

const trackStatusOf = ({ going, rating }: Conditions): string => (rating === null ? going : `${going} (${rating})`);

function selectionOf(
  race: Race,
  runner: Runner,
  index: number,
  view: BookView,
  marked: readonly PriceList[],
): SportsbetSelection {
  const promoted = view.state.promotions.find((promotion) => promotion.number === runner.number);
  const barrier = promoted?.barrier ?? runner.barrier;
  const win = view.win[index]!;
  const flucs = flucsOf(marked, index).map((fluc) => fluc.price);
  if (win > 0 && flucs.at(-1) !== win) flucs.push(win);
  return {
    id: race.serial * 100 + runner.number,
    name: runner.name,
    runnerNumber: runner.number,
    drawNumber: barrier ?? 0,
    shortForm: runner.form.slice(-5),
    jockey: runner.jockey ?? undefined,
    trainer: runner.trainer,
    weightGram: runner.weightKg === null ? undefined : Math.round(runner.weightKg * 1000),
    isOut: view.out.has(runner.number),
    recentOddsFluctuations: flucs.slice(-FLUCS_SHOWN).reverse(),
    prices: win > 0 ? [livePrice(win, view.place[index]!)] : [],
    result: '-',
    statusCode: 'A',
  };
}

function livePrice(win: number, place: number): SportsbetPrice {
  const [winPriceNum, winPriceDen] = fractionOf(win);
  const price = { priceCode: 'L', winPrice: win, winPriceNum, winPriceDen };
  if (place === 0) return price;
  const [placePriceNum, placePriceDen] = fractionOf(place);
  return { ...price, placePrice: place, placePriceNum, placePriceDen };
}

/** 1.55 is 11/20. */
function fractionOf(price: number): readonly [number, number] {
  const hundredths = Math.round((price - 1) * 100);
  const common = commonDivisor(hundredths, 100);
  return [hundredths / common, 100 / common];
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

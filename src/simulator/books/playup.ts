// PlayUp, as far as its racing API is documented: meetings with their races, one race with selections and prices, as
// JSON:API. Only gallops: its names for the other codes are undocumented. No result, no barrier, no weight, no tote.
import { isDay } from '../../domain/time/aet';
import type {
  PlayUpListedRace,
  PlayUpMeeting,
  PlayUpMeetingsReply,
  PlayUpPrice,
  PlayUpRaceAttributes,
  PlayUpRaceReply,
  PlayUpSelection,
} from '../../feeds/playup/payload';
import type { Meeting, Race } from '../world/race';
import type { World } from '../world/world';
import { PLAYUP } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { type BookView, type ListView, listViewOf, viewOf } from './view';

const NOT_FOUND = json(404, { errors: [{ status: '404' }] });
const GALLOP = { name: 'Gallop' };
/** Stand-ins: the real ids, and the names for "out" and "not open", are undocumented. */
const FIXED = { id: 5, name: 'Fixed Price' };
const WIN = { id: 2, name: 'Win' };
const PLACE = { id: 3, name: 'Place' };
const OUT = { id: 2, name: 'Not active' };
const NOT_OPEN = { name: 'Not open' };

export function playUpBook(world: World): Book {
  return (request) => {
    if (request.path === '/v1/meetings/') return meetingsReply(world, request);
    const serial = /^\/v1\/races\/(\d+)\/$/.exec(request.path)?.[1];
    const race = serial === undefined ? null : world.raceBySerial(Number(serial), request.nowMs);
    return race?.meeting.track.category === 'horse' ? json(200, raceReply(race, request.nowMs)) : NOT_FOUND;
  };
}

function meetingsReply(world: World, { query, nowMs }: BookRequest): BookReply {
  const [from = '', to = ''] = ['from', 'to'].map((end) => query.get(`filter[start_date][${end}]`) ?? '');
  const size = Number(query.get('page[size]') ?? 100);
  const page = Number(query.get('page[number]') ?? 1);
  if (!isDay(from) || !isDay(to) || !(size >= 1) || !(page >= 1)) return json(400, { errors: [{ status: '400' }] });
  const days = [...world.listedDays(nowMs)].sort().filter((day) => day >= from && day <= to);
  const meetings = days.flatMap((day) => world.meetings(day)).filter(({ track }) => track.category === 'horse');
  const shown = meetings.slice((page - 1) * size, page * size);
  const reply: PlayUpMeetingsReply = {
    data: shown.map(meetingRow),
    included: shown.flatMap(({ races }) => races.map((race) => raceRow(race, listViewOf(race, PLAYUP, nowMs)))),
    meta: { pagination: { total_pages: Math.ceil(meetings.length / size) } },
  };
  return json(200, reply);
}

function meetingRow({ serial, day, track, races }: Meeting): PlayUpMeeting {
  return {
    id: String(serial),
    type: 'meetings',
    attributes: {
      name: track.name,
      track: { name: track.name },
      start_date: day,
      race_type: GALLOP,
      country: { code: track.country },
      state: track.state,
    },
    relationships: { races: { data: races.map((race) => ({ id: String(race.serial), type: 'races' })) } },
  };
}

const raceRow = (race: Race, view: ListView): PlayUpListedRace => ({
  id: String(race.serial),
  type: 'races',
  attributes: raceAttributes(race, view),
});

function raceAttributes(race: Race, { state, takesBets }: ListView): PlayUpRaceAttributes {
  return {
    race_number: race.number,
    name: race.name,
    start_time_timestamp: Math.floor(state.advertisedStartMs / 1000),
    status: takesBets ? { name: 'Open' } : NOT_OPEN,
    race_type: GALLOP,
    meeting: { id: race.meeting.serial },
  };
}

function raceReply(race: Race, nowMs: number): PlayUpRaceReply {
  const view = viewOf(race, PLAYUP, nowMs);
  const rows = race.runners.map((_, i) => selectionRows(race, view, i));
  const selections = { data: rows.map(([{ id }]) => ({ id, type: 'selections' })) };
  return { data: { ...raceRow(race, view), relationships: { selections } }, included: rows.flat() };
}

function selectionRows(race: Race, view: BookView, index: number): [PlayUpSelection, ...PlayUpPrice[]] {
  const { number, name, jockey, trainer } = race.runners[index]!;
  const id = `${race.serial}${String(number).padStart(2, '0')}`;
  const prices = [priceRow(race, id, WIN, view.win[index]!), priceRow(race, id, PLACE, view.place[index]!)].flat();
  const selection: PlayUpSelection = {
    id,
    type: 'selections',
    attributes: {
      name,
      number,
      jockey: jockey ?? '',
      trainer,
      status: view.out.has(number) ? OUT : { id: 1, name: 'Active' },
    },
    relationships: { prices: { data: prices.map((price) => ({ id: price.id, type: 'prices' })) } },
  };
  return [selection, ...prices];
}

/** A decimal price is a number in some races and text in others. */
function priceRow(race: Race, selection: string, betType: typeof WIN, price: number): PlayUpPrice[] {
  if (price === 0) return [];
  return [
    {
      id: `${selection}-${FIXED.id}-${betType.id}`,
      type: 'prices',
      attributes: {
        product: { name: FIXED.name },
        bet_type: betType,
        d_price: race.serial % 2 ? String(price) : price,
      },
    },
  ];
}

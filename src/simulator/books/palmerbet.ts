// Palmerbet, as far as its racing pages are documented: a list per code, a race with its runners but no prices, its win
// market with prices but no scratched flag. No place market: its title is undocumented. A race is `Open`, then `Final`,
// the only observed statuses.

import type { Category, Day } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';
import type {
  PalmerbetMarketReply,
  PalmerbetMeeting,
  PalmerbetOutcome,
  PalmerbetRaceReply,
  PalmerbetRaceStub,
  PalmerbetType,
} from '../../feeds/palmerbet/payload';
import type { Meeting, Race } from '../world/race';
import type { Track } from '../world/tracks';
import type { World } from '../world/world';
import { countryNamed } from './abroad';
import { PALMERBET } from './profiles';
import { type Book, type BookReply, json } from './reply';
import { type ListView, listViewOf, viewOf } from './view';

const ROOT = '/fixtures/racing';
const TYPES: Readonly<Record<Category, PalmerbetType>> = {
  horse: 'HorseRacing',
  greyhound: 'GreyhoundRacing',
  harness: 'HarnessRacing',
};
const NOT_FOUND = json(404, { message: 'Not Found' });

export function palmerbetBook(world: World): Book {
  return ({ path, query, nowMs }) => {
    if (query.get('channel') !== 'website' || !path.startsWith(`${ROOT}/`)) return NOT_FOUND;
    const [first = '', second = '', third, fourth] = path
      .slice(ROOT.length + 1)
      .split('/')
      .map(decodeURIComponent);
    if (second === 'markets') return marketReply(world, first, third ?? '', nowMs);
    const day = isDay(first) && world.listedDays(nowMs).includes(first) ? first : null;
    const meetings = day ? world.meetings(day).filter(({ track }) => TYPES[track.category] === second) : [];
    if (third === undefined) {
      return json(200, { meetings: meetings.map((meeting) => meetingRow(meeting, nowMs)) });
    }
    const races = meetings.find(({ track }) => titleOf(track) === third)?.races ?? [];
    const race = races.find((one) => String(one.number) === fourth);
    return race ? json(200, raceReply(race, nowMs)) : NOT_FOUND;
  };
}

/** A foreign venue may carry its country: `Mohawk - Can`. */
const titleOf = ({ name, tag }: Track): string =>
  tag === null ? name : `${name} - ${tag[0]}${tag.slice(1).toLowerCase()}`;

function meetingRow(meeting: Meeting, nowMs: number): PalmerbetMeeting {
  return {
    country: countryNamed(meeting, nowMs) ?? undefined,
    venue: { title: titleOf(meeting.track) },
    races: meeting.races.map((race) => raceStub(race, listViewOf(race, PALMERBET, nowMs))),
  };
}

function raceStub(race: Race, view: ListView): PalmerbetRaceStub {
  const { track, day } = race.meeting;
  return {
    number: race.number,
    title: race.name,
    startTime: `${new Date(view.state.advertisedStartMs).toISOString().slice(0, 19)}Z`,
    status: statusOf(view),
    eventId: race.id,
    _links: [{ href: `${ROOT}//${pathOf(day, track.category, titleOf(track), race.number)}` }],
  };
}

const pathOf = (day: Day, category: Category, venue: string, number: number): string =>
  [day, TYPES[category], encodeURIComponent(venue), number].join('/');

const statusOf = ({ takesBets }: ListView): string => (takesBets ? 'Open' : 'Final');

const marketId = (race: Race): string => `win-${race.serial}`;

function raceReply(race: Race, nowMs: number): PalmerbetRaceReply {
  const view = listViewOf(race, PALMERBET, nowMs);
  const first = view.state.placings.filter(({ position }) => position === 1).map(({ number }) => number);
  return {
    race: {
      status: statusOf(view),
      runners: race.runners.map(({ number, name, vacant }) => ({
        number,
        name: vacant ? 'Vacant Box' : name,
        isScratched: view.out.has(number),
      })),
      markets: [{ id: marketId(race), title: 'Win', type: 'RacingWin' }],
      ...(first.length > 0 && { result: { first } }),
    },
  };
}

function marketReply(world: World, type: string, id: string, nowMs: number): BookReply {
  const serial = /^win-(\d+)$/.exec(id)?.[1];
  const race = serial === undefined ? null : world.raceBySerial(Number(serial), nowMs);
  if (!race || TYPES[race.meeting.track.category] !== type) return NOT_FOUND;
  const reply: PalmerbetMarketReply = { market: { outcomes: outcomesOf(race, nowMs) } };
  return json(200, reply);
}

/**
 * Scratched runners have no row, because the format of theirs is undocumented. If there is no price, `Fixed` has no
 * snapshot.
 */
function outcomesOf(race: Race, nowMs: number): PalmerbetOutcome[] {
  const view = viewOf(race, PALMERBET, nowMs);
  return race.runners.flatMap(({ number, name }, i) => {
    if (view.out.has(number)) return [];
    const current = view.win[i]!;
    const fixed = { name: 'Fixed', ...(current > 0 && { priceSnapshot: { current } }) };
    return [{ title: name, runnerNumber: number, status: 'Active', prices: [fixed] }];
  });
}

// PointsBet, as far as its racing API is documented: the meetings list, one race with runners and win prices, and many
// races at once. It closes at the real jump. No place price and no placing: their format is undocumented.

import type { Category, Day } from '../../domain/race/race';
import { isDay } from '../../domain/time/aet';
import type {
  PointsBetDateGroup,
  PointsBetMeeting,
  PointsBetRaceStub,
  PointsBetRacesReply,
  PointsBetRunner,
} from '../../feeds/pointsbet/payload';
import type { Meeting, Race, Runner } from '../world/race';
import { unit } from '../world/random';
import type { World } from '../world/world';
import { ALPHA3 } from './abroad';
import { flucsOf, markedPrices } from './flucs';
import { POINTSBET } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { type BookView, type ListView, listViewOf, viewOf } from './view';

const RACING_TYPES: Record<Category, number> = { horse: 1, harness: 2, greyhound: 3 };
/** 0 is open; any other number is not. */
const OPEN = 0;
const NOT_OPEN = 1;

export function pointsbetBook(world: World): Book {
  return (request) => {
    if (request.path === '/api/racing/v4/meetings') return meetingsReply(world, request);
    if (request.path === '/api/racing/v3/races') return racesReply(world, request);
    const serial = /^\/api\/racing\/v3\/races\/(\d+)$/.exec(request.path)?.[1];
    const race = serial === undefined ? null : world.raceBySerial(Number(serial), request.nowMs);
    return race ? json(200, raceReply(race, request.nowMs)) : json(404, { message: 'Not Found' });
  };
}

/** Unknown ids are left out: the book's behaviour is undocumented. */
function racesReply(world: World, { query, nowMs }: BookRequest): BookReply {
  const ids = (query.get('raceIds') ?? '').split(',').filter((id) => /^\d+$/.test(id));
  if (ids.length === 0) return json(400, { message: 'raceIds is required' });
  const races = ids.map((id) => world.raceBySerial(Number(id), nowMs)).filter((race) => race !== null);
  const reply: PointsBetRacesReply = races.map((race) => raceReply(race, nowMs));
  return json(200, reply);
}

function meetingsReply(world: World, { query, nowMs }: BookRequest): BookReply {
  const from = dayOf(query.get('startDate'));
  const to = dayOf(query.get('endDate'));
  if (from === null || to === null) return json(400, { message: 'startDate and endDate are required' });
  const days = [...world.listedDays(nowMs)].sort().filter((day) => day >= from && day <= to);
  const groups: PointsBetDateGroup[] = days.map((day) => ({
    meetings: world.meetings(day).map((one) => meetingRow(one, nowMs)),
  }));
  return json(200, groups);
}

/** A day, or the day part of an instant. */
function dayOf(text: string | null): Day | null {
  const day = (text ?? '').slice(0, 10);
  return isDay(day) ? day : null;
}

function meetingRow(meeting: Meeting, nowMs: number): PointsBetMeeting {
  return {
    meetingId: String(meeting.serial),
    venue: meeting.track.pointsbet,
    countryCode: ALPHA3[meeting.track.country],
    racingType: RACING_TYPES[meeting.track.category],
    races: meeting.races.map((race) => raceStub(race, listViewOf(race, POINTSBET, nowMs))),
  };
}

function raceStub(race: Race, view: ListView): PointsBetRaceStub {
  return {
    raceId: String(race.serial),
    raceNumber: race.number,
    name: race.name,
    advertisedStartDateTimeUtc: new Date(view.state.advertisedStartMs).toISOString(),
    resultStatus: view.takesBets ? OPEN : NOT_OPEN,
  };
}

function raceReply(race: Race, nowMs: number): PointsBetRacesReply[number] {
  const view = viewOf(race, POINTSBET, nowMs);
  const marked = markedPrices(race, POINTSBET, nowMs);
  return {
    ...raceStub(race, view),
    runners: race.runners.map((runner, i) => runnerRow(race, runner, view, i, flucsOf(marked, i)[0]?.price)),
  };
}

function runnerRow(
  race: Race,
  runner: Runner,
  view: BookView,
  index: number,
  open: number | undefined,
): PointsBetRunner {
  const current = view.win[index]!;
  return {
    number: runner.number,
    runnerName: nameOf(race, runner),
    isScratched: view.out.has(runner.number),
    ...(current > 0 && { fluctuations: { open: open ?? current, current } }),
  };
}

/** Imported horses carry their country of birth; an empty box is four dots. */
function nameOf(race: Race, runner: Runner): string {
  if (runner.vacant) return '....';
  const imported = race.meeting.track.category === 'horse' && unit(race.seed, 940, runner.number) < 0.15;
  return imported ? `${runner.name} (${race.meeting.track.country === 'AU' ? 'NZ' : 'AUS'})` : runner.name;
}

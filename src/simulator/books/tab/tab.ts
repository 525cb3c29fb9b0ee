// TAB's info-service: meetings of a day, racecards, next to go. It has upper-case names, links to itself, a
// jurisdiction on every call, one fixed-odds price list for all jurisdictions, and a tote for each of three groups.

import type { Day } from '../../../domain/race/race';
import { addDays, aetDay, isDay } from '../../../domain/time/aet';
import type { TabMeeting, TabMeetingsReply } from '../../../feeds/tab/payload';
import type { Meeting, Race } from '../../world/race';
import type { Tote } from '../../world/story/tote';
import { racesOf, type World } from '../../world/world';
import { TAB } from '../profiles';
import { type Book, type BookReply, type BookRequest, json, taggedJson } from '../reply';
import { closesAtMs, listViewOf } from '../view';
import { racecard } from './racecard';
import { conditionText, linksOf, locationOf, meetingHead, RACE_TYPES, raceStub } from './spellings';

const ROOT = '/v1/tab-info-service/racing';
const JURISDICTIONS: Readonly<Record<string, Tote>> = {
  NSW: 'NSW',
  ACT: 'NSW',
  VIC: 'VIC',
  TAS: 'VIC',
  QLD: 'QLD',
  SA: 'QLD',
  NT: 'QLD',
};
const NEXT_TO_GO = 30;

export function tabBook(world: World): Book {
  return (request) => {
    const tote = JURISDICTIONS[request.query.get('jurisdiction') ?? ''];
    if (!tote) return refusal(400, 'INVALID_SYNTAX_ERROR', 'jurisdiction is required');
    if (request.query.get('fixedOdds') === 'true') return notFound();
    if (!request.path.startsWith(`${ROOT}/`)) return notFound();
    return answer(world, tote, request, request.path.slice(ROOT.length + 1).split('/'));
  };
}

function answer(world: World, tote: Tote, request: BookRequest, parts: readonly string[]): BookReply {
  const { nowMs } = request;
  if (parts.join('/') === 'dates') return taggedJson(datesReply(world, request));
  if (parts.join('/') === 'next-to-go/races') return taggedJson(nextToGo(world, request));
  const [dates, date, meetings, type, mnemonic, races, number] = parts;
  const day = date === 'today' ? aetDay(nowMs) : date;
  if (dates !== 'dates' || meetings !== 'meetings' || !day || !isDay(day)) return notFound();
  const listed = world.listedDays(nowMs).includes(day) ? world.meetings(day) : [];
  if (parts.length === 3) return taggedJson(meetingsReply(listed, request));
  const meeting = listed.find(({ track }) => RACE_TYPES[track.category] === type && track.mnemonic === mnemonic);
  if (!meeting || races !== 'races') return notFound();
  if (parts.length === 6)
    return taggedJson({ races: meeting.races.map((race) => raceStub(race, listViewOf(race, TAB, nowMs), request)) });
  const race = meeting.races.find((one) => String(one.number) === number);
  return race && parts.length === 7 ? taggedJson(racecard(race, tote, request)) : notFound();
}

const refusal = (status: number, code: string, message: string): BookReply =>
  json(status, { error: { code, message } });
const notFound = (): BookReply => refusal(404, 'RESOURCE_NOT_FOUND_ERROR', 'Resource not found');

function datesReply(world: World, { baseUrl, nowMs }: BookRequest) {
  const today = aetDay(nowMs);
  const nameOf = (day: Day): string =>
    day === today ? 'TODAY' : day === addDays(today, 1) ? 'TOMORROW' : day < today ? 'YESTERDAY' : day;
  const dates = [...world.listedDays(nowMs)].sort().map((day) => ({
    meetingDate: day,
    dateName: nameOf(day),
    _links: { meetings: `${baseUrl}${ROOT}/dates/${day}/meetings` },
  }));
  return { dates };
}

function meetingsReply(meetings: readonly Meeting[], request: BookRequest): TabMeetingsReply {
  return { meetings: meetings.map((meeting) => meetingRow(meeting, request)) };
}

function meetingRow(meeting: Meeting, request: BookRequest): TabMeeting {
  const races = meeting.races.map((race) => ({ race, view: listViewOf(race, TAB, request.nowMs) }));
  const latest = races.at(-1);
  return {
    ...meetingHead(meeting, latest && conditionText(latest.view.conditions), latest?.view.conditions.weather),
    races: races.map(({ race, view }) => raceStub(race, view, request)),
    _links: linksOf(meeting, request),
  };
}

function nextToGo(world: World, request: BookRequest) {
  const { nowMs } = request;
  const today = aetDay(nowMs);
  const coming = [today, addDays(today, 1)]
    .flatMap((day) => racesOf(world, day))
    .filter((race) => closesAtMs(race, TAB) > nowMs)
    .slice(0, NEXT_TO_GO);
  return { races: coming.map((race) => nextRow(race, request)) };
}

function nextRow(race: Race, request: BookRequest) {
  const { track } = race.meeting;
  const meeting = {
    meetingName: track.tab,
    location: locationOf(track),
    venueMnemonic: track.mnemonic,
    raceType: RACE_TYPES[track.category],
  };
  return { ...raceStub(race, listViewOf(race, TAB, request.nowMs), request), meeting };
}

// Ladbrokes AU and Neds AU as the Entain affiliates API serves them: meetings and events with ids shared by the brands,
// each brand with its own prices. Only fields that the AU deployments are documented to send.

import type { Day } from '../../../domain/race/race';
import { addDays, aetDay, isDay } from '../../../domain/time/aet';
import type { EntainMeeting, EntainRaceStub } from '../../../feeds/entain/payload';
import type { Meeting, Race } from '../../world/race';
import type { World } from '../../world/world';
import type { BookProfile } from '../profiles';
import { type Book, type BookReply, type BookRequest, json } from '../reply';
import { listViewOf } from '../view';
import { eventData } from './event';
import { CATEGORY_LETTERS, COUNTRIES, conditionText, isoSeconds, statusOf, weatherText } from './spellings';

const ROOT = '/affiliates/v1/racing';
const CATEGORY_NAMES = {
  horse: 'Thoroughbred Horse Racing',
  harness: 'Harness Horse Racing',
  greyhound: 'Greyhound Racing',
};
const MOST_MEETINGS = 200;

export function entainBook(world: World, profile: BookProfile): Book {
  return (request) => {
    if (request.header('from').trim() === '' || request.header('x-partner').trim() === '') {
      return refusal(request, 429, 'Rate limit exceeded');
    }
    if (!['', 'json'].includes(request.query.get('enc') ?? '')) return refusal(request, 400, 'Unsupported encoding');
    if (request.path === `${ROOT}/meetings`) return meetingsReply(world, profile, request);
    const [kind, id, ...rest] = request.path.slice(ROOT.length + 1).split('/');
    if (request.path.startsWith(`${ROOT}/`) && id && rest.length === 0) {
      if (kind === 'meetings') return meetingReply(world, profile, request, id);
      if (kind === 'events') return eventReply(world, profile, request, id);
    }
    return refusal(request, 404, 'Not found');
  };
}

function meetingsReply(world: World, profile: BookProfile, request: BookRequest): BookReply {
  const { query, nowMs } = request;
  const from = dayOf(query.get('date_from') ?? 'week', nowMs);
  const to = dayOf(query.get('date_to') ?? query.get('date_from') ?? 'today', nowMs);
  const limit = wholeNumber(query.get('limit'), 100);
  const offset = wholeNumber(query.get('offset'), 0);
  if (from === undefined || to === undefined || limit === null || offset === null || limit > MOST_MEETINGS) {
    return refusal(request, 400, 'Invalid request parameters');
  }
  const category = query.get('category') ?? '';
  const country = query.get('country') ?? '';
  const meetings = [...world.listedDays(nowMs)]
    .sort()
    .filter((day) => (from === null || day >= from) && (to === null || day <= to))
    .flatMap((day) => world.meetings(day))
    .filter(
      ({ track }) =>
        (category === '' || CATEGORY_LETTERS[track.category] === category) &&
        (country === '' || COUNTRIES[track.country] === country),
    )
    .slice(offset, offset + limit);
  const params = {
    enc: 'json',
    date_from: query.get('date_from') ?? 'week',
    date_to: query.get('date_to') ?? 'today',
    type: category || ' ',
    country: country || ' ',
    limit,
    offset,
  };
  return envelope(request, 'Race Meetings', params, {
    meetings: meetings.map((one) => meetingRow(one, profile, nowMs)),
  });
}

function meetingReply(world: World, profile: BookProfile, request: BookRequest, id: string): BookReply {
  const meeting = world.meetingById(id, request.nowMs);
  if (!meeting) return refusal(request, 404, 'Meeting not found');
  return envelope(
    request,
    'Get meeting by id',
    { enc: 'json', id },
    { meetings: [meetingRow(meeting, profile, request.nowMs)] },
  );
}

function eventReply(world: World, profile: BookProfile, request: BookRequest, id: string): BookReply {
  const race = world.raceById(id, request.nowMs);
  if (!race) return refusal(request, 404, 'Event not found');
  return envelope(request, `Event Details: ${id}`, { enc: 'json', id }, eventData(race, profile, request.nowMs));
}

function meetingRow(meeting: Meeting, profile: BookProfile, nowMs: number): EntainMeeting {
  const { track, races } = meeting;
  const stubs = races.map((race) => raceStub(race, profile, nowMs));
  return {
    meeting: meeting.id,
    name: track.name,
    date: `${meeting.day}T00:00:00Z`,
    track_condition: stubs.at(-1)?.track_condition ?? '',
    category: CATEGORY_LETTERS[track.category],
    category_name: CATEGORY_NAMES[track.category],
    country: COUNTRIES[track.country],
    state: track.state,
    races: stubs,
  };
}

function raceStub(race: Race, profile: BookProfile, nowMs: number): EntainRaceStub {
  const { track } = race.meeting;
  const view = listViewOf(race, profile, nowMs);
  return {
    id: race.id,
    race_number: race.number,
    name: race.name,
    start_time: isoSeconds(view.state.advertisedStartMs),
    track_condition: conditionText(view.conditions),
    distance: race.distanceM,
    weather: weatherText(race, view.conditions),
    country: COUNTRIES[track.country],
    state: track.state,
    status: statusOf(view),
  };
}

/** A day; null if there is no bound, undefined for a value that the API refuses (a full timestamp, for example). */
function dayOf(text: string, nowMs: number): Day | null | undefined {
  const today = aetDay(nowMs);
  if (text === 'all') return null;
  if (text === 'now' || text === 'today') return today;
  if (text === 'month') return `${today.slice(0, 8)}01`;
  if (text === 'week') return addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
  return isDay(text) ? text : undefined;
}

function wholeNumber(text: string | null, usual: number): number | null {
  if (text === null || text === '') return usual;
  return /^\d+$/.test(text) ? Number(text) : null;
}

const header = (request: BookRequest, title: string) => ({
  title,
  generated_time: new Date(request.nowMs).toISOString().replace('Z', '000000Z'),
  url: request.url,
});

function refusal(request: BookRequest, status: number, error: string): BookReply {
  return json(status, { header: { ...header(request, 'Error'), error } });
}

/** The ETag excludes the header; otherwise no two replies would be equal. */
function envelope(request: BookRequest, title: string, params: object, data: object): BookReply {
  const tagged = `"params":${JSON.stringify(params)},"data":${JSON.stringify(data)}`;
  return { status: 200, tagged, body: `{"header":${JSON.stringify(header(request, title))},${tagged}}` };
}

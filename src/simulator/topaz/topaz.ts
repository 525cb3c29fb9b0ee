// Topaz, filled from the world: the list of an authority's meetings and a meeting with its results, with a key and a
// rate limit. Its other documents (form, bulk runs) are not served.
import { setImmediate } from 'node:timers/promises';
import { SIMULATED_TOPAZ_KEY } from '../../config';
import type { Day } from '../../domain/race/race';
import { addDays, isDay } from '../../domain/time/aet';
import { type BookReply, type BookRequest, json, type SlowBook } from '../books/reply';
import { inBackground } from '../registry/form/background';
import { createHistory, type History } from '../registry/form/history';
import type { World } from '../world/world';
import {
  dayOfId,
  isKept,
  meetingById,
  meetingRow,
  openDays,
  type PastMeeting,
  pastMeetings,
  trialRow,
} from './meetings';
import { pastRaceRow, raceRow } from './race-row';

export const TOPAZ = 'topaz';

/** The real limit is undocumented. Wall seconds, whatever the speed of the race clock. */
const PER_SECOND = 10;
const BURST = 600;

const problem = (status: number, message: string): BookReply => json(status, { error: true, message });

/** `wallMs`: a monotonic wall clock. */
export function topazApi(world: World, wallMs: () => number = () => performance.now()): SlowBook {
  const mayPass = createBucket(wallMs);
  const history = warmed(createHistory(world));
  return (request) => {
    if (request.header('x-api-key') !== SIMULATED_TOPAZ_KEY) return problem(401, 'Unauthorized');
    if (!mayPass()) return problem(429, 'Too many requests');
    return answer(world, history, request);
  };
}

/**
 * After the first request for a past month, the days before it are built one at a time in the background: a month takes
 * a second, in which no book would reply.
 */
function warmed(history: History): History {
  let next: Day | null = null;
  const build = (nowMs: number): boolean => {
    if (next === null || next < history.beginsOn(nowMs)) return false;
    history.racesOn(next, nowMs);
    next = addDays(next, -1);
    return true;
  };
  return {
    ...history,
    racesOn(day, nowMs) {
      if (next === null) {
        next = addDays(day, -1);
        setTimeout(() => inBackground(() => build(nowMs))).unref();
      }
      return history.racesOn(day, nowMs);
    },
  };
}

function createBucket(wallMs: () => number): () => boolean {
  let left = BURST;
  let atMs = wallMs();
  return () => {
    const nowMs = wallMs();
    left = Math.min(BURST, left + ((nowMs - atMs) / 1000) * PER_SECOND);
    atMs = nowMs;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

function answer(world: World, history: History, request: BookRequest): BookReply | Promise<BookReply> {
  const [root, id, document, ...rest] = request.path.slice(1).split('/');
  if (root !== 'meeting' || rest.length > 0) return problem(404, 'Not found');
  if (id === undefined) return listReply(world, history, request);
  return document === 'results' ? resultsReply(world, history, id, request.nowMs) : problem(404, 'Not found');
}

/**
 * A list without a meeting is a 404. The other books reply between two past days: a month of them takes a second to
 * build.
 */
async function listReply(world: World, history: History, { query, nowMs }: BookRequest): Promise<BookReply> {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? from;
  if (!isDay(from) || !isDay(to)) return problem(400, 'Invalid date');
  const authority = query.get('owningauthoritycode');
  const meetings = openDays(nowMs)
    .filter((day) => day >= from && day <= to)
    .flatMap((day) => world.meetings(day))
    .filter((meeting) => isKept(meeting) && (authority === null || meeting.track.state === authority));
  const pastRows: PastMeeting[] = [];
  for (const day of pastDays(history, from, to, nowMs)) {
    pastRows.push(...pastMeetings(history, day, nowMs));
    await setImmediate();
  }
  const past = pastRows.filter(({ row }) => authority === null || row.owningAuthorityCode === authority);
  if (past.length + meetings.length === 0) return problem(404, 'No meetings found');
  const rows = [...past.map(({ row }) => row), ...meetings.map((meeting) => meetingRow(meeting, nowMs))];
  return json(200, [...rows, trialRow(rows[0]!)]);
}

/** The days, from the world's first on, whose cards a key may no longer read. */
function pastDays(history: History, from: Day, to: Day, nowMs: number): readonly Day[] {
  const first = history.beginsOn(nowMs);
  const open = openDays(nowMs)[0]!;
  const days: Day[] = [];
  for (let day = from > first ? from : first; day <= to && day < open; day = addDays(day, 1)) days.push(day);
  return days;
}

function resultsReply(world: World, history: History, id: string, nowMs: number): BookReply {
  const day = dayOfId(id);
  const past = day === null || day >= openDays(nowMs)[0]! ? [] : pastMeetings(history, day, nowMs);
  const found = past.find(({ row }) => String(row.meetingId) === id);
  if (found) return json(200, { ...found.row, races: found.races.map(pastRaceRow) });
  const meeting = meetingById(world, id, nowMs);
  if (!meeting) return problem(404, 'Meeting not found');
  const races = [...meeting.races].sort((a, b) => a.number - b.number).map((race) => raceRow(race, nowMs));
  return json(200, { ...meetingRow(meeting, nowMs), races });
}

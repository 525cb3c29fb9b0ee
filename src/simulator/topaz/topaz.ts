// Topaz, filled from the world: the list of an authority's meetings and a meeting with its results, with a key and a rate limit. Its other documents
// (form, splits, bulk runs) are not served.
import { SIMULATED_TOPAZ_KEY } from '../../config';
import { isDay } from '../../domain/time/aet';
import { type Book, type BookReply, type BookRequest, json } from '../books/reply';
import type { World } from '../world/world';

import { isKept, meetingById, meetingRow, openDays, trialRow } from './meetings';
import { raceRow } from './race-row';

export const TOPAZ = 'topaz';

/** The real limit is undocumented. Wall seconds, whatever the race clock does. */
const PER_SECOND = 10;
const BURST = 600;

const problem = (status: number, message: string): BookReply => json(status, { error: true, message });

/** `wallMs`: a monotonic wall clock. */
export function topazApi(world: World, wallMs: () => number = () => performance.now()): Book {
  const mayPass = createBucket(wallMs);
  return (request) => {
    if (request.header('x-api-key') !== SIMULATED_TOPAZ_KEY) return problem(401, 'Unauthorized');
    if (!mayPass()) return problem(429, 'Too many requests');
    return answer(world, request);
  };
}

function createBucket(wallMs: () => number): () => boolean {
  let [left, atMs] = [BURST, wallMs()];
  return () => {
    const nowMs = wallMs();
    left = Math.min(BURST, left + ((nowMs - atMs) / 1000) * PER_SECOND);
    atMs = nowMs;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

function answer(world: World, request: BookRequest): BookReply {
  const [root, id, document, ...rest] = request.path.slice(1).split('/');
  if (root !== 'meeting' || rest.length > 0) return problem(404, 'Not found');
  if (id === undefined) return listReply(world, request);
  return document === 'results' ? resultsReply(world, id, request.nowMs) : problem(404, 'Not found');
}

/** A list without a meeting is a 404. */
function listReply(world: World, { query, nowMs }: BookRequest): BookReply {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? from;
  if (!isDay(from) || !isDay(to)) return problem(400, 'Invalid date');
  const authority = query.get('owningauthoritycode');
  const meetings = openDays(nowMs)
    .filter((day) => day >= from && day <= to)
    .flatMap((day) => world.meetings(day))
    .filter((meeting) => isKept(meeting) && (authority === null || meeting.track.state === authority));
  if (meetings.length === 0) return problem(404, 'No meetings found');
  const rows = meetings.map((meeting) => meetingRow(meeting, nowMs));
  return json(200, [...rows, trialRow(rows[0]!)]);
}

function resultsReply(world: World, id: string, nowMs: number): BookReply {
  const meeting = meetingById(world, id, nowMs);
  if (!meeting) return problem(404, 'Meeting not found');
  const races = [...meeting.races].sort((a, b) => a.number - b.number).map((race) => raceRow(race, nowMs));
  return json(200, { ...meetingRow(meeting, nowMs), races });
}

// BlackStream for BetDeluxe, as far as documented: the schedule of a window and one racecard. A window that is too wide
// is refused with HTTP 200. Only Australian meetings: others were never observed.
import type { Category } from '../../domain/race/race';
import type {
  BlackStreamEnvelope,
  BlackStreamMeeting,
  BlackStreamRacecard,
  BlackStreamSchedule,
} from '../../feeds/blackstream/payload';
import type { Meeting, Race } from '../world/race';
import type { World } from '../world/world';
import { flucsOf, markedPrices } from './flucs';
import { BETDELUXE } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { listViewOf, viewOf } from './view';

const WIDEST_MS = 26 * 3_600_000;
const FLUCS_SHOWN = 5;
const OPEN = 1;
const RESULTED = 5;
/** Any number except these two; the real ones are undocumented. */
const SHUT = 2;

export function betdeluxeBook(world: World): Book {
  return (request) => {
    if (request.path === '/api/racing/v1/schedule') return schedule(world, request);
    const [, meetId, raceId] =
      /^\/api\/racing\/v[12]\/meetings\/(\d+)\/races\/(\d+)\/racecard$/.exec(request.path) ?? [];
    const race = raceId === undefined ? null : world.raceBySerial(Number(raceId), request.nowMs);
    if (!race || race.meeting.serial !== Number(meetId)) return json(404, { code: 'NotFound', message: '', data: [] });
    return success(racecard(race, request.nowMs));
  };
}

function success<T>(data: T): BookReply {
  const envelope: BlackStreamEnvelope<T> = { code: 'Success', message: '', data };
  return json(200, envelope);
}

const refusal = (message: string): BookReply => json(200, { code: 'ValidationError', message, data: [] });

function schedule(world: World, { query, nowMs }: BookRequest): BookReply {
  const fromMs = Date.parse(query.get('startDateTime') ?? '');
  const toMs = Date.parse(query.get('endDateTime') ?? '');
  if (!(fromMs < toMs)) return refusal('startDateTime and endDateTime are required');
  if (toMs - fromMs > WIDEST_MS) return refusal('the window is too wide');
  const meetings = world
    .listedDays(nowMs)
    .flatMap((day) => world.meetings(day))
    .filter(({ track }) => track.country === 'AU');
  const list = (category: Category): BlackStreamMeeting[] =>
    meetings
      .filter(({ track }) => track.category === category)
      .map((meeting) => meetingRow(meeting, { fromMs, toMs, nowMs }))
      .filter(({ races }) => races.length > 0);
  const data: BlackStreamSchedule = {
    thoroughbred: list('horse'),
    greyhounds: list('greyhound'),
    trots: list('harness'),
  };
  return success(data);
}

function meetingRow(
  { track, serial, races }: Meeting,
  { fromMs, toMs, nowMs }: { readonly fromMs: number; readonly toMs: number; readonly nowMs: number },
): BlackStreamMeeting {
  const rows = races.map((race) => ({ race, view: listViewOf(race, BETDELUXE, nowMs) }));
  const inside = rows.filter(
    ({ view }) => view.state.advertisedStartMs >= fromMs && view.state.advertisedStartMs <= toMs,
  );
  return {
    venue: track.display,
    meetId: serial,
    countryCode: 'AUS',
    races: inside.map(({ race, view }) => ({
      eventId: race.serial,
      raceNumber: race.number,
      raceName: race.name,
      advertisedStartTime: new Date(view.state.advertisedStartMs).toISOString(),
      isOpenForBetting: view.takesBets,
    })),
  };
}

function racecard(race: Race, nowMs: number): BlackStreamRacecard {
  const view = viewOf(race, BETDELUXE, nowMs);
  const marked = markedPrices(race, BETDELUXE, nowMs);
  const status = view.takesBets ? OPEN : view.state.stage === 'final' ? RESULTED : SHUT;
  const runners = race.runners.map((runner, i) => {
    const isScratched = view.out.has(runner.number);
    const flucs = flucsOf(marked, i).map(({ price }) => price);
    return {
      outcomeId: runner.number,
      runnerName: runner.name,
      isScratched,
      winPrices: pricesOf(flucs, isScratched ? 0 : view.win[i]!),
    };
  });
  return { race: { status, runners } };
}

/** Oldest first, the current price last; empty for a runner that was never priced. */
function pricesOf(flucs: readonly number[], price: number): number[] {
  const before = flucs.at(-1) === price ? flucs.slice(0, -1) : flucs;
  return before.length === 0 && price === 0 ? [] : [...before.slice(1 - FLUCS_SHOWN), price];
}

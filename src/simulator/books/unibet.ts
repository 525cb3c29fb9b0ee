// Unibet AU's persisted GraphQL, as far as documented: two queries identified by hash, by GET or POST, refused without
// a preflight header. A closed market has no status here: the real one was never observed.
import type { Category } from '../../domain/race/race';
import type {
  UnibetCompetitor,
  UnibetEventReply,
  UnibetMeeting,
  UnibetMeetingsReply,
  UnibetRaceType,
} from '../../feeds/unibet/payload';
import type { Meeting, Race, Runner } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import type { World } from '../world/world';
import { ALPHA3 } from './abroad';
import { UNIBET } from './profiles';
import { type Book, type BookReply, type BookRequest, json } from './reply';
import { type BookView, listViewOf, viewOf } from './view';

const RACE_TYPES: Record<Category, UnibetRaceType> = { horse: 'T', harness: 'H', greyhound: 'G' };

type Query = (world: World, variables: Variables, nowMs: number) => unknown;
type Variables = Readonly<Record<string, unknown>>;

/** By operation and hash. */
const QUERIES: ReadonlyMap<string, Query> = new Map<string, Query>([
  ['MeetingsByDateRange 6126ca780c4d2e5092c50a8fb0dc15b3693eca18fa896372cf28829dd9a5e533', meetingsReply],
  ['EventQuery fd256aba334b359ae57e55a4eddf6d1ad8f4559a5d13b08dc924ccaa5bc51b38', eventReply],
]);

export function unibetBook(world: World): Book {
  return (request) => {
    if (request.path !== '/api/v1/graphql') return errors(404, 'Not Found');
    if (!passesPreflight(request)) return errors(400, 'blocked as a potential Cross-Site Request Forgery');
    const operation = operationOf(request);
    if (!operation) return errors(400, 'Bad Request');
    const query = QUERIES.get(`${operation.operationName} ${operation.sha256Hash}`);
    if (!query) return json(200, { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: NOT_FOUND } }] });
    return json(200, query(world, operation.variables, request.nowMs));
  };
}

const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND';
const errors = (status: number, message: string): BookReply => json(status, { errors: [{ message }] });

function passesPreflight({ header }: BookRequest): boolean {
  const named = ['apollo-require-preflight', 'x-apollo-operation-name'].some((name) => header(name) !== '');
  return named || header('content-type').startsWith('application/json');
}

interface Operation {
  readonly operationName: unknown;
  readonly sha256Hash: unknown;
  readonly variables: Variables;
}

function operationOf({ method, body, query }: BookRequest): Operation | null {
  try {
    const sent = method === 'POST' ? JSON.parse(body) : null;
    const part = (name: string) => (sent ? sent[name] : JSON.parse(query.get(name) ?? '{}'));
    const operationName = sent ? sent.operationName : query.get('operationName');
    const sha256Hash = part('extensions')?.persistedQuery?.sha256Hash;
    return { operationName, sha256Hash, variables: part('variables') ?? {} };
  } catch {
    return null;
  }
}

/** Anything except one of the two codes as text returns nothing. */
function meetingsReply(world: World, variables: Variables, nowMs: number): UnibetMeetingsReply {
  const { countryCodes, startDateTime, endDateTime, raceTypes } = variables;
  const from = Date.parse(String(startDateTime));
  const to = Date.parse(String(endDateTime));
  const isIn = (startMs: number) => startMs >= from && startMs < to;
  const meetings = [...world.listedDays(nowMs)]
    .sort()
    .flatMap((day) => world.meetings(day))
    .filter(({ track }) => ALPHA3[track.country] === countryCodes)
    .filter(({ track }) => Array.isArray(raceTypes) && raceTypes.includes(RACE_TYPES[track.category]))
    .filter((meeting) => meeting.races.some((race) => isIn(firstStartMs(race))));
  return { data: { viewer: { meetingsByDateRange: meetings.map((meeting) => meetingRow(meeting, nowMs)) } } };
}

function meetingRow({ track, races }: Meeting, nowMs: number): UnibetMeeting {
  return {
    name: track.name,
    raceType: RACE_TYPES[track.category],
    events: races.map((race) => ({
      eventKey: eventKeyOf(race),
      sequence: race.number,
      eventDateTimeUtc: new Date(listViewOf(race, UNIBET, nowMs).state.advertisedStartMs).toISOString(),
    })),
  };
}

const slugOf = ({ track }: Meeting): string => track.name.toLowerCase().replace(/[^a-z0-9]+/g, '_');

/**
 * `202609150100.G.AUS.angle_park.1`, from the first advertised start, so that it stays the same when the start moves.
 */
function eventKeyOf(race: Race): string {
  const { track } = race.meeting;
  const stamp = new Date(firstStartMs(race)).toISOString().replace(/\D/g, '').slice(0, 12);
  return [stamp, RACE_TYPES[track.category], ALPHA3[track.country], slugOf(race.meeting), race.number].join('.');
}

/** An unknown key has no event: the book's behaviour is undocumented. */
function eventReply(world: World, { eventKey }: Variables, nowMs: number): UnibetEventReply {
  const race = typeof eventKey === 'string' ? raceOf(world, eventKey, nowMs) : undefined;
  if (!race) return { data: { viewer: { event: null } } };
  const view = viewOf(race, UNIBET, nowMs);
  const competitors = race.runners.map((runner, i) => competitorOf(runner, i, view));
  return { data: { viewer: { event: { status: view.takesBets ? 'Open' : null, competitors } } } };
}

function raceOf(world: World, eventKey: string, nowMs: number): Race | undefined {
  const [, , , slug, number] = eventKey.split('.');
  return world
    .listedDays(nowMs)
    .flatMap((day) => world.meetings(day))
    .filter((meeting) => slugOf(meeting) === slug)
    .flatMap(({ races }) => races.filter((race) => String(race.number) === number))
    .find((race) => eventKeyOf(race) === eventKey);
}

function competitorOf(runner: Runner, index: number, view: BookView): UnibetCompetitor {
  const promoted = view.state.promotions.find((promotion) => promotion.number === runner.number);
  const price = view.win[index]!;
  return {
    name: runner.name,
    status: view.out.has(runner.number) ? 'Scratched' : 'Starter',
    sequence: runner.number,
    startPos: promoted?.barrier ?? runner.barrier ?? 0,
    price: null,
    prices: price > 0 ? [{ betType: 'FixedWin', price, flucs: [{ productType: 'Current', price }] }] : [],
  };
}

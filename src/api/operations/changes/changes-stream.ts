// The contents of a stream (D61, D64): the whole state or the changes since `Last-Event-ID`, then the events of every
// reading. Until the state is complete an id only names the connection; ids never go back.
import { toWallMs } from '../../../domain/time/clock';
import type { WrittenRace } from '../../../store/reads/races/board-marks';
import type { Chunk } from '../../kernel/http/response/chunk';
import type { OpenedStream, Sink, StreamStart } from '../../kernel/http/response/reply';
import { eventId, type IdScope, idPlace, idScope, noPlaceId, readEventId } from '../../kernel/stream/event-id';
import { eventBytes, heartbeatChunk, idBytes } from '../../kernel/stream/event-text';
import { type Selection, selectionKey, selects } from '../../kernel/stream/selection';
import type { BoardFeed } from './board-feed';
import type { BoardReading } from './board-reading';
import { freshnessText, goneReason, goneText } from './board-view';
import { OLDEST_MS } from './feed';
import type { BoardFollower, Following } from './open-views';
import { freshTextOf, wholeText } from './shown-race';

export interface ChangesStream {
  open(selection: Selection, start: StreamStart, sink: Sink): Promise<OpenedStream>;
}

const HOUR_MS = 3_600_000;
/** How much the window of the reading that sent an id may differ from ours, because of another clock: wall time. */
const EDGE_MS = 60_000;

type Events = readonly Buffer[];
type Written = readonly WrittenRace[] | 'too_old' | 'in_the_future' | 'clock_set_back';

export function createChangesStream(feed: BoardFeed): ChangesStream {
  const states = ofReading<Events>();
  const freshness = createFreshness();
  const writtenSince = createGaps(feed);

  const stateOf = (place: Following, selection: Selection): Events =>
    states(place.reading, selectionKey(selection), () => wholeRaces(place, place.ids));

  const gapOf = (place: Following, selection: Selection, sinceMs: number, written: readonly WrittenRace[]): Events => {
    const { reading, ids, races } = place;
    const changed = new Set(written.map(({ race_id }) => race_id));
    const slackMs = EDGE_MS * feed.clock.speed;
    const horizonMs = sinceMs + selection.horizonHours * HOUR_MS - slackMs;
    // A race leaves at its start, by the clock of each process: the client may lack one that is still there by ours.
    const isAtEdge = ({ startMs }: { readonly startMs: number }): boolean =>
      startMs >= horizonMs || startMs <= reading.nowMs + slackMs;
    const isWhole = (id: string): boolean => changed.has(id) || isAtEdge(races.get(id)!.race);
    const [whole, known] = [[...ids].filter(isWhole), [...ids].filter((id) => !isWhole(id))];
    const gone = written.filter((race) => !ids.has(race.race_id) && mayHaveHad(selection, reading, race));
    return [
      ...gone.map((race) => goneEvent(selection, reading, race)),
      ...wholeRaces(place, whole),
      ...freshness(place, known),
    ];
  };

  const openingOf = async (
    place: Following,
    selection: Selection,
    { lastEventId, connection }: StreamStart,
    sender: Sender,
  ) => {
    const { reading } = place;
    const { scope } = sender;
    const since = lastEventId === null ? null : readEventId(lastEventId, scope);
    const isAhead = typeof since === 'number' && since > reading.serverMs && follows(reading, since, feed);
    const firstMs = sender.from(isAhead ? since : reading.serverMs);
    const end = stateEnd(place, selection, firstMs, eventId(firstMs, scope, connection));
    // It only names the connection: what follows is not complete, and the client's earlier data is discarded.
    const nowhere = idBytes(noPlaceId(scope, connection));
    if (since === null) return [nowhere, ...stateOf(place, selection), end];
    const written = typeof since === 'string' ? since : await writtenSince(reading, since, selection.betslip);
    if (typeof written === 'string' || typeof since === 'string')
      return [nowhere, eventBytes('reset', JSON.stringify({ reason: written })), ...stateOf(place, selection), end];
    // The previous position, in the name of this connection: a client that breaks before the gap is filled can still
    // take its place.
    return [idBytes(eventId(since, scope, connection)), ...gapOf(place, selection, since, written), end];
  };

  return {
    async open(selection, start, sink) {
      const sender = senderOf(idScope(selection, feed.betslipTemplates), start.connection, sink);
      const place = await feed.follow(selection, sender.follower);
      sender.follow(place.place);
      const { leave } = place;
      try {
        return { opening: await openingOf(place, selection, start, sender), heartbeat: sender.heartbeat, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

const wholeRaces = (place: Following, ids: Iterable<string>): Events =>
  Array.from(ids, (id) => eventBytes('race', wholeText(place.races.get(id)!, place.reading.nowMs)));

const goneEvent = (selection: Selection, reading: BoardReading, race: WrittenRace): Buffer =>
  eventBytes('gone', goneText(race.race_id, goneReason(selection, reading, race.race_id, race)));

function stateEnd({ ids }: Following, { horizonHours }: Selection, serverMs: number, id: string): Buffer {
  const server_time = new Date(serverMs).toISOString();
  return eventBytes('state', JSON.stringify({ server_time, race_count: ids.size, horizon_hours: horizonHours }), id);
}

/** By the clock of the database; otherwise ids of the reading do not follow that of `sinceMs`. */
function follows({ databaseMs }: BoardReading, sinceMs: number, feed: BoardFeed): boolean {
  const wallMs = toWallMs(feed.clock, sinceMs);
  return wallMs <= databaseMs && !feed.isDoubtful(wallMs);
}

/** The writes since then, read after the reading: everything that it shows and the client may lack is among them. */
function createGaps(feed: BoardFeed) {
  const { clock, slewMs } = feed;
  const gaps = ofReading<Promise<Written>>();
  return (reading: BoardReading, sinceMs: number, links: boolean): Promise<Written> => {
    const wallMs = toWallMs(clock, sinceMs);
    if (wallMs < reading.databaseMs - OLDEST_MS / clock.speed) return Promise.resolve('too_old');
    if (wallMs > reading.databaseMs) return Promise.resolve('in_the_future');
    if (feed.isDoubtful(wallMs)) return Promise.resolve('clock_set_back');
    const fromMs = (Math.floor(wallMs / slewMs) - 1) * slewMs;
    return gaps(reading, `${fromMs} ${links}`, () => feed.writtenSince(fromMs, reading.nowMs, links));
  };
}

/**
 * A poll without a change, and a tier that follows from the time alone, are not writes: every book of these races is
 * stated.
 */
function createFreshness() {
  const fresh = ofReading<string>();
  return ({ reading, races }: Following, ids: readonly string[]): Events => {
    if (ids.length === 0) return [];
    const texts = ids.map((id) => fresh(reading, id, () => freshTextOf(id, races.get(id)!, reading.nowMs)));
    return [eventBytes('freshness', freshnessText(new Date(reading.serverMs).toISOString(), texts))];
  };
}

type Sender = ReturnType<typeof senderOf>;

/**
 * Lives as long as its connection, and shares no scope with the connection's first reading, which would live as long.
 */
function senderOf(scope: IdScope, connection: string, sink: Sink) {
  let lastMs = Number.NEGATIVE_INFINITY;
  let followed = (): number => lastMs;
  const follower: BoardFollower = {
    read(reading, events) {
      lastMs = Math.max(lastMs, reading.serverMs);
      events.give(idPlace(lastMs, scope), connection, sink.event);
    },
    lost(why) {
      if (why === 'clock') sink.event(idBytes(noPlaceId(scope, connection)));
      sink.lost();
    },
  };
  return {
    scope,
    follower,
    /** Its place until readings come later than this. */
    from(ms: number): number {
      lastMs = ms;
      return ms;
    },
    /** `placeMs`: that of the readings that it follows. */
    follow(placeMs: () => number): void {
      followed = placeMs;
    },
    heartbeat: (): Chunk => heartbeatChunk(eventId(Math.max(lastMs, followed()), scope, connection)),
  };
}

/**
 * Whether a client may have had a race that its selection lacks now; most races that it cannot have had are left out.
 */
function mayHaveHad(selection: Selection, { races }: BoardReading, race: WrittenRace): boolean {
  // A code never changes; a country does.
  const { categories } = selection;
  if (categories && !categories.includes(race.category)) return false;
  if (!selects(selection, race)) return race.turned;
  return !races.has(race.race_id) || race.rewritten;
}

/** Values by reading and key, each computed once, and again after a failure. */
function ofReading<T>(): (reading: BoardReading, key: string, compute: () => T) => T {
  const all = new WeakMap<BoardReading, Map<string, T>>();
  return (reading, key, compute) => {
    const values = all.get(reading) ?? new Map<string, T>();
    all.set(reading, values);
    if (!values.has(key)) values.set(key, compute());
    return values.get(key)!;
  };
}

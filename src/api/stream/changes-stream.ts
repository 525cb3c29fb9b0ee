// What a stream of changes sends (D61): the whole state or what was missed since `Last-Event-ID`, then every reading. The place in the feed is
// fixed before the state is read, and no id is sent before the state is complete.
import { windowOf } from '../board-window';
import type { OpenedStream, Sink } from '../http/response/reply';
import { eventId, readEventId } from './event-id';
import { eventBytes, heartbeatBytes } from './event-text';
import type { ChangesFeed, FeedFollower, Reading } from './feed';
import { type Selection, selectionKey, selects } from './selection';
import { changesOf, raceEvent, someChangesOf } from './texts';

export interface ChangesStream {
  open(selection: Selection, lastEventId: string | null, sink: Sink): Promise<OpenedStream>;
}

const HOUR_MS = 3_600_000;
/** No start is moved further into the horizon than this, from beyond it. */
const MOVED_MS = 24 * HOUR_MS;
/** Races that come within the horizon are looked for once a minute of race time. */
const EDGE_MS = 60_000;
/** More than any board has. */
const ALL_RACES = 10_000;
/** Read and sent at once. */
const MOST_WINDOWS = 20;

type Events = readonly Buffer[];
/** Of starts, the second exclusive. */
type Window = readonly [fromMs: number, untilMs: number];

/** `now`: race time. */
export function createChangesStream(feed: ChangesFeed, now: () => number): ChangesStream {
  const { clock } = feed;
  /** By what they begin after: nothing that they lack was read before. */
  const states = ofReading<Events>();
  const gaps = ofReading<Awaited<ReturnType<ChangesFeed['since']>>>();
  const arrivals = ofReading<Events>();

  /** Races that start from `fromMs` on, before `untilMs`. */
  const racesOf = async (selection: Selection, from: string, until: string): Promise<Events> => {
    const { categories, countries, includeUnresolved } = selection;
    const query = { from, until, categories, countries, includeUnresolved };
    const races = await feed.board({ ...query, bookmakers: feed.bookmakers, limit: ALL_RACES });
    const links = selection.betslip ? await feed.linksOf(races) : null;
    const nowMs = now();
    return races.map((race) => raceEvent(race, links, nowMs));
  };

  const stateOf = (place: Reading, selection: Selection): Promise<Events> =>
    states(place, selectionKey(selection), async () => {
      const { horizonHours } = selection;
      const { from, until } = windowOf(horizonHours, now());
      const races = await racesOf(selection, from, until);
      const server_time = place.serverTime;
      const end = JSON.stringify({ server_time, race_count: races.length, horizon_hours: horizonHours });
      return [...races, eventBytes('state', end, eventId(server_time, selection))];
    });

  /** Races that came within the horizon, not older than `reading`; as one event's bytes, which a fast client takes at once. */
  const arrivalsOf = (reading: Reading, selection: Selection, windows: readonly Window[]): Promise<Events> =>
    arrivals(reading, `${selectionKey(selection)} ${windows.join(' ')}`, async () => {
      const races: Buffer[] = [];
      for (const [fromMs, untilMs] of windows) races.push(...(await racesOf(selection, iso(fromMs), iso(untilMs))));
      return races.length === 0 ? [] : [Buffer.concat(races)];
    });

  const edgeOf = ({ horizonHours }: Selection, ms: number): number =>
    Math.floor((ms + horizonHours * HOUR_MS) / EDGE_MS) * EDGE_MS;

  const openingOf = async (place: Reading, selection: Selection, lastEventId: string | null): Promise<Events> => {
    if (lastEventId === null) return stateOf(place, selection);
    const since = readEventId(lastEventId, selection);
    const gap = typeof since === 'string' ? since : await gaps(place, String(since), () => feed.since(since));
    if (typeof gap === 'string' || typeof since === 'string')
      return [eventBytes('reset', JSON.stringify({ reason: gap })), ...(await stateOf(place, selection))];
    const edgeMs = edgeOf(selection, now());
    const windows = [...passedBy(edgeOf(selection, since), edgeMs), ...movedWithin(gap, selection, edgeMs)];
    return [someChangesOf(gap, selection, clock), ...(await arrivalsOf(place, selection, windows))];
  };

  return {
    async open(selection, lastEventId, sink) {
      let id = '';
      let edgeMs = Number.POSITIVE_INFINITY;
      /** Whose races are still to be sent whole. */
      let due: Window[] = [];
      /** Readings that came while whole races were read: races that are older than rows sent before them would take these back. */
      let held: Reading[] | null = null;

      const pass = (reading: Reading): void => {
        id = eventId(reading.serverTime, selection);
        const event = changesOf(reading, selection, clock);
        if (event) sink.event(event);
        for (const window of movedWithin(reading, selection, edgeMs))
          if (!due.some((other) => String(other) === String(window))) due.push(window);
      };
      const lookAhead = async (reading: Reading): Promise<void> => {
        const untilMs = edgeOf(selection, now());
        due.push(...passedBy(edgeMs, untilMs));
        edgeMs = Math.max(edgeMs, untilMs);
        if (due.length === 0) return;
        held = [];
        try {
          const races = await arrivalsOf(reading, selection, due.slice(0, MOST_WINDOWS));
          due = due.slice(MOST_WINDOWS);
          races.forEach(sink.event);
        } catch {
          // The next reading looks again.
        }
        const later = held;
        held = null;
        later.forEach(pass);
      };
      const follower: FeedFollower = {
        read(reading) {
          if (held) {
            held.push(reading);
            return;
          }
          pass(reading);
          lookAhead(reading).catch(sink.lost);
        },
        lost: sink.lost,
      };
      const { place, leave } = await feed.follow(follower);
      if (id === '') id = eventId(place.serverTime, selection);
      edgeMs = edgeOf(selection, now());
      try {
        const opening = await openingOf(place, selection, lastEventId);
        return { opening, heartbeat: () => heartbeatBytes(id), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

const passedBy = (fromMs: number, untilMs: number): readonly Window[] => (fromMs < untilMs ? [[fromMs, untilMs]] : []);

/** Starts of races that changed otherwise than in price, in the part of the horizon into which a start may have been moved from beyond it. */
function movedWithin({ races }: Reading, selection: Selection, edgeMs: number): readonly Window[] {
  const starts = races
    .filter((race) => race.rewritten && selects(selection, race))
    .map((race) => Date.parse(race.start_time));
  const within = starts.filter((ms) => ms >= edgeMs - MOVED_MS && ms < edgeMs);
  return [...new Set(within)].map((ms) => [ms, ms + 1]);
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Values by reading and key, each computed once, and again after a failure. */
function ofReading<T>(): (reading: Reading, key: string, compute: () => Promise<T>) => Promise<T> {
  const all = new WeakMap<Reading, Map<string, Promise<T>>>();
  return (reading, key, compute) => {
    const values = all.get(reading) ?? new Map<string, Promise<T>>();
    all.set(reading, values);
    const running = values.get(key);
    if (running) return running;
    const value = compute();
    values.set(key, value);
    value.catch(() => values.delete(key));
    return value;
  };
}

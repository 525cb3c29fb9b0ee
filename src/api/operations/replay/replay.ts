// The contents of a replay (D69): what was recorded, then every event of the selected races in the order of race time,
// or what follows an id.
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../domain/bookmakers';
import { CAPTURE_MS } from '../../../domain/market/intelligence/captured';
import { type AppError, ExpectedRefusal, invalid } from '../../../errors';
import { REPLAY_HOUR_CREDITS } from '../../../plans/cost';
import type { ArchiveReads } from '../../../store/reads/archive/archive-reads';
import type { ReplayRace, ReplayRaces, ReplaySelection } from '../../../store/reads/archive/replay/replay-races';
import type { PlayBill } from '../../../store/redis/paid-plays';
import type { OpenedPlay, PlayedEvent, PlayRequest } from '../../kernel/http/response/reply';
import { MergedRaces, type ReadRaces } from './merged-races';
import { type PlayClock, paced, type Speed } from './paced';
import { raceEndMs, replayBill } from './replay-cost';
import {
  BEFORE_ALL,
  filtersDigest,
  idTail,
  LAST,
  placeText,
  RECORDED,
  type ReplayId,
  type ReplayPlace,
  racesDigest,
  readReplayId,
  STATE,
  shortDigest,
} from './replay-id';
import { NOT_RECORDED } from './replay-schema';

export interface Replays {
  /** Throws `validation` if the id is not one of this replay. `nowMs`: race time of the request. */
  open(selection: ReplaySelection, speed: Speed, lastEventId: string | null, nowMs: number): PlayRequest;
}

export interface ReplayDeps {
  readonly archive: Pick<ArchiveReads, 'replayRaces' | 'racesToReplay'>;
  readonly clock: PlayClock;
}

interface Plan {
  readonly selection: ReplaySelection;
  readonly found: ReplayRaces;
  readonly filters: string;
  readonly digest: string;
  /** Null: from the first event on. */
  readonly since: ReplayId | null;
  /** Race time. */
  readonly beginsMs: number;
  /** Credits by race. */
  readonly paid: PlayBill;
}

const MINUTE_MS = 60_000;
const HORIZON_HOURS = CAPTURE_MS / 3_600_000;

export function createReplays({ archive, clock }: ReplayDeps): Replays {
  return {
    open(selection, speed, lastEventId, nowMs) {
      const earlier = lastEventId === null ? null : readReplayId(lastEventId);
      const digest = filtersDigest(selection);
      const filters = shortDigest(digest);
      if (lastEventId !== null && earlier?.filters !== filters) throw invalid([otherReplay(earlier)]);
      const since = earlier?.place.atMs === BEFORE_ALL.atMs ? null : earlier;
      return {
        earlier: earlier && { play: earlier.play, id: lastEventId! },
        filters: digest,
        fromMs: since?.place.atMs ?? null,
        leastCredits: REPLAY_HOUR_CREDITS,
        async open({ fromMs, paid }): Promise<OpenedPlay> {
          const found = await archive.replayRaces(selection);
          const beginsMs = since?.place.atMs ?? found.races[0]?.firstMs ?? nowMs;
          const plan = { selection, found, filters, digest: racesDigest(found), since, beginsMs, paid };
          return {
            bill: replayBill(found.races.filter(isPlayedFrom(beginsMs)), fromMs),
            beginId: (play) => beginId(plan, play),
            events: (play, signal) => eventsOf(plan, play, archive, (events) => paced(events, speed, clock, signal)),
          };
        },
      };
    },
  };
}

const otherReplay = (since: ReplayId | null) => ({
  parameter: 'last_event_id',
  detail: since
    ? 'last_event_id is of a replay with other parameters; send the ones that it began with.'
    : 'last_event_id is not the id of an event of a replay.',
});

const placeOf = ({ atMs, number }: ReplayPlace): string => placeText(new Date(atMs).toISOString(), number);

/** Where it goes on: what has changed since is found out from it again. */
const beginId = ({ since, filters, digest }: Plan, play: string): string =>
  placeOf(since?.place ?? BEFORE_ALL) + idTail({ filters, races: since?.races ?? digest, play });

type Pace = (events: ReturnType<MergedRaces['events']>) => ReturnType<MergedRaces['events']>;

async function* eventsOf(
  plan: Plan,
  play: string,
  archive: ReplayDeps['archive'],
  pace: Pace,
): AsyncGenerator<readonly PlayedEvent[]> {
  const { found, filters, digest, since, selection, beginsMs, paid } = plan;
  const tail = idTail({ filters, races: digest, play });
  const isAnew = since !== null && since.races !== digest;
  // Results that came late, or were sent before the reset, follow it.
  const isPlayed = isPlayedFrom(beginsMs);
  const races = found.races.filter((race) => isPlayed(race) || (isAnew && race.raceId in paid));
  const merged = new MergedRaces(races, readerOf(archive, selection.bookmakers ?? null));
  const first = isAnew ? { atMs: beginsMs, number: LAST } : (since?.place ?? { atMs: beginsMs, number: RECORDED });
  if (since === null) yield [recorded(plan, placeOf(first) + tail)];
  const { inView, results } = await merged.skipTo(isAnew ? beginsMs + 1 : beginsMs);
  if (isAnew) yield [RESET, ...inView.map((race) => ({ event: 'race', data: race.wholeAt(beginsMs) })), ...results];
  let end: ReplayPlace = { atMs: beginsMs, number: Math.max(first.number, STATE) };
  if (isAnew || first.number === RECORDED) yield [stateEvent(end, isAnew ? inView.length : 0, tail)];
  for await (const batch of pace(merged.events())) {
    const later = batch.filter(({ atMs, number }) => atMs > first.atMs || number > first.number);
    if (later.length === 0) continue;
    end = later.at(-1)!;
    yield later.map((one) => ({ event: one.event, data: one.data, id: placeOf(one) + tail }));
  }
  const ended = { server_time: new Date(end.atMs).toISOString(), race_count: found.races.length };
  yield [{ event: 'end', data: JSON.stringify(ended), id: placeOf(end) + tail }];
}

const RESET: PlayedEvent = { event: 'reset', data: JSON.stringify({ reason: 'archived_again' }) };

function recorded({ found, selection, beginsMs }: Plan, id: string): PlayedEvent {
  const { races, leftOut, bookmakers } = found;
  const lastMs = Math.max(...races.map(({ jumpMs }) => jumpMs));
  const selected = selection.bookmakers ?? CUSTOMER_BOOKMAKER_KEYS;
  const data = {
    server_time: new Date(beginsMs).toISOString(),
    until: races.length === 0 ? null : new Date(lastMs).toISOString(),
    race_count: races.length,
    left_out: leftOut.map(({ raceId, reason }) => ({ race_id: raceId, reason })),
    bookmakers,
    bookmakers_without_prices: selected.filter((key) => !bookmakers.includes(key)),
    recorded_minutes: CAPTURE_MS / MINUTE_MS,
    not_recorded: NOT_RECORDED,
  };
  return { event: 'recorded', data: JSON.stringify(data), id };
}

function stateEvent(place: ReplayPlace, raceCount: number, tail: string): PlayedEvent {
  const server_time = new Date(place.atMs).toISOString();
  const data = { server_time, race_count: raceCount, horizon_hours: HORIZON_HOURS };
  return { event: 'state', data: JSON.stringify(data), id: placeOf(place) + tail };
}

const isPlayedFrom =
  (ms: number) =>
  (race: ReplayRace): boolean =>
    raceEndMs(race) >= ms;

/** A race that was archived again since it was planned may have other prices: what was sent of it may be wrong. */
function readerOf(archive: ReplayDeps['archive'], bookmakers: readonly string[] | null): ReadRaces {
  return async (races) => {
    const found = await archive.racesToReplay(races, bookmakers);
    const facts = new Map(found.map((race) => [race.raceId, factsOf(race)]));
    if (races.some((race) => facts.get(race.raceId) !== factsOf(race))) throw archivedAgain();
    return found;
  };
}

const factsOf = ({ pathFacts, cardFacts }: Pick<ReplayRace, 'pathFacts' | 'cardFacts'>): string =>
  `${pathFacts} ${cardFacts}`;

const archivedAgain = (): AppError =>
  new ExpectedRefusal('unavailable', 'A race of this replay was archived again. Connect again with the last id.', {
    retry_after_seconds: 1,
  });

// What the streams of one selection show, reading by reading, and the events between readings. Computed once for all of
// them.
import { staleAfterSeconds } from '../../../domain/time/staleness';
import type { BoardRace } from '../../../store/reads/races/board';
import type { BoardEnd } from '../../../store/reads/races/board-marks';
import { type EventGroup, eventGroup } from '../../kernel/stream/event-text';
import { type Selection, selects } from '../../kernel/stream/selection';
import type { BetslipLookup } from '../betslip/present-betslip';
import type { BoardReading } from './board-reading';
import type { GONE_REASONS } from './changes-stream-schema';
import {
  type Difference,
  differenceOf,
  freshnessOf,
  freshText,
  type ShownRace,
  shownRace,
  wholeText,
} from './shown-race';

const HOUR_MS = 3_600_000;

type GoneReason = (typeof GONE_REASONS)[number];

/** Every race of a reading as shown, in the order of the board. */
export type ShownRaces = ReadonlyMap<string, ShownRace>;

/** The races of a reading, and how each differs from the previous reading. With or without betslip links. */
export interface Shelf {
  readonly races: ShownRaces;
  update(reading: BoardReading): void;
  differenceOf(raceId: string): Difference;
  /** Races whose books' freshness differs from the last report of it; null: no report is due with this reading. */
  readonly fresh: ReadonlyMap<string, string> | null;
  /** Ids of the races that differ, in the order of the board. */
  readonly changedIds: Iterable<string>;
  /** Its races are others than those of the previous reading, or in another order, or are selected differently. */
  readonly isOtherBoard: boolean;
}

export function createShelf(links: (reading: BoardReading, raceId: string) => BetslipLookup | null): Shelf {
  let races: ShownRaces = new Map();
  let shows: Pick<BoardReading, 'races' | 'links'> | null = null;
  let differences = new Map<string, Difference>();
  let reported: Reported = new Map();
  let fresh: ReadonlyMap<string, string> | null = null;
  let isOtherBoard = false;

  return {
    get races() {
      return races;
    },
    get fresh() {
      return fresh;
    },
    get changedIds() {
      return differences.keys();
    },
    get isOtherBoard() {
      return isOtherBoard;
    },
    differenceOf: (raceId) => differences.get(raceId) ?? { kind: 'none' },
    update(reading) {
      const isSame = shows?.races === reading.races && shows.links === reading.links;
      shows = { races: reading.races, links: reading.links };
      if (differences.size > 0) differences = new Map();
      isOtherBoard = false;
      if (isSame && !reading.reportsFreshness) {
        fresh = null;
        return;
      }
      const before = races;
      const now = new Map<string, ShownRace>();
      for (const [id, race] of reading.races) {
        const was = before.get(id);
        const shown = shownRace(race, links(reading, id), was);
        now.set(id, shown);
        if (was && was.content !== shown.content) differences.set(id, differenceOf(was, shown, reading.nowMs));
      }
      const isFirst = before.size === 0;
      races = now;
      isOtherBoard = !isSelectedAlike(before, now);
      fresh = null;
      // A stream that starts with the first has the freshness of every book.
      if (isFirst || reading.reportsFreshness) {
        const before = reported;
        reported = new Map(Array.from(races, ([id, shown]) => [id, freshnessOf(shown, reading.nowMs)]));
        if (!isFirst) fresh = freshSince(before, reported);
      }
    },
  };
}

/** Each race's books with their freshness, as text. */
type Reported = ReadonlyMap<string, ReadonlyMap<string, string>>;

function freshSince(before: Reported, now: Reported): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [id, books] of now) {
    const changed = [...books].filter(([key, text]) => before.get(id)?.get(key) !== text).map(([, text]) => text);
    if (changed.length > 0) texts.set(id, freshText(id, changed));
  }
  return texts;
}

/** The same races, in the same order, for every selection and at any time. */
function isSelectedAlike(before: ShownRaces, now: ShownRaces): boolean {
  if (before.size !== now.size) return false;
  const others = before.entries();
  for (const [id, { race }] of now) {
    const [wasId, { race: was }] = others.next().value!;
    if (wasId !== id || (was !== race && !isSelectedLike(was, race))) return false;
  }
  return true;
}

const isSelectedLike = (a: BoardRace, b: BoardRace): boolean =>
  a.startMs === b.startMs && a.category === b.category && a.country === b.country;

export interface View {
  /** Ids of the races that it has, in the order of the board. */
  readonly ids: ReadonlySet<string>;
  /**
   * After its shelf. The events since the previous reading; null: there are none. `ids` is another set if it had to
   * select again.
   */
  update(reading: BoardReading, shelf: Shelf): EventGroup | null;
}

/** `first`: the reading whose races its streams receive whole. */
export function createView(selection: Selection, first: BoardReading): View {
  let ids = idsOf(selection, first);
  let shows = sameIdsFor(selection, first);
  return {
    get ids() {
      return ids;
    },
    update(reading, shelf) {
      const isSame = !shelf.isOtherBoard && isWithin(shows, reading);
      const before = ids;
      if (!isSame) {
        ids = idsOf(selection, reading);
        shows = sameIdsFor(selection, reading);
      }
      const events: [string, string | Buffer][] = [];
      for (const id of isSame ? [] : before)
        if (!ids.has(id)) events.push(['gone', goneText(id, goneReason(selection, reading, id, reading.ends.get(id)))]);
      const rows: string[] = [];
      for (const id of isSame ? shelf.changedIds : ids) {
        if (!ids.has(id)) continue;
        const difference: Difference = before.has(id) ? shelf.differenceOf(id) : { kind: 'whole' };
        if (difference.kind === 'rows') rows.push(difference.text);
        else if (difference.kind === 'whole') events.push(['race', wholeText(shelf.races.get(id)!, reading.nowMs)]);
      }
      if (rows.length > 0)
        events.push(['changes', `{"server_time":"${serverTime(reading)}","races":[${rows.join()}]}`]);
      const fresh = shelf.fresh && [...shelf.fresh].filter(([id]) => ids.has(id)).map(([, text]) => text);
      if (fresh && fresh.length > 0) events.push(['freshness', freshnessText(serverTime(reading), fresh)]);
      return events.length === 0 ? null : eventGroup(events);
    },
  };
}

const serverTime = ({ serverMs }: BoardReading): string => new Date(serverMs).toISOString();

const STALE_AFTER = JSON.stringify({ live: staleAfterSeconds('live'), card: staleAfterSeconds('card') });

export const freshnessText = (serverTime: string, races: readonly string[]): string =>
  `{"server_time":"${serverTime}","stale_after_seconds":${STALE_AFTER},"races":[${races.join()}]}`;

/** Of race time. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const isWithin = ({ fromMs, untilMs }: Span, { nowMs }: BoardReading): boolean => nowMs >= fromMs && nowMs < untilMs;

/** While the board is the same: until the next of its races comes into view. */
function sameIdsFor({ horizonHours }: Selection, { races, nowMs }: BoardReading): Span {
  const horizonMs = horizonHours * HOUR_MS;
  let untilMs = Number.POSITIVE_INFINITY;
  for (const { startMs } of races.values()) {
    const inViewMs = startMs - horizonMs;
    if (inViewMs >= nowMs && inViewMs < untilMs) untilMs = inViewMs;
  }
  return { fromMs: nowMs, untilMs };
}

/** As `next-to-go` selects, with the plan's horizon. */
function idsOf(selection: Selection, { races, nowMs }: BoardReading): ReadonlySet<string> {
  const untilMs = nowMs + selection.horizonHours * HOUR_MS;
  const ids = new Set<string>();
  for (const [id, race] of races) if (race.startMs < untilMs && selects(selection, race)) ids.add(id);
  return ids;
}

export const goneText = (raceId: string, reason: GoneReason): string => JSON.stringify({ race_id: raceId, reason });

/** Why a selection lacks a race. `end`: of a race off the board; undefined: it was deleted. */
export function goneReason(
  selection: Selection,
  { races }: BoardReading,
  raceId: string,
  end: BoardEnd | undefined,
): GoneReason {
  const race = races.get(raceId);
  if (race) return selects(selection, race) ? 'left' : 'hidden';
  if (!end) return 'left';
  if (end.abandoned) return 'abandoned';
  if (end.jumped) return 'jumped';
  return selects(selection, end) ? 'left' : 'hidden';
}

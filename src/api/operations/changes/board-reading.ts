// One reading of the whole board for the streams of a process (D64): as far ahead as any plan looks, all countries,
// everything that customers may see.
import { type RaceClock, toRaceMs } from '../../../domain/time/clock';
import { MAX_HORIZON_HOURS } from '../../../plans/plans';
import type { BoardRace } from '../../../store/reads/races/board';
import type { BoardEnd } from '../../../store/reads/races/board-marks';
import type { Reads } from '../../../store/reads/reads';
import { windowOf } from '../../kernel/endpoint/board-window';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import type { BetslipBoard } from '../betslip/betslip-links';
import type { BetslipLookup } from '../betslip/present-betslip';
import { differsInAgesOnly } from './shown-race';

export interface BoardReading {
  /**
   * Race time: every write missing from this reading has this mark or a later one. Never earlier than that of the
   * previous reading.
   */
  readonly serverMs: number;
  /** The same, and when it was read, by the database's clock. */
  readonly settledMs: number;
  readonly databaseMs: number;
  /** Race time of the window. */
  readonly nowMs: number;
  readonly races: ReadonlyMap<string, BoardRace>;
  /** Races of the previous reading that are no longer on the board. */
  readonly ends: ReadonlyMap<string, BoardEnd>;
  /** By race; null: no stream needs them. */
  readonly links: ReadonlyMap<string, BetslipLookup> | null;
  readonly reportsFreshness: boolean;
}

export interface ReadingDeps {
  readonly reads: Pick<Reads, 'board' | 'boardPlace' | 'boardEnds' | 'linksWritten'>;
  /** Rejects if the database does not answer. */
  readonly betslip: BetslipBoard;
  readonly clock: RaceClock;
  /** Race time. */
  now(): number;
}

/** Race time. */
const FRESHNESS_EVERY_MS = 5000;

const WHOLE_BOARD = { bookmakers: CUSTOMERS.bookmakers, includeUnresolved: true, limit: null };

/** The database's clock went back: its marks no longer follow each other. */
export class ClockWentBack extends Error {}

/** `since`: the previous reading, or null. */
export async function readWholeBoard(
  { reads, betslip, clock, now }: ReadingDeps,
  since: BoardReading | null,
  withLinks: boolean,
): Promise<BoardReading> {
  // Before the board: its marks are those of writes that the board may lack.
  const place = await reads.boardPlace();
  if (since && place.nowMs < since.settledMs) throw new ClockWentBack('the clock of the database went back');
  const nowMs = now();
  const board = await reads.board({ ...WHOLE_BOARD, ...windowOf(MAX_HORIZON_HOURS, nowMs) });
  const races = new Map(board.map((race) => [race.race_id, race]));
  const missing = since ? [...since.races.keys()].filter((id) => !races.has(id)) : [];
  const ends = missing.length === 0 ? [] : await reads.boardEnds(missing, new Date(nowMs).toISOString());
  return {
    settledMs: Math.max(place.settledMs, since?.settledMs ?? 0),
    serverMs: Math.max(toRaceMs(clock, place.settledMs), since?.serverMs ?? Number.NEGATIVE_INFINITY),
    databaseMs: place.nowMs,
    nowMs,
    races,
    ends: new Map(ends.map((end) => [end.race_id, end])),
    links: withLinks ? await linksOf({ reads, betslip }, races, since) : null,
    reportsFreshness: since === null || isDue(since.nowMs, nowMs),
  };
}

/**
 * The same reading with these races as they are now. All else is that of `last`, its place too: other races may have
 * been written since. A race that came or left stays as it was until the next whole reading. Null: none of them is on
 * the board.
 */
export async function readRacesAnew(
  { reads, betslip, now }: Pick<ReadingDeps, 'reads' | 'betslip' | 'now'>,
  last: BoardReading,
  raceIds: Iterable<string>,
): Promise<BoardReading | null> {
  const known = [...raceIds].filter((id) => last.races.has(id));
  if (known.length === 0) return null;
  const board = await reads.board({ ...WHOLE_BOARD, ...windowOf(MAX_HORIZON_HOURS, now()), raceIds: known });
  if (board.length === 0) return null;
  const anew = new Map(board.map((race) => [race.race_id, race]));
  const links = last.links && new Map(last.links);
  if (links) {
    const lookup = await betslip.linksOf(board);
    for (const id of anew.keys()) links.set(id, lookup);
  }
  const races = new Map(Array.from(last.races, ([id, race]) => [id, anew.get(id) ?? race]));
  return { ...last, races, links, ends: new Map(), reportsFreshness: false };
}

/** Once in each five seconds of race time, on multiples of them. */
const isDue = (beforeMs: number, nowMs: number): boolean =>
  Math.floor(beforeMs / FRESHNESS_EVERY_MS) !== Math.floor(nowMs / FRESHNESS_EVERY_MS);

/**
 * Links of races that are new, whose books or pages changed, or whose ids were written; all other links are unchanged.
 */
async function linksOf(
  { reads, betslip }: Pick<ReadingDeps, 'reads' | 'betslip'>,
  races: BoardReading['races'],
  since: BoardReading | null,
): Promise<ReadonlyMap<string, BetslipLookup>> {
  const known = since?.links ?? new Map<string, BetslipLookup>();
  const written = new Set(since?.links ? await reads.linksWritten(since.settledMs) : []);
  const isKnown = (race: BoardRace): boolean => {
    const before = since?.races.get(race.race_id);
    return known.has(race.race_id) && !written.has(race.race_id) && !!before && differsInAgesOnly(before, race);
  };
  const due = [...races.values()].filter((race) => !isKnown(race));
  const lookup = await betslip.linksOf(due);
  const links = new Map([...known].filter(([id]) => races.has(id)));
  for (const { race_id } of due) links.set(race_id, lookup);
  return links;
}

// One reading of the board for the streams of a process (D64): as far ahead as any plan looks, all countries,
// everything that customers may see. Every five seconds all of it, and in between what was written.
import { type RaceClock, toRaceMs } from '../../../domain/time/clock';
import { MAX_HORIZON_HOURS } from '../../../plans/plans';
import type { BoardRace } from '../../../store/reads/races/board';
import type { BoardEnd, BoardSince } from '../../../store/reads/races/board-marks';
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
  readonly reads: Pick<Reads, 'board' | 'boardPlace' | 'boardSince' | 'boardEnds'>;
  /** Rejects if the database does not answer. */
  readonly betslip: BetslipBoard;
  readonly clock: RaceClock;
  /** Race time. */
  now(): number;
  /** Whether a write after this instant of the database's clock may have an earlier mark. */
  isDoubtful(databaseMs: number): boolean;
  /** How far back marks are read, because of unnoticed steps of the database's clock: wall time. */
  readonly slewMs: number;
}

/** Of whom a reading is for. */
export interface ReadFor {
  readonly withLinks: boolean;
  /** A stream begins with it: it needs the freshness of every book. */
  readonly begins: boolean;
}

/** Race time. */
const FRESHNESS_EVERY_MS = 5000;

const WHOLE_BOARD = { bookmakers: CUSTOMERS.bookmakers, includeUnresolved: true, limit: null };

/** The database's clock went back: its marks no longer follow each other. */
export class ClockWentBack extends Error {}

/** `since`: the previous reading, or null. */
export async function readWholeBoard(
  deps: ReadingDeps,
  since: BoardReading | null,
  { withLinks, begins }: ReadFor,
): Promise<BoardReading> {
  const { reads, clock } = deps;
  // Before the board: its marks are those of writes that the board may lack.
  const place = await reads.boardPlace();
  if (since && place.nowMs < since.settledMs) throw new ClockWentBack('the clock of the database went back');
  const nowMs = deps.now();
  const reportsFreshness = since === null || isDue(since.nowMs, nowMs);
  const trusted = since && !deps.isDoubtful(since.settledMs) ? since : null;
  const follows = trusted !== null && !begins && !reportsFreshness;
  // All links are read for the first reading that has some, and whenever marks are in doubt.
  const links = withLinks && trusted?.links != null;
  const marks = trusted && (follows || links) ? await marksSince(deps, trusted, nowMs, links) : null;
  const races = trusted && follows ? await racesSince(deps, trusted, nowMs, marks!) : await allRaces(deps, nowMs);
  const missing = since && races !== since.races ? [...since.races.keys()].filter((id) => !races.has(id)) : [];
  const ends = missing.length === 0 ? [] : await reads.boardEnds(missing, new Date(nowMs).toISOString());
  return {
    settledMs: Math.max(place.settledMs, since?.settledMs ?? 0),
    serverMs: Math.max(toRaceMs(clock, place.settledMs), since?.serverMs ?? Number.NEGATIVE_INFINITY),
    databaseMs: place.nowMs,
    nowMs,
    races,
    ends: new Map(ends.map((end) => [end.race_id, end])),
    links: withLinks ? await linksOf(deps, races, trusted, marks?.linked ?? []) : null,
    reportsFreshness,
  };
}

const windowAt = (nowMs: number) => ({ ...WHOLE_BOARD, ...windowOf(MAX_HORIZON_HOURS, nowMs) });

async function allRaces({ reads }: ReadingDeps, nowMs: number): Promise<BoardReading['races']> {
  const board = await reads.board(windowAt(nowMs));
  return new Map(board.map((race) => [race.race_id, race]));
}

const marksSince = (
  { reads, slewMs }: ReadingDeps,
  { settledMs }: BoardReading,
  nowMs: number,
  links: boolean,
): Promise<BoardSince> => reads.boardSince({ ...windowAt(nowMs), sinceMs: settledMs - slewMs, links });

/**
 * The races of the previous reading, with those as they are now that were written since, or that time alone brought or
 * took away. Every write that the previous reading lacks has its `settledMs` or a later mark; only freshness has no
 * mark. The same map if nothing changed.
 */
async function racesSince(
  { reads }: ReadingDeps,
  since: BoardReading,
  nowMs: number,
  { shown, written }: BoardSince,
): Promise<BoardReading['races']> {
  const isSame = shown === [...since.races.keys()].join();
  if (isSame && written.length === 0) return since.races;
  const ids = shown === '' ? [] : shown.split(',');
  const due = new Set([...written, ...ids.filter((id) => !since.races.has(id))]);
  const board = due.size === 0 ? [] : await reads.board({ ...windowAt(nowMs), raceIds: [...due] });
  const anew = new Map(board.map((race) => [race.race_id, race]));
  const raceOf = (id: string) => (due.has(id) ? anew.get(id) : since.races.get(id));
  if (isSame && written.every((id) => raceOf(id) === since.races.get(id))) return since.races;
  return new Map(ids.flatMap((id) => (raceOf(id) ? [[id, raceOf(id)!] as const] : [])));
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
  const board = await reads.board({ ...windowAt(now()), raceIds: known });
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

/** Links of races that are new, whose books or pages changed, or whose ids were written (`linked`) are read anew. */
async function linksOf(
  { betslip }: Pick<ReadingDeps, 'betslip'>,
  races: BoardReading['races'],
  since: BoardReading | null,
  linked: readonly string[],
): Promise<ReadonlyMap<string, BetslipLookup>> {
  const known = since?.links ?? new Map<string, BetslipLookup>();
  const written = new Set(linked);
  const isKnown = (race: BoardRace): boolean => {
    const before = since?.races.get(race.race_id);
    return known.has(race.race_id) && !written.has(race.race_id) && !!before && differsInAgesOnly(before, race);
  };
  const due = [...races.values()].filter((race) => !isKnown(race));
  if (due.length === 0 && known.size === races.size) return known;
  const lookup = await betslip.linksOf(due);
  const links = new Map([...known].filter(([id]) => races.has(id)));
  for (const { race_id } of due) links.set(race_id, lookup);
  return links;
}

// The one reading of the board that all streams of a process share (D61, D64), while there is one. A stream's state is
// that of a reading that began after the stream, and it gets the events of every reading after this one: nothing can be
// between the two.
import { setTimeout as delay } from 'node:timers/promises';
import type { WrittenRace } from '../../../store/reads/races/board-marks';
import type { Reads } from '../../../store/reads/reads';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { createClockSteps } from '../../kernel/stream/clock-steps';
import type { EventGroup } from '../../kernel/stream/event-text';
import { type Selection, selectionKey } from '../../kernel/stream/selection';
import { createBetslipBoard, noneWithoutDatabase } from '../betslip/betslip-links';
import { type BoardReading, ClockWentBack, type ReadingDeps, readWholeBoard } from './board-reading';
import { createShelf, createView, type Shelf, type ShownRaces, type View } from './board-view';

export interface BoardFollower {
  /** `events`: of this reading; null: there are none. If it throws, it is lost. */
  read(reading: BoardReading, events: EventGroup | null): void;
  /** No reading follows. `clock`: that of the database went back, and nothing can be gone on from what was sent. */
  lost(why?: 'clock'): void;
}

export interface Following {
  /** The follower gets the events of every reading after this one. */
  readonly reading: BoardReading;
  /** What the selection has at this reading. */
  readonly ids: ReadonlySet<string>;
  readonly races: ShownRaces;
  leave(): void;
}

export interface BoardFeed {
  follow(selection: Selection, follower: BoardFollower): Promise<Following>;
  /** What was written since, by the database's clock; at `nowMs`, race time. */
  writtenSince(sinceMs: number, nowMs: number, links: boolean): Promise<readonly WrittenRace[]>;
  /** Whether `writtenSince` may lack something, for the clock of the database was set back. */
  isDoubtful(sinceMs: number): boolean;
  readonly betslipTemplates: Readonly<Record<string, string>>;
  readonly clock: ReadingDeps['clock'];
  readonly slewMs: number;
}

export interface BoardFeedDeps extends Omit<ReadingDeps, 'betslip'> {
  readonly reads: ReadingDeps['reads'] & Pick<Reads, 'boardWritten' | 'betslipIds'>;
  /** By bookmaker key. */
  readonly betslipTemplates?: Readonly<Record<string, string>>;
  readonly log: { error(fields: object, message: string): void };
  /** Between two readings, wall time. */
  readonly pauseMs?: number;
  /** Covers what the clock of the database is set back unnoticed, wall time. */
  readonly slewMs?: number;
}

const PAUSE_MS = 250;
const SLEW_MS = 1000;
/** A stream that begins does not wait that long. */
const JOIN_PAUSE_MS = 20;
/** A reading that takes long is not repeated at once. */
const REST_SHARE = 2;

interface Joining {
  readonly selection: Selection;
  readonly follower: BoardFollower;
  readonly joined: PromiseWithResolvers<Following>;
}

interface OpenView {
  readonly view: View;
  readonly shelf: Shelf;
  readonly betslip: boolean;
  readonly followers: Set<BoardFollower>;
}

export function createBoardFeed(deps: BoardFeedDeps): BoardFeed {
  const { reads, clock, log, now, betslipTemplates = {}, pauseMs = PAUSE_MS, slewMs = SLEW_MS } = deps;
  // A link that cannot be read is not one that is gone.
  const betslip = createBetslipBoard(reads, betslipTemplates, noneWithoutDatabase);
  const steps = createClockSteps();
  const views = new Map<string, OpenView>();
  const joining: Joining[] = [];
  /** Those that the reading under way is for. */
  let beginning: Joining[] = [];
  let isRunning = false;
  let isAway = false;
  let wake = (): void => {};

  const shelfOf = (betslip: boolean): Shelf | undefined =>
    [...views.values()].find((one) => one.betslip === betslip)?.shelf;

  const newShelf = (betslip: boolean, reading: BoardReading): Shelf => {
    const shelf = createShelf((now, id) => (betslip ? (now.links?.get(id) ?? null) : null));
    shelf.update(reading);
    return shelf;
  };

  const newView = (key: string, selection: Selection, reading: BoardReading): OpenView => {
    const { betslip } = selection;
    const shelf = shelfOf(betslip) ?? newShelf(betslip, reading);
    const open = { view: createView(selection, reading), shelf, betslip, followers: new Set<BoardFollower>() };
    views.set(key, open);
    return open;
  };

  const leave = (key: string, open: OpenView, follower: BoardFollower): void => {
    open.followers.delete(follower);
    if (open.followers.size === 0 && views.get(key) === open) views.delete(key);
  };

  const admit = ({ selection, follower, joined }: Joining, reading: BoardReading): void => {
    const key = selectionKey(selection);
    const open = views.get(key) ?? newView(key, selection, reading);
    open.followers.add(follower);
    const { view, shelf } = open;
    joined.resolve({ reading, ids: view.ids, races: shelf.races, leave: () => leave(key, open, follower) });
  };

  const passTo = (key: string, open: OpenView, reading: BoardReading): void => {
    const events = open.view.update(reading, open.shelf);
    for (const follower of open.followers) {
      try {
        follower.read(reading, events);
      } catch (err) {
        log.error({ err }, 'a stream cannot send changes: it ends');
        leave(key, open, follower);
        follower.lost();
      }
    }
  };

  const pass = (reading: BoardReading): void => {
    for (const shelf of new Set([...views.values()].map((open) => open.shelf))) shelf.update(reading);
    for (const [key, open] of [...views]) passTo(key, open, reading);
  };

  const endAll = (why?: 'clock'): void => {
    const followers = [...views.values()].flatMap((open) => [...open.followers]);
    views.clear();
    for (const follower of followers) follower.lost(why);
  };

  const boardPlace = async (): ReturnType<typeof reads.boardPlace> => {
    const beforeMs = performance.now();
    const place = await reads.boardPlace();
    steps.note(place.nowMs, beforeMs, performance.now());
    return place;
  };

  const readOn = async (last: BoardReading | null, withLinks: boolean): Promise<BoardReading | Error> => {
    try {
      return await readWholeBoard({ reads: { ...reads, boardPlace }, betslip, clock, now }, last, withLinks);
    } catch (error) {
      return error as Error;
    }
  };

  const fail = (error: Error): void => {
    if (!isAway) log.error({ err: error }, 'the board cannot be read: streams wait');
    isAway = true;
    if (error instanceof ClockWentBack) {
      endAll('clock');
      joining.unshift(...beginning);
    } else for (const { joined } of beginning) joined.reject(error);
  };

  /**
   * Not in `run`, whose frame would keep the last stream that began. Returns what the next reading follows; null:
   * nothing.
   */
  const take = (reading: BoardReading | Error, last: BoardReading | null): BoardReading | null => {
    if (reading instanceof Error) {
      fail(reading);
      return reading instanceof ClockWentBack ? null : last;
    }
    isAway = false;
    pass(reading);
    for (const one of beginning) admit(one, reading);
    return reading;
  };

  const isIdle = (): boolean => views.size === 0 && joining.length === 0;

  const needsLinks = (): boolean => beginning.some(({ selection }) => selection.betslip) || shelfOf(true) !== undefined;

  /** Reads on while there is a stream. */
  const run = async (): Promise<void> => {
    let last: BoardReading | null = null;
    for (;;) {
      const beganMs = performance.now();
      beginning = joining.splice(0);
      last = take(await readOn(last, needsLinks()), last);
      if (isIdle()) break;
      const tookMs = performance.now() - beganMs;
      const leastMs = Math.max(Math.min(pauseMs, JOIN_PAUSE_MS), tookMs);
      await rest(leastMs, Math.max(pauseMs, REST_SHARE * tookMs));
      if (isIdle()) break;
    }
    isRunning = false;
    isAway = false;
  };

  const broken = (err: unknown): void => {
    log.error({ err }, 'the board cannot be shown: streams end');
    isRunning = false;
    isAway = false;
    endAll();
    for (const { joined } of [...beginning, ...joining.splice(0)]) joined.reject(err);
  };

  /** Shorter if a stream waits to begin. */
  const rest = async (leastMs: number, ms: number): Promise<void> => {
    await delay(leastMs, undefined, { ref: false });
    if (joining.length > 0) return;
    const woken = new AbortController();
    wake = () => woken.abort();
    await delay(Math.max(0, ms - leastMs), undefined, { ref: false, signal: woken.signal }).catch(() => {});
  };

  return {
    clock,
    slewMs,
    betslipTemplates,
    isDoubtful: steps.isDoubtful,
    writtenSince: (sinceMs, nowMs, links) =>
      reads.boardWritten({ sinceMs, now: new Date(nowMs).toISOString(), bookmakers: CUSTOMERS.bookmakers, links }),
    follow(selection, follower) {
      const joined = Promise.withResolvers<Following>();
      joining.push({ selection, follower, joined });
      wake();
      if (!isRunning) {
        isRunning = true;
        run().catch(broken);
      }
      return joined.promise;
    },
  };
}

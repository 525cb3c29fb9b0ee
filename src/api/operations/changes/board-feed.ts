// The single reading of the board that all streams of a process share (D61, D64), while there is a stream. A stream's
// state is that of a reading that began after the stream, and it gets the events of every later reading, so nothing is
// missed between the two.
import type { WrittenRace } from '../../../store/reads/races/board-marks';
import type { Reads } from '../../../store/reads/reads';
import type { BoardNotices } from '../../../store/redis/board-notices';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { type ClockSteps, createClockSteps } from '../../kernel/stream/clock-steps';
import type { Selection } from '../../kernel/stream/selection';
import { createBetslipBoard, noneWithoutDatabase } from '../betslip/betslip-links';
import { type ReadingDeps, readRacesAnew, readWholeBoard } from './board-reading';
import { type BoardFollower, type Following, OpenViews } from './open-views';
import { type ReadBoard, SharedReadings } from './shared-readings';

export interface BoardFeed {
  follow(selection: Selection, follower: BoardFollower): Promise<Following>;
  /** Writes since then, by the database's clock; at `nowMs`, race time. */
  writtenSince(sinceMs: number, nowMs: number, links: boolean): Promise<readonly WrittenRace[]>;
  /** Whether `writtenSince` may be incomplete, because the clock of the database was set back. */
  isDoubtful(sinceMs: number): boolean;
  readonly betslipTemplates: Readonly<Record<string, string>>;
  readonly clock: ReadingDeps['clock'];
  readonly slewMs: number;
}

export interface BoardFeedDeps extends Omit<ReadingDeps, 'betslip' | 'isDoubtful' | 'slewMs'> {
  readonly reads: ReadingDeps['reads'] & Pick<Reads, 'boardWritten' | 'betslipIds'>;
  /** By bookmaker key. */
  readonly betslipTemplates?: Readonly<Record<string, string>>;
  readonly log: { error(fields: object, message: string): void };
  /** Writes that a reading need not wait for. Any may be missing. */
  readonly notices?: BoardNotices;
  /** Between two readings, wall time. */
  readonly pauseMs?: number;
  /** Covers unnoticed steps back of the database's clock, wall time. */
  readonly slewMs?: number;
}

const PAUSE_MS = 250;
const SLEW_MS = 1000;

export function createBoardFeed(deps: BoardFeedDeps): BoardFeed {
  const { reads, clock, log, betslipTemplates = {}, pauseMs = PAUSE_MS, slewMs = SLEW_MS } = deps;
  const steps = createClockSteps();
  const readings = new SharedReadings(readerOf({ ...deps, slewMs }, steps), new OpenViews(log), log, pauseMs);
  deps.notices?.follow((raceIds) => readings.noticed(raceIds));
  return {
    clock,
    slewMs,
    betslipTemplates,
    isDoubtful: steps.isDoubtful,
    writtenSince: (sinceMs, nowMs, links) =>
      reads.boardWritten({ sinceMs, now: new Date(nowMs).toISOString(), bookmakers: CUSTOMERS.bookmakers, links }),
    follow: (selection, follower) => readings.follow(selection, follower),
  };
}

function readerOf(deps: BoardFeedDeps & Pick<ReadingDeps, 'slewMs'>, steps: ClockSteps): ReadBoard {
  const { reads, clock, now, slewMs, betslipTemplates = {} } = deps;
  // An unreadable link is not a deleted one.
  const betslip = createBetslipBoard(reads, betslipTemplates, noneWithoutDatabase);
  const boardPlace = async (): ReturnType<typeof reads.boardPlace> => {
    const beforeMs = performance.now();
    const place = await reads.boardPlace();
    steps.note(place.nowMs, beforeMs, performance.now());
    return place;
  };
  const own = { reads: { ...reads, boardPlace }, betslip, clock, now, slewMs, isDoubtful: steps.isDoubtful };
  return {
    whole: (last, of) => readWholeBoard(own, last, of).catch((error: Error) => error),
    // The next whole reading has what this one failed to read.
    anew: (last, raceIds) => readRacesAnew(own, last, raceIds).catch(() => null),
  };
}

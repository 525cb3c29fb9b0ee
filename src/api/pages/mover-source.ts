// The source of the page of movers: those of the operation's defaults, over the books that customers may see.
import type { Reads } from '../../store/reads/reads';
import type { MoverSource } from '../../web/movers/movers';
import { windowOf } from '../kernel/endpoint/board-window';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { findMovers } from '../operations/movements/found-movers';
import { boardFactsOf } from './shown/board-facts';
import { titleOfRow } from './shown/visible-race';

const CAPTURE_HOURS = 1;
const FILTERS = { direction: undefined, minMovePct: 10, minBooks: 3, limit: 100 } as const;

export const createMoverSource = (reads: Pick<Reads, 'board' | 'capturedPrices'>): MoverSource => ({
  async movers(nowMs) {
    const races = { ...windowOf(CAPTURE_HOURS, nowMs), includeUnresolved: true, bookmakers: CUSTOMERS.compared };
    const { found, outageMs, current } = await findMovers(reads, races, FILTERS, nowMs);
    const movers = found.map(({ race, runner, move }) => ({
      race: titleOfRow(race),
      // The board has only races that have neither jumped nor left it.
      facts: boardFactsOf({ ...race, jumped_at: null, left_board_at: null }),
      number: runner.number,
      runner: runner.name,
      open: move.open,
      current: move.current,
      movePct: move.movePct,
      direction: move.direction,
      firming: move.firming,
      drifting: move.drifting,
      counted: move.withHistory,
    }));
    return { atMs: nowMs - (outageMs ?? 0), current, movers };
  },
});

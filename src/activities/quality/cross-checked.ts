// The standing cross-check of a sport: the stored prices of all its races within a day, and each bookmaker's usual
// distance from the others.
import type { Finding } from '../../domain/quality/audit';
import type { BookLevel } from '../../domain/quality/book-level';
import { type CheckedRace, type CrossFinding, crossCheck } from '../../domain/quality/cross-check';
import { servedOf } from '../../domain/quality/served';
import { categoryOf, type RacingSport } from '../../domain/race/sport';
import { aetDay } from '../../domain/time/aet';
import type { BoardRace } from '../../store/reads/races/board';
import type { AuditDeps } from './audit-run';
import { SERVED_BOOKS } from './served-race';

const AHEAD_MS = 24 * 3_600_000;
/** Every race of a day. */
const MOST_RACES = 1000;

interface CrossChecked {
  readonly findings: readonly Finding[];
  readonly levels: ReadonlyMap<string, BookLevel>;
}

export async function crossChecked(deps: AuditDeps, sportKey: RacingSport): Promise<CrossChecked> {
  const nowMs = deps.now();
  const at = new Date(nowMs).toISOString();
  const until = new Date(nowMs + AHEAD_MS).toISOString();
  const [races, levels] = await Promise.all([
    deps.boardReads.board({
      at,
      from: at,
      until,
      categories: [categoryOf(sportKey)],
      includeUnresolved: true,
      bookmakers: SERVED_BOOKS,
      limit: MOST_RACES,
    }),
    deps.stores.audits.levels(sportKey),
  ]);
  const checked = crossCheck(
    races.map((race) => checkedRace(race, nowMs)),
    levels,
  );
  const event = { key: [sportKey, 'all races', aetDay(nowMs)], eventId: null } as const;
  return { levels: checked.levels, findings: checked.findings.map((one) => crossFindingOf(one, event)) };
}

function checkedRace(race: BoardRace, nowMs: number): CheckedRace {
  const { runners, books } = servedOf(race, nowMs);
  return { running: runners.map(({ number }) => number), books: [...books.values()] };
}

export const crossFindingOf = (found: CrossFinding, event: Finding['event']): Finding => ({
  ...found,
  race: null,
  event,
  status: 'cross_check',
  api: [],
  source: {},
});

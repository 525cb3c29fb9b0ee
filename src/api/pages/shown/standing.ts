// Races in any state as their pages show them: after the jump, recorded or not, with their prices and the ages of these
// as of the jump, while they are on the board, and afterwards until they are archived. What several races need is read
// together: a few statements, however many races there are.
import type { CapturedPrices } from '../../../domain/market/intelligence/captured';
import { boardJumpMs, boardState } from '../../../domain/race/board-state';
import type { LiveReads } from '../../../store/reads/live-board';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { Reads } from '../../../store/reads/reads';
import type { VisibleRace } from '../../../web/board/source';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { atJump, capturedBefore, polledSince } from './at-jump';
import { visibleRaceOf } from './visible-race';

export interface StandingDeps {
  readonly reads: Pick<Reads, 'capturedPrices'>;
  readonly liveReads: Pick<LiveReads, 'placesBefore' | 'pollsBefore'>;
  /** Of these races, those that are archived. */
  archived(raceIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Jumped {
  readonly race: LiveRace;
  readonly jumpedMs: number;
  readonly isOver: boolean;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** In the order of `races`. */
export async function standingRaces(
  deps: StandingDeps,
  races: readonly LiveRace[],
  nowMs: number,
): Promise<readonly VisibleRace[]> {
  const jumped = races.flatMap((race) => {
    const state = boardState(race, nowMs);
    if (race.status === 'abandoned' || state === 'ahead') return [];
    const jumpedMs = boardJumpMs(race);
    return [{ race: { ...race, jumped_at: iso(jumpedMs) }, jumpedMs, isOver: state === 'over' }];
  });
  const over = jumped.filter(({ isOver }) => isOver).map(({ race }) => race.race_id);
  const archived = over.length === 0 ? NONE : await deps.archived(over);
  const stood = await atJumps(
    deps,
    jumped.filter(({ race }) => !archived.has(race.race_id)),
  );
  const found = new Map(
    jumped.map(({ race, jumpedMs, isOver }) => {
      const standing = stood.get(race.race_id);
      const shown = standing
        ? visibleRaceOf(standing, Math.min(nowMs, jumpedMs), !isOver, true)
        : visibleRaceOf(race, nowMs);
      return [race.race_id, shown];
    }),
  );
  return races.map((race) => found.get(race.race_id) ?? visibleRaceOf(race, nowMs));
}

const NONE: ReadonlySet<string> = new Set();

async function atJumps(deps: StandingDeps, jumped: readonly Jumped[]): Promise<ReadonlyMap<string, LiveRace>> {
  if (jumped.length === 0) return new Map();
  const { placesBefore, pollsBefore } = deps.liveReads;
  const jumps = jumped.flatMap(({ race, jumpedMs }) => {
    const bookmakers = polledSince(race, jumpedMs);
    return bookmakers.length === 0 ? [] : [{ raceId: race.race_id, bookmakers, at: iso(jumpedMs) }];
  });
  const [captured, places, polls] = await Promise.all([
    capturedOf(
      deps.reads,
      jumped.map(({ race, jumpedMs }) => ({ raceId: race.race_id, startMs: race.startMs, jumpedMs })),
    ),
    jumps.length === 0 ? [] : placesBefore(jumps),
    jumps.length === 0 ? [] : pollsBefore(jumps),
  ]);
  const of = <T extends { readonly raceId: string }>(rows: readonly T[], id: string) =>
    rows.filter(({ raceId }) => raceId === id);
  return new Map(
    jumped.map(({ race, jumpedMs }) => {
      const id = race.race_id;
      const before = { captured: captured(id), places: of(places, id), polls: of(polls, id) };
      return [id, atJump(race, before, jumpedMs)];
    }),
  );
}

type Capturing = Pick<VisibleRace, 'raceId' | 'startMs' | 'jumpedMs'>;

/** Win prices of the books that may be compared, up to the jump of each race. One statement. */
export async function capturedOf(
  reads: Pick<Reads, 'capturedPrices'>,
  races: readonly Capturing[],
): Promise<(raceId: string) => readonly CapturedPrices[]> {
  if (races.length === 0) return () => [];
  const raceIds = races.map(({ raceId }) => raceId);
  const from = captureBound(races.map(({ startMs }) => startMs));
  const rows = Map.groupBy(
    await reads.capturedPrices({ raceIds, bookmakers: CUSTOMERS.compared, from }),
    ({ raceId }) => raceId,
  );
  const jumps = new Map(races.map(({ raceId, jumpedMs }) => [raceId, jumpedMs]));
  return (raceId) => {
    const jumpedMs = jumps.get(raceId) ?? null;
    const all = rows.get(raceId) ?? [];
    return jumpedMs === null ? all : capturedBefore(all, jumpedMs);
  };
}

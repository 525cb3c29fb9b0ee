// The hourly pass (D43): archives every past race whose rows are missing or older than its facts. A race that fails is logged and left for the
// next pass; the others go on.
import { type ArchiveDeps, archiveRace } from './archive-race';

export interface ArchivePassReport {
  readonly archived: number;
  readonly failed: number;
}

const DAY_MS = 24 * 3_600_000;
/** Facts of races of these days are compared, day by day: as long as ticks stand, and a little longer. Race time. */
const DAYS = 50;
/** Facts of older races are compared only if their result was written since. */
const LATELY_MS = 3 * DAY_MS;
const AT_ONCE = 500;
/** Races under way at once: one computes while the database works on another. */
const LANES = 3;

/** `alive` is called after every race and every day. */
export async function archivePast(deps: ArchiveDeps, alive: () => void = () => undefined): Promise<ArchivePassReport> {
  const pass = new Pass(deps, alive);
  const { archive } = deps.stores;
  while (await pass.take(await archive.missing(AT_ONCE + pass.failed)));
  const nowMs = deps.now();
  const instant = (ms: number): string => new Date(ms).toISOString();
  for (let day = 0; day < DAYS; day++) {
    const untilMs = nowMs - day * DAY_MS;
    await pass.take(await archive.outdated({ startedFrom: instant(untilMs - DAY_MS), startedUntil: instant(untilMs) }));
    alive();
  }
  const old = { startedBefore: instant(nowMs - DAYS * DAY_MS), resultedSince: instant(nowMs - LATELY_MS) };
  await pass.take(await archive.outdated(old));
  return { archived: pass.archived, failed: pass.failed };
}

class Pass {
  archived = 0;
  failed = 0;
  private readonly tried = new Set<string>();

  constructor(
    private readonly deps: ArchiveDeps,
    private readonly alive: () => void,
  ) {}

  /** False: none of them is new. */
  async take(raceIds: readonly string[]): Promise<boolean> {
    const queue = raceIds.filter((id) => !this.tried.has(id));
    const found = queue.length > 0;
    const lane = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) await this.archive(id);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return found;
  }

  private async archive(raceId: string): Promise<void> {
    this.tried.add(raceId);
    try {
      if (await archiveRace(this.deps, raceId)) this.archived += 1;
    } catch (err) {
      this.failed += 1;
      this.deps.log.warn({ err, raceId }, 'a race could not be archived: the next pass tries again');
    }
    this.alive();
  }
}

// The hourly pass (D43): archives every past race whose rows are missing or older than its facts, however old it is. A
// race that fails is logged and left for the next pass; the others continue.
import { instantNow } from '../deps';
import { type ArchiveDeps, archiveRace } from './archive-race';

export interface ArchivePassReport {
  readonly archived: number;
  readonly failed: number;
}

/** Races compared per pass, in addition to the marked ones: three years of races in a week. */
const AUDITED = 2000;
const AT_ONCE = 500;
/** Races in progress at once: one computes while the database works on another. */
const LANES = 3;

/** `alive` is called after every race. */
export async function archivePast(deps: ArchiveDeps, alive: () => void = () => undefined): Promise<ArchivePassReport> {
  const pass = new Pass(deps, alive);
  const { archive } = deps.stores;
  await archive.leaveBehind(instantNow(deps));
  await archive.audit(AUDITED);
  alive();
  while (await pass.take(await archive.due(AT_ONCE + pass.failed)));
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

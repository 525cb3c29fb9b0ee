// Archives one past race (D43). Idempotent: the workflow's call only anticipates the hourly pass.
import { type ActivityDeps, instantNow } from '../deps';

export type ArchiveDeps = Pick<ActivityDeps, 'now' | 'log'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'archive'>;
};

/**
 * Whether rows were written. `rewrite`: from the same facts too. A race archived with another jump before is logged,
 * because customers may have read its rows.
 */
export async function archiveRace(
  deps: ArchiveDeps,
  raceId: string,
  how: 'archive' | 'rewrite' = 'archive',
): Promise<boolean> {
  const { verdict, jumpWas, jumpAt } = await deps.stores.archive[how](raceId, instantNow(deps));
  if (jumpWas !== null)
    deps.log.warn({ raceId, jumpWas, jumpAt }, 'the archive of a race was replaced: its jump moved');
  else if (verdict === 'replaced') deps.log.info({ raceId }, 'the archive of a race was brought up to date');
  return verdict !== 'same' && verdict !== 'not_past';
}

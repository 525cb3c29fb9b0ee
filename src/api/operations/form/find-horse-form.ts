// A horse's form (B 2.5, B 4.5): the stored page, which is read again first if it is due. Without the registry the
// stored page is served as stale, otherwise the service's own runs; with neither the request is refused and free. Never
// calls the registry itself.
import { type AnimalQuery, animalQuery } from '../../../domain/form/animal';
import { formNeed } from '../../../domain/form/freshness';
import { type Horse, isHorseRef } from '../../../domain/form/horse';
import { formOfPage, formOfResults, type ServedForm } from '../../../domain/form/served-form';
import { doorAt } from '../../../domain/registry/door';
import { REGISTRY } from '../../../domain/registry/registry';
import { type RaceClock, toWallDelayMs } from '../../../domain/time/clock';
import { AppError, ExpectedRefusal } from '../../../errors';
import type { StoredForm } from '../../../store/forms';
import type { Reads } from '../../../store/reads/reads';
import type { FormRead } from '../../../workflows/contract';
import type { FormReader } from './form-reader';

export interface FormServices {
  readonly reads: Pick<Reads, 'horses' | 'formOf' | 'animalRuns' | 'registryDoor'>;
  readonly formReader: FormReader;
  readonly clock: RaceClock;
}

/** Wall (D49). */
const READ_WITHIN_MS = 8000;
const RETRY_AFTER_MS = 60_000;

export async function horseForm(deps: FormServices, text: string, nowMs: number): Promise<ServedForm> {
  const query = animalQuery(text, 'horse');
  if (query === null || ('ref' in query && !isHorseRef(query.ref))) throw unknownHorse();
  const { horse, page } = await find(deps, query);
  if (horse === null && 'key' in query) throw unknownHorse();
  if (page !== null && needOf(page, nowMs) === 'serve') return formOfPage(page, false);
  const ref = 'ref' in query ? query.ref : (horse?.ref ?? null);
  const read = ref === null ? null : await readPage(deps, ref, nowMs);
  if (read?.kind === 'stored') {
    const { page: fresh } = await find(deps, query);
    if (fresh !== null) return formOfPage(fresh, false);
  }
  if (page !== null) return formOfPage(page, true);
  const own = horse && formOfResults(horse, await deps.reads.animalRuns('horse', { key: horse.key }));
  if (own) return own;
  // The registry may answer an unknown code without a 404.
  if (horse === null && read?.kind === 'unreadable') throw unknownCode();
  throw refusalOf(read);
}

/**
 * A code that no feed has reported yet may still open a page: placegetters' codes are printed on other horses' pages.
 */
async function find(
  { reads }: FormServices,
  query: AnimalQuery,
): Promise<{ readonly horse: Horse | null; readonly page: StoredForm | null }> {
  const horse = (await reads.horses([query]))[0] ?? null;
  return { horse, page: horse && (await reads.formOf(horse)) };
}

const needOf = ({ fetchedAt, startedSinceRead }: StoredForm, nowMs: number): 'serve' | 'read' =>
  formNeed({ fetchedAtMs: Date.parse(fetchedAt), nowMs, startedSinceRead });

/** Behind a closed door no request waits for a turn. */
async function readPage({ reads, formReader, clock }: FormServices, ref: string, nowMs: number): Promise<FormRead> {
  const door = doorAt(await reads.registryDoor(REGISTRY), nowMs);
  if (door.state === 'ok') return formReader.read(ref.slice('ra:'.length), READ_WITHIN_MS);
  const retryAfterMs = door.retryInMs === null ? RETRY_AFTER_MS : toWallDelayMs(clock, door.retryInMs);
  return { kind: 'away', retryAfterMs };
}

const unknownHorse = (): AppError =>
  new AppError(
    'not_found',
    'No horse was found. Names are searched in acceptances, collected results and stored form pages.',
  );

const unknownCode = (): AppError =>
  new AppError('not_found', 'No feed has reported this code, and the registry’s page of it is not that of a horse.');

/** `read` null: the horse has no code. */
function refusalOf(read: FormRead | null): AppError {
  if (read === null || read.kind === 'absent')
    return new AppError('not_found', 'The registry has no form page of this horse, and no run of it is stored.');
  if (read.kind !== 'away')
    return new ExpectedRefusal('upstream_failure', 'The registry’s page of this horse could not be read.');
  return new ExpectedRefusal(
    'unavailable',
    'The registry’s page cannot be read now, and nothing is stored of this horse.',
    {
      retry_after_seconds: Math.max(1, Math.ceil(read.retryAfterMs / 1000)),
    },
  );
}

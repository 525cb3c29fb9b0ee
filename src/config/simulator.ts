// The faults with which the simulator starts, where it pushes, and with which keys.
import { SPORT_BOOKS } from '../domain/bookmakers';
import { ConfigError, type Environment, trimSlash } from './environment';

/** Where the simulator pushes the races of the push-fed books, and matches; null: nowhere. */
export interface PushTarget {
  readonly url: string;
  /** By bookmaker key. A book without one is not pushed. */
  readonly keys: Readonly<Record<string, string>>;
}

export function pushOf({ SIMULATOR_PUSH_URL: target, SIMULATOR_PUSH_KEY: key }: Environment): PushTarget | null {
  if (target === undefined && key === undefined) return null;
  if (target === undefined || key === undefined)
    throw new ConfigError('SIMULATOR_PUSH_URL and SIMULATOR_PUSH_KEY go together');
  return { url: trimSlash(target), keys: pushKeysOf(key) };
}

/** `boostbet:pe_live_…,betgold:pe_live_…`, or one internal key for every book that is pushed. */
function pushKeysOf(list: string): Record<string, string> {
  if (!list.includes(':')) return Object.fromEntries(SPORT_BOOKS.map((book) => [book, list]));
  const keys = list.split(',').map((each) => each.split(':'));
  for (const [book = ''] of keys) {
    if (!SPORT_BOOKS.includes(book))
      throw new ConfigError(`SIMULATOR_PUSH_KEY has '${book}'; books are ${SPORT_BOOKS.join(', ')}`);
  }
  return Object.fromEntries(keys);
}

/** `rate_limited:sportsbet,venue_respelt`: the simulator checks the names of the scenarios. */
export function faultsOf(list: string): { scenario: string; book: string | null }[] {
  const faults = list.split(',').filter((each) => each !== '');
  return faults.map((each) => {
    const [scenario = '', book = null] = each.split(':');
    return { scenario, book };
  });
}

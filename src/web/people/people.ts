// The pages of jockeys, drivers and trainers. Many viewers cost one read: values are cached for some seconds. People
// who share a name are never added up.
import { boardState } from '../../domain/race/board-state';
import { isPersonCode, isPersonKey, type PersonRole, personKey } from '../../domain/race/person';
import { bestNow } from '../board/course/best-now';
import { timedCache } from '../board/timed-cache';
import type {
  AttributedRuns,
  KnownPerson,
  PersonAddress,
  PersonSource,
  PersonView,
  PremiershipPlace,
  RideOfPerson,
  StoredPerson,
} from './model';

export interface People {
  /** Null: no person of this role is on any card, in any stored run or in the standings under this name or code. */
  person(role: PersonRole, text: string): Promise<PersonView | null>;
}

/** Race time. */
const CACHED_MS = 2000;
const PEOPLE_CACHED = 200;
const STANDINGS_CACHED_MS = 60_000;
const MOST_COMING = 120;
const MOST_DONE = 60;
const MOST_RUNS = 50;

export function createPeople({ source, now }: { readonly source: PersonSource; now(): number }): People {
  const views = timedCache<PersonView | null>(CACHED_MS, PEOPLE_CACHED);
  const tables = timedCache<readonly PremiershipPlace[]>(STANDINGS_CACHED_MS, 2);

  async function read(role: PersonRole, address: PersonAddress, nowMs: number): Promise<PersonView | null> {
    const [stored, standings] = await Promise.all([
      source.person(role, address, nowMs),
      tables.get(role, nowMs, () => source.standings(role, nowMs)),
    ]);
    return stored && viewOf(role, address, stored, standings.value, nowMs);
  }

  return {
    async person(role, text) {
      const address = addressOf(text);
      if (address === null) return null;
      const nowMs = now();
      return (await views.get(`${role}/${text}`, nowMs, () => read(role, address, nowMs))).value;
    },
  };
}

/** A name has one address: another spelling of its key has no page. */
function addressOf(text: string): PersonAddress | null {
  if (isPersonCode(text)) return { code: text };
  return isPersonKey(text) ? { key: text } : null;
}

function viewOf(
  role: PersonRole,
  address: PersonAddress,
  { rides, onBoard, earlier, runs, attributed, record }: StoredPerson,
  tables: readonly PremiershipPlace[],
  nowMs: number,
): PersonView | null {
  const seen = [...rides, ...attributed, ...earlier];
  const standings = tables.filter((row) => isOf(row, address) && mayStandFor(seen, row));
  const known = knownOf([...seen, ...standings.map((row) => ({ code: row.code, printed: row.name }))]);
  const name = rides[0]?.printed ?? runs[0]?.printed ?? standings[0]?.name ?? earlier[0]?.printed;
  if (name === undefined) return null;
  const best = bestNow(onBoard, nowMs);
  const coming = [...rides, ...earlier].filter((ride) => isComing(ride, nowMs)).sort(byStart);
  return {
    ...{ role, address, name, known, standings },
    coming: coming.slice(0, MOST_COMING).map((ride) => ({ ...ride, best: isAbandoned(ride) ? null : best(ride) })),
    done: rides.filter((ride) => !isComing(ride, nowMs)).slice(0, MOST_DONE),
    earlier: earlier.filter((ride) => !isComing(ride, nowMs)).slice(0, MOST_DONE),
    runs: runs.slice(0, MOST_RUNS),
    record: 'code' in address || areOfOne(attributed, known) ? record : null,
  };
}

const byStart = (a: RideOfPerson, b: RideOfPerson): number =>
  a.race.startMs - b.race.startMs ||
  (a.race.raceId < b.race.raceId ? -1 : Number(a.race.raceId > b.race.raceId)) ||
  a.number - b.number;

export const isAbandoned = ({ facts, resultStatus }: Pick<RideOfPerson, 'facts' | 'resultStatus'>): boolean =>
  facts.status === 'abandoned' || resultStatus === 'abandoned';

const isComing = (ride: RideOfPerson, nowMs: number): boolean =>
  isAbandoned(ride) ? ride.race.startMs > nowMs : boardState(ride.facts, nowMs) === 'ahead';

/** A premiership is of a person that the rides and runs have; without any of these the name is all there is. */
const mayStandFor = (seen: readonly { readonly code: string | null }[], { code }: PremiershipPlace): boolean =>
  seen.length === 0 || (code !== null && seen.some((one) => one.code === code));

/**
 * Whether starts under a name may be added up: all of one code of racing and attributed to one person, or all to no
 * person while the registry has none of the name.
 */
function areOfOne(attributed: readonly AttributedRuns[], known: readonly KnownPerson[]): boolean {
  const [first, ...others] = attributed.filter(({ started }) => started);
  return first !== undefined && others.length === 0 && known.every(({ code }) => code === first.code);
}

const isOf = ({ name, code }: PremiershipPlace, address: PersonAddress): boolean =>
  'code' in address ? code === address.code : personKey(name) === address.key;

/** Each person of the registry once, under the newest spelling. */
function knownOf(seen: readonly { readonly code: string | null; readonly printed: string }[]): KnownPerson[] {
  const known = new Map<string, KnownPerson>();
  for (const { code, printed } of seen) if (code !== null && !known.has(code)) known.set(code, { code, name: printed });
  return [...known.values()];
}

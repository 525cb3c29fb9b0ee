// The source of the pages of jockeys, drivers and trainers, over the store. Prices are of the books that customers may
// see; details of international runners are not read (A 1).
import { runStats } from '../../domain/form/run-stats';
import { onceEach } from '../../domain/form/stored-run';
import type { PersonRole } from '../../domain/race/person';
import { seasonOf } from '../../domain/registry/premiership';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import type { PersonRide, PersonRun } from '../../store/reads/people/rides';
import type { Reads } from '../../store/reads/reads';
import type {
  AttributedRuns,
  PersonAddress,
  PersonSource,
  RideOfPerson,
  RunOfPerson,
  StoredPerson,
} from '../../web/people/model';
import { boardFactsOf } from './shown/board-facts';
import { racesAhead } from './shown/races-ahead';
import { titleOfRow } from './shown/visible-race';

type Store = Pick<Reads, 'people' | 'runPrices' | 'premierships'>;

const DAYS_BACK = 7;
/** As far as cards reach. */
const DAYS_AHEAD = 7;
const MOST_RUNS_SHOWN = 50;

const iso = (ms: number): string => new Date(ms).toISOString();

export const createPersonSource = (reads: Store): PersonSource => ({
  person: async (role, address, nowMs) => {
    const keys = 'key' in address ? [address.key] : await reads.people.namesOf(role, address.code);
    return keys.length === 0 ? null : personOf(reads, role, { address, keys }, nowMs);
  },
  async standings(role, nowMs) {
    const seasonStartYear = seasonOf(aetDay(nowMs));
    const season = { role: role === 'rider' ? 'jockey' : role, seasonStartYear } as const;
    const tables = await reads.premierships({ ...season, state: null, scope: null, name: null });
    return tables.flatMap(({ state, scope, period_from: from, period_to: to, rows }) =>
      rows.map(({ name, code, rank, firsts, starts, strike_rate: strikeRate }) => ({
        ...{ name, code, state, scope, rank, firsts, starts, strikeRate, from, to },
      })),
    );
  },
});

interface Named {
  readonly address: PersonAddress;
  readonly keys: readonly string[];
}

async function personOf(
  reads: Store,
  role: PersonRole,
  { address, keys }: Named,
  nowMs: number,
): Promise<StoredPerson> {
  const today = aetDay(nowMs);
  const from = iso(aetDayBounds(addDays(today, -DAYS_BACK)).startMs);
  const until = iso(aetDayBounds(addDays(today, DAYS_AHEAD)).endMs);
  const query = { role, keys, code: 'code' in address ? address.code : null };
  const [rides, stored] = await Promise.all([reads.people.rides({ ...query, from, until }), reads.people.runs(query)]);
  const all = onceEach(stored) as readonly PersonRun[];
  const earlier = rides.length + all.length === 0 ? await reads.people.anyRides(query) : [];
  // By the runner: a number may change between the card and the result.
  const onCards = new Set(rides.map(({ race_id, runner_key }) => `${race_id} ${runner_key}`));
  const isRide = ({ race_id, runner_key }: PersonRun) => onCards.has(`${race_id} ${runner_key}`);
  const runs = all.filter((run) => run.start_time < from || !isRide(run)).slice(0, MOST_RUNS_SHOWN);
  const prices = await pricesOf(reads, [...rides, ...earlier, ...runs]);
  const started = all.filter(({ status }) => status === 'ran');
  const since = started.at(-1)?.meeting_date;
  return {
    rides: rides.map((ride) => rideOf(ride, prices(ride.race_id, ride.number))),
    earlier: earlier.map((ride) => rideOf(ride, prices(ride.race_id, ride.number))),
    onBoard: await racesAhead(reads, [...rides, ...earlier], nowMs),
    runs: runs.map((run) => runOf(run, role, prices(run.race_id, run.number))),
    attributed: attributedOf(all, role),
    record: since === undefined ? null : { ...runStats(started), since },
  };
}

/** Of every run, shown or not, each code of racing and of the person once, as the newest run prints the name. */
function attributedOf(runs: readonly PersonRun[], role: PersonRole): readonly AttributedRuns[] {
  const found = new Map<string, AttributedRuns>();
  for (const run of runs) {
    const { category, code, status } = run;
    const key = `${category} ${code}`;
    const { printed, started } = found.get(key) ?? { printed: printedOf(run, role), started: false };
    found.set(key, { category, code, printed, started: started || status === 'ran' });
  }
  return [...found.values()];
}

const printedOf = ({ jockey, trainer }: PersonRun, role: PersonRole): string =>
  (role === 'rider' ? jockey : trainer) ?? '';

type Priced = Pick<PersonRun, 'race_id' | 'number' | 'runner_key'>;

async function pricesOf(reads: Store, of: readonly Priced[]) {
  const asked = of.flatMap(({ race_id, number, runner_key }) =>
    race_id === null ? [] : { race_id, number, runner_key },
  );
  const rows = await reads.runPrices(asked);
  const found = new Map(rows.map(({ raceId, number, consensus }) => [`${raceId} ${number}`, consensus]));
  return (raceId: string | null, number: number) => found.get(`${raceId} ${number}`) ?? [];
}

const rideOf = (row: PersonRide, prices: readonly (number | null)[]): RideOfPerson => ({
  race: titleOfRow(row),
  facts: boardFactsOf(row),
  number: row.number,
  runner: row.runner,
  scratched: row.scratched,
  printed: row.printed,
  code: row.code,
  resultStatus: row.result_status,
  position: row.position,
  prices,
});

/** Without what only operations show. */
function runOf(run: PersonRun, role: PersonRole, prices: readonly (number | null)[]): RunOfPerson {
  const { race_id, meeting_date, venue, race_number, category, name, number, distance_m, track_condition } = run;
  const { status, position, field_size, abnormal, sp, code } = run;
  const printed = printedOf(run, role);
  return {
    ...{ race_id, meeting_date, venue, race_number, category, name, number, distance_m, track_condition },
    ...{ status, position, field_size, abnormal, sp, code, printed, prices },
  };
}

// A 3 "Result field coverage" for any order of events: a race's row, what is served of it and the workflow's own writes
// agree, and the state never goes back.
import fc from 'fast-check';
import { settleCoverage } from '../../../src/activities/full-field/settle-coverage';
import { type FieldState, fieldStateOf } from '../../../src/domain/results/field-coverage';
import { runs } from '../../support/property';
import { placedRace } from '../../support/races/builders';
import {
  DAY,
  FIELD,
  HOUR,
  hoursAfter,
  openPublishedLab,
  type PublishedLab,
  publishedMeeting,
  publishedRace,
  START,
} from '../published';
import { RaceWithoutServer } from '../race-without-server';

let lab: PublishedLab;
beforeAll(async () => {
  lab = await openPublishedLab();
});
afterAll(() => lab.close());

const now = () => new Date(lab.clock.nowMs).toISOString();
const TABLES = ['race_results', 'race_book_results', 'published_races', 'published_meetings', 'published_lists'];

interface Row {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly placings_key: string;
  readonly protest: boolean;
  readonly field_status: FieldState['status'];
  readonly field_source: FieldState['source'];
  readonly field_note: string | null;
  readonly field_expected_at: string | null;
}

type Facts = Parameters<typeof fieldStateOf>[0];

/** What `results` and `results/coverage` now serve of it (A 2.12). */
async function servedNow(raceId: string): Promise<FieldState | null> {
  const [facts] = await lab.query<Facts>(
    `SELECT r.category, r.country, x.status AS "resultStatus", x.runners IS NOT NULL AS "hasRunners", r.start_time AS "startTime",
            x.field_last_pass_at AS "lastPassAt", x.field_status = 'complete' AND x.field_note IS NOT NULL AS contradicted
       FROM races r JOIN race_results x USING (race_id) WHERE race_id = $1`,
    [raceId],
  );
  return facts ? fieldStateOf({ ...facts, now: now() }) : null;
}

const RANK = ['unsupported', 'pending', 'overdue', 'unavailable', 'complete'];

/** One life of the result: from its first row until the race is abandoned or reinstated. */
class Progress {
  private reached = new Map<string, number>();

  constructor(private readonly raceId: string) {}

  readonly look = async (): Promise<void> => {
    const row = (await lab.row(this.raceId)) as Row | undefined;
    if (!row || row.status === 'abandoned') this.reached.clear();
    if (!row) return;
    this.forward('row', row.field_status);
    this.forward('served', (await servedNow(this.raceId))!.status);
  };

  private forward(what: string, status: string): void {
    if (status === 'not_applicable') return;
    const rank = RANK.indexOf(status);
    expect([what, status, rank >= (this.reached.get(what) ?? 0)]).toEqual([what, status, true]);
    this.reached.set(what, rank);
  }
}

const ORDERS = { first: [1, 2, 3], other: [2, 1, 3] } as const;

/** Everything that a step may change. */
interface World {
  readonly raceId: string;
  readonly venue: string;
  readonly flow: RaceWithoutServer;
  startMs: number;
}

/** A book lists the race again. */
async function list({ raceId, venue, startMs, flow }: World, country: string | null): Promise<void> {
  const startTime = new Date(startMs).toISOString();
  const race = placedRace({ venue, category: 'horse', country, startTime, meetingDate: DAY }, raceId);
  const [change] = await lab.deps.stores.races.saveCard('ladbrokes_au', [race], now());
  const { startTime: start, startVersion: version } = change!;
  await flow.report({ type: 'startMoved', start, version });
}

async function result({ raceId, flow }: World, order: keyof typeof ORDERS): Promise<void> {
  await lab.result(raceId, ORDERS[order], {}, now());
  const row = (await lab.row(raceId)) as unknown as Row;
  if (row.status !== 'interim') return;
  await flow.report({ type: 'resultSeen', stage: 'interim', placingsKey: row.placings_key, protest: row.protest });
}

const MOVES = {
  tick: ({ flow }: World) => flow.report({ type: 'tick' }),
  settle: () => settleCoverage(lab.deps, lab.collector),
  region: () => lab.collect(),
  lose: async ({ flow }: World) => flow.lose(),
  takeUp: ({ flow }: World) => flow.takeUp(),
  result: (world: World) => result(world, 'first'),
  otherResult: (world: World) => result(world, 'other'),
  publish: async ({ venue }: World) => lab.publish(publishedMeeting({ venue, races: [publishedRace()] })),
  fill: async ({ raceId }: World) => {
    const fill = lab.deps.stores.results.fillField(raceId, FIELD, 'racing_australia', now());
    await fill.catch((error: Error) => expect(error.message).toMatch(/takes no field/));
  },
  abandon: ({ flow }: World) => flow.report({ type: 'abandoned', note: 'abandoned' }),
  reinstate: ({ flow }: World) => flow.report({ type: 'reinstated' }),
  override: async ({ raceId, flow }: World) => {
    const row = (await lab.row(raceId)) as unknown as Row | undefined;
    if (!row || row.status === 'abandoned') return;
    const placings = ORDERS.other.map((number, i) => ({ position: i + 1, number, name: null }));
    const { placingsKey } = await lab.deps.stores.results.override(raceId, placings, null, now());
    await lab.collector.applyPublished(raceId);
    await flow.report({ type: 'overridden', placingsKey });
  },
  country: (world: World) => list(world, 'AU'),
  nextDay: (world: World) => {
    world.startMs += 24 * HOUR;
    return list(world, null);
  },
  setBack: async ({ flow }: World, n: number) => flow.setBack(n),
} satisfies Record<string, (world: World, n: number) => Promise<unknown>>;

type Move = keyof typeof MOVES;

const move = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Move>('tick') },
  { weight: 3, arbitrary: fc.constant<Move>('settle') },
  { weight: 3, arbitrary: fc.constantFrom<Move>('lose', 'takeUp', 'region', 'result') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Move>('abandon', 'reinstate', 'override', 'otherResult', 'country', 'nextDay'),
  },
  { weight: 1, arbitrary: fc.constantFrom<Move>('publish', 'fill', 'setBack') },
);
const scene = fc.record({ hours: fc.integer({ min: 0, max: 30 }), move, n: fc.nat(20) });
const script = fc.array(scene, { minLength: 3, maxLength: 16 });

let races = 0;

async function newWorld(country: string | null): Promise<World & { look: () => Promise<void> }> {
  races += 1;
  lab.clock.nowMs = hoursAfter(-1);
  lab.publish();
  const venue = `Track ${String.fromCharCode(97 + (races % 26))}${races}`;
  const { raceId } = await lab.race({ venue, country }, null);
  const { look } = new Progress(raceId);
  const flow = new RaceWithoutServer(lab, raceId, look);
  await flow.takeUp();
  lab.clock.nowMs = hoursAfter(0.1);
  return { raceId, venue, flow, startMs: Date.parse(START), look };
}

test('through lost and reset workflows, late reports, moves, abandonments, overrides and fills there is no step back, and after a run the row equals what is served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('AU', 'AU', null), fc.boolean(), script, async (country, lost, moves) => {
      const world = await newWorld(country);
      if (lost) world.flow.lose();
      await MOVES.result(world);
      for (const { hours, move, n } of moves) {
        lab.clock.nowMs += Math.round(hours * HOUR);
        await MOVES[move](world, n);
        await world.look();
      }
      await settleCoverage(lab.deps, lab.collector);
      await world.look();
      const row = (await lab.row(world.raceId)) as unknown as Row | undefined;
      const stored = row && {
        status: row.field_status,
        source: row.field_source,
        note: row.field_note,
        expectedAt: row.field_expected_at,
      };
      expect(stored ?? null).toEqual(await servedNow(world.raceId));
      // Each race runs separately against the database.
      for (const table of TABLES) await lab.query(`DELETE FROM ${table}`);
    }),
    { numRuns: runs(60) },
  );
});

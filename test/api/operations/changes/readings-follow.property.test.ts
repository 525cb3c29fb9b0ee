// Between two readings of the whole board only what was written is read. Whatever is written, however late it commits,
// whatever time alone brings or takes away, whatever reading fails and however the database's clock is set back: no
// reading lacks a write that is marked before it, goes back to an earlier version, or keeps a race that has left; and
// when nothing is open it has what a reading of the whole board has, ages apart, in the same order.
import fc from 'fast-check';
import { windowOf } from '../../../../src/api/kernel/endpoint/board-window';
import { createClockSteps } from '../../../../src/api/kernel/stream/clock-steps';
import { type BoardReading, ClockWentBack, readWholeBoard } from '../../../../src/api/operations/changes/board-reading';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { MAX_HORIZON_HOURS } from '../../../../src/plans/plans';
import type { BoardQuery, BoardRace } from '../../../../src/store/reads/races/board';
import type { BoardSinceQuery } from '../../../../src/store/reads/races/board-marks';
import { runs } from '../../../support/property';
import { boardRace } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-30T02:00:00.000Z');
const HORIZON_MS = MAX_HORIZON_HOURS * 3_600_000;
const SLEW_MS = 1000;
const RACES = 5;

type Step =
  /** A transaction that locks at once or later, and commits later still. */
  | { readonly kind: 'begin' | 'commit'; readonly race: number }
  | { readonly kind: 'lock'; readonly race: number; readonly what: 'price' | 'start' | 'off' | 'on' | 'delete' }
  | { readonly kind: 'poll' | 'link'; readonly race: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'back'; readonly ms: number }
  | { readonly kind: 'fail' };

const race = fc.nat(RACES - 1);
const what = fc.constantFrom('price', 'price', 'price', 'start', 'off', 'on', 'delete' as const);
/** Less than what is noticed, or more. */
const someMs = (max: number) => fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max }));
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('begin' as const), race }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('lock' as const), race, what }) as fc.Arbitrary<Step> },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commit' as const), race }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('poll' as const), race }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('link' as const), race }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: someMs(3000) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'fail' }) },
);
/** The clock of the database. */
const aStepBack = fc.record({ kind: fc.constant('back' as const), ms: someMs(2500) });

/** A row as a transaction leaves it; `version` is also its price. */
interface Row {
  readonly id: string;
  readonly startMs: number;
  readonly isOff: boolean;
  readonly version: number;
  readonly polledAtMs: number;
  readonly mark: number;
}

interface Writer {
  readonly beganMs: number;
  row: Row | 'deleted' | null;
}

const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

class Database {
  clockMs = NOW_MS;
  /** Never set back. */
  monotonicMs = 0;
  private version = 1;
  private readonly rows = new Map<string, Row>();
  private readonly writers = new Map<number, Writer>();
  /** When the betslip link of a race was written: its mark. */
  readonly links = new Map<string, number>();
  private isFailing = false;

  constructor() {
    // One that leaves, and one that comes, by time alone.
    const starts = [NOW_MS + 60_000, NOW_MS + 2000, NOW_MS + HORIZON_MS + 2000, NOW_MS + 90_000, NOW_MS + 120_000];
    for (const [n, startMs] of starts.entries())
      this.rows.set(idOf(n), { id: idOf(n), startMs, isOff: false, version: 1, polledAtMs: NOW_MS, mark: NOW_MS - 1 });
  }

  take(step: Step): void {
    this.tick();
    if (step.kind === 'pass') this.tick(step.ms);
    else if (step.kind === 'back') this.clockMs -= step.ms;
    else if (step.kind === 'fail') this.isFailing = true;
    else if (step.kind === 'poll') this.poll(idOf(step.race));
    else if (step.kind === 'link') this.links.set(idOf(step.race), this.clockMs);
    else if (step.kind === 'begin') this.writerOf(step.race);
    else if (step.kind === 'lock') this.lock(step.race, step.what);
    else this.commit(step.race);
  }

  settle(): void {
    for (let n = 0; n < RACES; n++) this.commit(n);
    this.isFailing = false;
  }

  failMaybe(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    throw new Error('the database is away');
  }

  /** Only writers that have a lock are seen. */
  place(): { readonly nowMs: number; readonly settledMs: number } {
    this.tick();
    const open = [...this.writers.values()].filter(({ row }) => row !== null).map(({ beganMs }) => beganMs);
    return { nowMs: this.clockMs, settledMs: Math.min(this.clockMs, ...open) };
  }

  /** The clock of races is our own and is not set back: here the monotonic one. */
  get raceMs(): number {
    return NOW_MS + this.monotonicMs;
  }

  shown({ until, at, raceIds }: Pick<BoardQuery, 'until' | 'at' | 'raceIds'>): readonly Row[] {
    const isShown = ({ id, startMs, isOff }: Row): boolean =>
      !isOff && startMs < Date.parse(until) && startMs > Date.parse(at) && (raceIds?.includes(id) ?? true);
    return [...this.rows.values()].filter(isShown).sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
  }

  committed(): readonly Row[] {
    return [...this.rows.values()];
  }

  private tick(ms = 1): void {
    this.clockMs += ms;
    this.monotonicMs += ms;
  }

  private poll(id: string): void {
    const row = this.rows.get(id);
    if (row) this.rows.set(id, { ...row, polledAtMs: this.raceMs });
  }

  private writerOf(n: number): Writer {
    const writer = this.writers.get(n) ?? { beganMs: this.clockMs, row: null };
    this.writers.set(n, writer);
    return writer;
  }

  private lock(n: number, what: Extract<Step, { kind: 'lock' }>['what']): void {
    const writer = this.writerOf(n);
    this.tick();
    const row = writer.row ?? this.rows.get(idOf(n));
    if (row === undefined || row === 'deleted') return;
    this.version++;
    const written = { ...row, version: this.version, mark: this.clockMs, polledAtMs: this.raceMs };
    if (what === 'delete') writer.row = 'deleted';
    else if (what === 'start') writer.row = { ...written, startMs: row.startMs + (this.version % 2 ? 3000 : -3000) };
    else writer.row = { ...written, isOff: what === 'price' ? row.isOff : what === 'off' };
  }

  private commit(n: number): void {
    const row = this.writers.get(n)?.row;
    this.writers.delete(n);
    if (row === 'deleted') this.rows.delete(idOf(n));
    else if (row) this.rows.set(idOf(n), row);
  }
}

const shared = new Map<string, BoardRace>();

/** Races that differ in ages only share all else, as those of the cached board do. */
function raceOf(row: Row): BoardRace {
  const key = `${row.id} ${row.startMs} ${row.version}`;
  const race = shared.get(key) ?? newRace(row);
  shared.set(key, race);
  return { ...race, books: race.books.map((book) => ({ ...book, polledAtMs: row.polledAtMs })) };
}

function newRace({ id, startMs, version, polledAtMs }: Row): BoardRace {
  const none = [null];
  const legs = { numbers: [1], win: [version], place: none, top2: none, top3: none, top4: none };
  const book = { bookmaker: 'tab', polledAtMs, sourceUrl: null, ...legs, tote: null };
  return boardRace({ race_id: id, startMs, books: [book] });
}

const versionOf = ({ books }: BoardRace): number => books[0]!.win[0]!;

/** Every look at the database happens after the next of some steps. */
class Lab {
  readonly db = new Database();
  private meanwhile: Step[] = [];
  private readonly steps = createClockSteps();
  last: BoardReading | null = null;
  private readonly deps = {
    reads: {
      boardPlace: async () => {
        const beforeMs = this.db.monotonicMs;
        this.look();
        const place = this.db.place();
        this.steps.note(place.nowMs, beforeMs, this.db.monotonicMs);
        return place;
      },
      boardSince: async (query: BoardSinceQuery) => {
        this.look();
        const rows = this.db.shown(query);
        const written = rows.filter(({ mark }) => mark >= query.sinceMs).map(({ id }) => id);
        const linked = [...this.db.links].filter(([, mark]) => query.links && mark >= query.sinceMs).map(([id]) => id);
        return { shown: rows.map(({ id }) => id).join(), written, linked };
      },
      board: async (query: BoardQuery) => {
        this.look();
        return this.db.shown(query).map(raceOf);
      },
      boardEnds: async () => [],
    },
    // All links as they were then.
    betslip: {
      linksOf: async () => {
        this.look();
        return new Map(this.db.links);
      },
    } as never,
    clock: REAL_TIME,
    now: () => this.db.raceMs,
    isDoubtful: this.steps.isDoubtful,
    slewMs: SLEW_MS,
  };

  /** Null: it failed, or the clock went back too far. */
  async read(meanwhile: readonly Step[], begins = false): Promise<BoardReading | null> {
    this.meanwhile = [...meanwhile];
    try {
      this.last = await readWholeBoard(this.deps, this.last, { withLinks: true, begins });
      return this.last;
    } catch (error) {
      if (error instanceof ClockWentBack) this.last = null;
      return null;
    } finally {
      for (const step of this.meanwhile) this.db.take(step);
    }
  }

  expectWhole(reading: BoardReading, withAges: boolean): void {
    const rows = this.db.shown(windowOf(MAX_HORIZON_HOURS, reading.nowMs));
    const facts = (race: BoardRace) => [race.race_id, race.startMs, versionOf(race)];
    expect([...reading.races.values()].map(facts)).toEqual(rows.map(raceOf).map(facts));
    for (const { id } of rows)
      expect((reading.links!.get(id) as unknown as Database['links']).get(id)).toBe(this.db.links.get(id));
    if (withAges) expect([...reading.races.values()]).toEqual(rows.map(raceOf));
  }

  private look(): void {
    const next = this.meanwhile.splice(0, 2);
    for (const step of next) this.db.take(step);
    this.db.failMaybe();
  }
}

const turns = (step: fc.Arbitrary<Step>) =>
  fc.array(
    fc.record({
      before: fc.array(step, { maxLength: 4 }),
      meanwhile: fc.array(step, { maxLength: 5 }),
      begins: fc.boolean(),
    }),
    { minLength: 3, maxLength: 12 },
  );

/** How often a reading followed another without reading the whole board. */
const counted = { all: 0, follow: 0 };

test('a reading that follows another lacks no write marked before it, and equals the whole board when nothing is open', async () => {
  await fc.assert(
    fc.asyncProperty(turns(aStep), async (turns) => {
      const lab = new Lab();
      for (const { before, meanwhile, begins } of turns) {
        for (const step of before) lab.db.take(step);
        const earlier = lab.last;
        const reading = await lab.read(meanwhile, begins);
        if (!reading) continue;
        counted.all++;
        if (earlier && !begins && !reading.reportsFreshness) counted.follow++;
        for (const { id, mark, version } of lab.db.committed()) {
          const race = reading.races.get(id);
          if (race && mark < reading.settledMs) expect(versionOf(race)).toBeGreaterThanOrEqual(version);
          const was = earlier?.races.get(id);
          if (race && was) expect(versionOf(race)).toBeGreaterThanOrEqual(versionOf(was));
        }
      }
      lab.db.settle();
      const reading = (await lab.read([]))!;
      lab.expectWhole(reading, reading.reportsFreshness);
      // A stream that begins has the freshness of every book.
      lab.expectWhole((await lab.read([], true))!, true);
    }),
    { numRuns: runs(2000) },
  );
  expect(counted.follow / counted.all).toBeGreaterThan(0.25);
});

test('a reading of the whole board has the links that were written since the reading before', async () => {
  const lab = new Lab();
  await lab.read([]);
  lab.db.take({ kind: 'link', race: 0 });
  lab.db.take({ kind: 'pass', ms: 2 * SLEW_MS });
  lab.expectWhole((await lab.read([], true))!, true);
});

test('a step back of the database’s clock loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(turns(fc.oneof({ weight: 8, arbitrary: aStep }, aStepBack)), async (turns) => {
      const lab = new Lab();
      // A step from before it shows in no clock; the next whole reading heals what that hides.
      await lab.read([]);
      for (const { before, meanwhile, begins } of turns) {
        for (const step of before) lab.db.take(step);
        await lab.read(meanwhile, begins);
      }
      lab.db.settle();
      const reading = (await lab.read([])) ?? (await lab.read([]))!;
      lab.expectWhole(reading, false);
    }),
    { numRuns: runs(2000) },
  );
});

// A 3 "Result field coverage" of races whose workflow is gone, and that rows, `fieldStateOf` and the workflow's own writes agree in any order.
import fc from 'fast-check';
import { createFieldPasses } from '../../src/activities/collect-field';
import { settleCoverage } from '../../src/activities/settle-coverage';
import { fieldStateOf } from '../../src/domain/field-coverage';
import { initialRace, type RaceState, step } from '../../src/domain/lifecycle';
import { restoreRace } from '../../src/domain/restore-race';
import {
  FIELD,
  HOUR,
  hoursAfter,
  openPublishedLab,
  type PublishedLab,
  publishedMeeting,
  publishedRace,
  START,
} from './published';

let lab: PublishedLab;
beforeEach(async () => {
  lab = await openPublishedLab();
});
afterEach(() => lab.close());

const settle = () => settleCoverage(lab.deps, lab.collector);
const status = async (raceId: string) => (await lab.row(raceId))!.field_status;

test('a race without a workflow: its missed pass is made up for, it is given up at the horizon, and a fill weeks later completes it', async () => {
  const { raceId } = await lab.race();
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 0, filled: 0 });
  expect(await status(raceId)).toBe('pending');
  lab.clock.nowMs = hoursAfter(16.5);
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 1, filled: 0 });
  expect(await lab.row(raceId)).toMatchObject({
    field_status: 'overdue',
    field_last_pass_at: new Date(hoursAfter(16.5)).toISOString(),
    field_expected_at: new Date(hoursAfter(40)).toISOString(),
  });
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  lab.clock.nowMs = hoursAfter(24 * 6);
  expect(await settle()).toMatchObject({ awaited: 1 });
  expect(await lab.row(raceId)).toMatchObject({ field_status: 'unavailable', field_expected_at: null });
  expect(await settle()).toMatchObject({ awaited: 0 });
  lab.publish(publishedMeeting());
  lab.clock.nowMs = hoursAfter(24 * 20);
  await lab.collector.race(raceId);
  expect(await status(raceId)).toBe('complete');
});

test('a missed pass that finds the field completes it', async () => {
  const { raceId } = await lab.race();
  lab.publish(publishedMeeting());
  lab.clock.nowMs = hoursAfter(16.5);
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 1, filled: 1 });
  expect(await status(raceId)).toBe('complete');
});

test('a workflow that lives has ten minutes for its own pass; a result that came after a pass has missed none', async () => {
  const { raceId } = await lab.race();
  lab.clock.nowMs = hoursAfter(16) + 9 * 60_000;
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  await lab.query('UPDATE race_results SET resulted_at = $1', [new Date(hoursAfter(16.1)).toISOString()]);
  lab.clock.nowMs = hoursAfter(20);
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  expect(await status(raceId)).toBe('pending');
});

test('twenty passes wait at a time; the others are called again and hold no slot', async () => {
  const asked: (() => void)[] = [];
  const pass = () => new Promise<boolean>((done) => asked.push(() => done(false)));
  const collect = createFieldPasses(lab.deps as never, { pass });
  const passes = Array.from({ length: 25 }, (_, i) => collect({ raceId: `${i}`, before: [], ifEmpty: [] }));
  const ended = Promise.allSettled(passes);
  while (asked.length < 20) await new Promise((done) => setImmediate(done));
  await expect(passes[24]).rejects.toMatchObject({ type: 'NothingYet' });
  for (const done of asked) done();
  const outcomes = await ended;
  expect(outcomes.filter((each) => each.status === 'rejected')).toHaveLength(5);
  expect(asked).toHaveLength(20);
});

/** A race's workflow as far as the field is concerned: its state, told and carried out as `race-run.ts` does; lost, set back, taken up again. */
class Workflow {
  private readonly kept: RaceState[] = [];

  constructor(
    private readonly raceId: string,
    private state: RaceState | null,
    private readonly written: () => Promise<void>,
  ) {}

  async tick(): Promise<void> {
    if (!this.state) return;
    const at = new Date(lab.clock.nowMs).toISOString();
    const { state, effects } = step(this.state, { type: 'tick', at });
    this.become(state);
    const writes = effects.flatMap((effect) => (effect.do === 'save_field' ? [effect] : []));
    const pass = effects.find((effect) => effect.do === 'run_field_pass');
    if (!pass) return this.write(writes);
    const empty = step(state, { type: 'fieldPassed', at });
    const ifEmpty = empty.effects.flatMap((effect) => (effect.do === 'save_field' ? [effect] : []));
    await this.write(writes);
    const filled = await lab.collector.pass(this.raceId, pass.at);
    if (!filled) await this.write(ifEmpty);
    this.become(filled ? step(state, { type: 'fieldFilled', at }).state : empty.state);
  }

  lose(): void {
    this.state = null;
  }

  /** To some state that it has been in. */
  setBack(n: number): void {
    if (this.kept.length > 0) this.state = this.kept[n % this.kept.length]!;
  }

  async takeUp(): Promise<void> {
    const held = await lab.deps.stores.results.held(this.raceId);
    const header = (await lab.deps.stores.races.raceHeader(this.raceId))!;
    const at = new Date(lab.clock.nowMs).toISOString();
    const start = {
      raceId: this.raceId,
      category: 'horse',
      country: 'AU',
      advertisedStart: START,
      startVersion: 1,
      at,
    } as const;
    this.become(restoreRace(start, { ...header, phase: 'final', epoch: 1, result: held }));
  }

  private become(state: RaceState): void {
    this.state = state;
    this.kept.push(state);
  }

  private async write(effects: readonly { field: NonNullable<RaceState['field']>; lastPassAt?: string | null }[]) {
    for (const { field, lastPassAt } of effects) {
      await lab.deps.stores.results.saveFieldState(
        this.raceId,
        field,
        new Date(lab.clock.nowMs).toISOString(),
        lastPassAt,
      );
      await this.written();
    }
  }
}

const RANK = ['pending', 'overdue', 'unavailable', 'complete'];
const move = fc.oneof(
  { weight: 6, arbitrary: fc.constant('tick' as const) },
  { weight: 3, arbitrary: fc.constant('settle' as const) },
  { weight: 2, arbitrary: fc.constantFrom('lose' as const, 'takeUp' as const, 'region' as const) },
  { weight: 1, arbitrary: fc.constantFrom('publish' as const, 'fill' as const) },
  { weight: 1, arbitrary: fc.nat(20).map((n) => ({ setBack: n })) },
);
const script = fc.array(fc.record({ hours: fc.integer({ min: 0, max: 30 }), move }), {
  minLength: 3,
  maxLength: 14,
});

test('whatever dies, is set back, speaks late or is filled: a row never goes back, and after a run it says what the facts say', async () => {
  let races = 0;
  await fc.assert(
    fc.asyncProperty(script, async (moves) => {
      races += 1;
      lab.clock.nowMs = hoursAfter(1);
      lab.publish();
      const venue = `Track ${String.fromCharCode(97 + (races % 26))}${races}`;
      const { raceId } = await lab.race({ venue });
      const started = initialRace({
        raceId,
        category: 'horse',
        country: 'AU',
        advertisedStart: START,
        startVersion: 1,
        at: START,
      });
      const seen = { type: 'resultSeen', stage: 'interim', placingsKey: '1:1|2:2|3:3', protest: false } as const;
      let rank = 0;
      const watch = async () => {
        const now = RANK.indexOf(String(await status(raceId)));
        expect(now).toBeGreaterThanOrEqual(rank);
        rank = now;
      };
      const flow = new Workflow(
        raceId,
        step(started, { ...seen, at: new Date(hoursAfter(0.1)).toISOString() }).state,
        watch,
      );
      for (const { hours, move } of moves) {
        lab.clock.nowMs += Math.round(hours * HOUR);
        if (move === 'tick') await flow.tick();
        else if (move === 'settle') await settle();
        else if (move === 'lose') flow.lose();
        else if (move === 'takeUp') await flow.takeUp();
        else if (move === 'region') await lab.collect();
        else if (move === 'publish') lab.publish(publishedMeeting({ venue, races: [publishedRace()] }));
        else if (move === 'fill') await lab.deps.stores.results.fillField(raceId, FIELD, 'racing_australia', START);
        else flow.setBack(move.setBack);
        await watch();
      }
      await settle();
      const row = (await lab.row(raceId))!;
      const facts = {
        category: 'horse',
        country: 'AU',
        resultStatus: 'interim',
        hasRunners: row.runners !== null,
        startTime: START,
        lastPassAt: row.field_last_pass_at as string | null,
        now: new Date(lab.clock.nowMs).toISOString(),
      } as const;
      expect({
        status: row.field_status,
        source: row.field_source,
        note: row.field_note,
        expectedAt: row.field_expected_at,
      }).toEqual(fieldStateOf(facts));
      // Each race has the database's whole attention.
      for (const table of ['race_results', 'published_races', 'published_meetings', 'published_lists']) {
        await lab.query(`DELETE FROM ${table}`);
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

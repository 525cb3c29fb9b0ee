// However the clock of the database is set, an undoubted id belongs to an instant after which nothing was written with
// an earlier mark.
import fc from 'fast-check';
import { createClockSteps } from '../../../../src/api/kernel/stream/clock-steps';
import { runs } from '../../../support/property';

/** The margin that filling a gap also covers. */
const SLACK_MS = 1000;

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'set'; readonly ms: number }
  /** The clock runs slower than ours for a while. */
  | { readonly kind: 'slew'; readonly ms: number }
  /** It is read somewhere between `beforeMs` and as much later. */
  | { readonly kind: 'look'; readonly toServerMs: number; readonly backMs: number }
  | { readonly kind: 'write' };

const latency = fc.nat(400);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(300), fc.nat(20 * 60_000)) }),
  fc.record({
    kind: fc.constant('set' as const),
    ms: fc.oneof(fc.integer({ min: -4000, max: 4000 }), fc.integer({ min: -3_600_000, max: 3_600_000 })),
  }),
  fc.record({ kind: fc.constant('slew' as const), ms: fc.nat(60_000) }),
  fc.record({ kind: fc.constant('look' as const), toServerMs: latency, backMs: latency }),
  fc.record({ kind: fc.constant('write' as const) }),
);

/** A process that checked the clock before the first id. */
class World {
  private nowMs = 5000;
  private offsetMs = 1_000_000_000;
  private readonly steps = createClockSteps();
  /** Issued instants, each with the lowest mark of the writes since. */
  private readonly ids: { readonly atMs: number; lowestMs: number }[] = [];
  private isUnseen = false;

  take(step: Step): void {
    if (step.kind === 'pass') this.nowMs += step.ms;
    else if (step.kind === 'slew') {
      this.nowMs += step.ms;
      this.offsetMs -= step.ms * 0.0004;
    } else if (step.kind === 'set') this.set(step.ms);
    else if (step.kind === 'write') this.write();
    else this.look(step.toServerMs, step.backMs);
  }

  /** No process sees a clock that is set back and forth between two checks. */
  private set(ms: number): void {
    if (ms > 0 && this.isUnseen) return;
    this.offsetMs += ms;
    this.isUnseen ||= ms < 0;
  }

  private write(): void {
    for (const id of this.ids) id.lowestMs = Math.min(id.lowestMs, this.nowMs + this.offsetMs);
  }

  look(toServerMs: number, backMs: number): void {
    const beforeMs = this.nowMs;
    this.nowMs += toServerMs;
    const databaseMs = Math.floor(this.nowMs + this.offsetMs);
    this.ids.push({ atMs: databaseMs, lowestMs: Number.POSITIVE_INFINITY });
    this.nowMs += backMs;
    this.steps.note(databaseMs, beforeMs, this.nowMs);
    this.isUnseen = false;
  }

  /** Those from which a client may continue now. */
  get missing(): readonly object[] {
    this.look(0, 0);
    const nowMs = this.nowMs + this.offsetMs;
    const fits = ({ atMs }: { readonly atMs: number }) => atMs <= nowMs && atMs >= nowMs - 30 * 60_000;
    return this.ids.filter((id) => fits(id) && !this.steps.isDoubtful(id.atMs) && id.lowestMs < id.atMs - SLACK_MS);
  }

  get doubtful(): readonly object[] {
    return this.ids.filter(({ atMs }) => this.steps.isDoubtful(atMs));
  }
}

test('nothing is skipped, however often and far the clock is set back, and however slow a check is', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 5, maxLength: 30 }), (steps) => {
      const world = new World();
      world.look(0, 0);
      for (const step of steps) world.take(step);
      expect(world.missing).toEqual([]);
    }),
    {
      numRuns: runs(5000),
      examples: [[[{ kind: 'set', ms: -600_000 }, { kind: 'write' }, { kind: 'pass', ms: 900_000 }]]],
    },
  );
});

test('a clock that is not set back is never doubted, even when slewed', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 5, maxLength: 30 }), (steps) => {
      const world = new World();
      world.look(0, 0);
      for (const step of steps) world.take(step.kind === 'set' ? { ...step, ms: Math.abs(step.ms) } : step);
      expect(world.missing).toEqual([]);
      expect(world.doubtful).toEqual([]);
    }),
    { numRuns: runs(2000) },
  );
});

// A race's workflow without a server, driven as `race-run.ts` drives it, with the real stores: so that a property can
// lose it, reset it or restart it at any instant.
import { carryOut, type WriteEffect } from '../../src/activities/outcome/carry-out';
import { raceArgs } from '../../src/activities/races/start-race';
import {
  initialRace,
  type RaceEffect,
  type RaceEvent,
  type RaceState,
  step,
} from '../../src/domain/lifecycle/lifecycle';
import type { PublishedLab } from './published';

type Untimed<E> = E extends RaceEvent ? Omit<E, 'at'> : never;

/** Only the test reports outcomes to it. */
const NO_BOOK = new Map();

const isWrite = (effect: RaceEffect): effect is WriteEffect => effect.do !== 'run_field_pass';

export class RaceWithoutServer {
  private readonly kept: RaceState[] = [];
  private state: RaceState | null = null;

  /** `written`: called after every effect has been carried out. */
  constructor(
    private readonly lab: PublishedLab,
    private readonly raceId: string,
    private readonly written: () => Promise<void>,
  ) {}

  /** From the beginning, or from the stored carry. */
  async takeUp(): Promise<void> {
    const header = (await this.lab.deps.stores.races.raceHeader(this.raceId))!;
    const [input, carry] = await raceArgs(this.lab.deps, header);
    this.become(carry?.state ?? initialRace({ ...input, at: this.now() }));
    await this.report({ type: 'tick' });
  }

  lose(): void {
    this.state = null;
  }

  /** Resets it to an earlier state. */
  setBack(n: number): void {
    if (this.kept.length > 0) this.state = this.kept[n % this.kept.length]!;
  }

  /** Does nothing while it is lost. */
  async report(event: Untimed<RaceEvent>): Promise<void> {
    if (!this.state) return;
    const { state, effects } = step(this.state, { ...event, at: this.now() } as RaceEvent);
    this.become(state);
    await this.carryOut(effects.filter(isWrite));
    const pass = effects.find((effect) => effect.do === 'run_field_pass');
    if (pass) await this.collect(state, pass.at);
  }

  private async collect(state: RaceState, dueAt: string): Promise<void> {
    const empty = step(state, { type: 'fieldPassed', at: this.now() });
    if (await this.lab.collector.pass(this.raceId, dueAt)) return this.report({ type: 'fieldFilled' });
    await this.carryOut(empty.effects.filter(isWrite));
    this.become(empty.state);
  }

  private async carryOut(effects: readonly WriteEffect[]): Promise<void> {
    for (const effect of effects) {
      await carryOut({ ...this.lab.deps, feeds: NO_BOOK } as never, { raceId: this.raceId, effects: [effect] });
      await this.written();
    }
  }

  private become(state: RaceState): void {
    this.state = state;
    this.kept.push(state);
  }

  private now(): string {
    return new Date(this.lab.clock.nowMs).toISOString();
  }
}

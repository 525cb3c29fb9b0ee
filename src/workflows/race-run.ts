// The run of one race: passes events to the lifecycle, has the effects carried out, and waits for the next event or for
// the next instant at which time alone changes the race. Events that arrive together are decided together, so that a
// burst is one decision.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  type WorkflowInfo,
  workflowInfo,
} from '@temporalio/workflow';
import type { WriteEffect } from '../activities/outcome/carry-out';
import type { ResultFacts } from '../activities/result-facts';
import {
  carriedRace,
  initialRace,
  nextDeadline,
  type RaceEffect,
  type RaceEvent,
  type RaceState,
  step,
} from '../domain/lifecycle/lifecycle';
import type { Instant } from '../domain/race/race';
import { toRaceMs, toWallDelayMs } from '../domain/time/clock';
import type { RaceCarry, RaceInput, StoryLine } from './contract';
import { brief } from './race-activities';
import { AS_BEFORE, archiveIfPast, collectField, effectsToCarryOut, isWrite } from './race-decision';
import { createPolling, ignoreCancelled } from './race-polling';
import { details, extendStory, timerSummary } from './race-story';
import { createLabels } from './search-attributes';

/** Earlier than the server suggests (4,096 events): a long history is slow to replay on another worker. */
const LONG_HISTORY = 1000;

const isLong = ({ continueAsNewSuggested, historyLength }: WorkflowInfo): boolean =>
  continueAsNewSuggested || historyLength > LONG_HISTORY;

export class RaceRun {
  state: RaceState;
  private story: readonly StoryLine[];
  private inbox: RaceEvent[];
  private busy = false;
  /** For the next decision. */
  private stored = AS_BEFORE;
  /** Collector's passes and archive writes in progress beside the decisions. */
  private passes = 0;
  private archiving = 0;
  private readonly label: (state: RaceState) => void;
  private readonly polling: ReturnType<typeof createPolling>;

  constructor(
    readonly input: RaceInput,
    carry: RaceCarry | null,
  ) {
    this.state = carry ? carriedRace(carry.state) : initialRace({ ...input, at: this.now() });
    this.story = carry?.story ?? [{ at: this.now(), what: 'discovered' }];
    this.inbox = [...(carry?.inbox ?? [])];
    this.label = createLabels(input);
    this.polling = createPolling(
      (event) => this.enqueue(event),
      () => this.now(),
      input.heartbeatTimeoutMs,
    );
  }

  /** Race time, deterministic in a replay. */
  now(): Instant {
    return new Date(toRaceMs(this.input.clock, Date.now())).toISOString();
  }

  enqueue(event: RaceEvent): void {
    this.inbox.push(event);
  }

  /** Every event so far has been decided and carried out. */
  settled(): boolean {
    return !this.busy && this.inbox.length === 0;
  }

  async runToEnd(): Promise<void> {
    this.enqueue({ type: 'tick', at: this.now() });
    for (;;) {
      await this.decideAll();
      const over = this.state.over && this.mayEnd();
      if (over) await condition(() => this.isQuiet() || !this.settled());
      if (!this.settled()) continue;
      if (over) return;
      if (isLong(workflowInfo()) && this.passes === 0) {
        await this.continueRun();
        continue;
      }
      this.polling.ensurePoller(this.state);
      await this.waitForChange();
    }
  }

  /** Nothing is lost if the run ends now. */
  private isQuiet(): boolean {
    return allHandlersFinished() && this.archiving === 0;
  }

  private async whileArchiving(archived: Promise<unknown> | null): Promise<void> {
    if (archived === null) return;
    this.archiving += 1;
    await archived;
    this.archiving -= 1;
  }

  /** An older version waits forever under a protest, and the replay of its races must do so too. */
  private mayEnd(): boolean {
    return this.state.phase !== 'interim' || patched('a-protest-ends');
  }

  private async decideAll(): Promise<void> {
    this.busy = true;
    while (this.inbox.length > 0) {
      const before = this.state;
      const events = this.inbox.splice(0);
      this.setState(events.reduce((state, event) => step(state, event).state, before));
      const effects = effectsToCarryOut(before, this.state, this.stored);
      this.stored = AS_BEFORE;
      await this.carryOut(effects);
      void this.whileArchiving(archiveIfPast(before, this.state));
    }
    this.busy = false;
  }

  /** Stores the whole state again, after what the database lost has been taken into account. */
  storeAgain(stored: ResultFacts | null): void {
    const { phase } = this.state;
    const at = this.now();
    if ((phase === 'interim' || phase === 'final') && !stored?.placingsKey) this.enqueue({ type: 'resultLost', at });
    this.stored = { ...this.stored, whole: true };
    this.enqueue({ type: 'tick', at });
  }

  private setState(state: RaceState): void {
    this.story = extendStory(this.story, this.state, state);
    this.state = state;
    this.label(state);
    setCurrentDetails(details(this.input, state, this.story));
  }

  private async carryOut(effects: readonly RaceEffect[]): Promise<void> {
    if (effects.length === 0) return;
    const summary = `${this.state.phase}: ${effects.map((effect) => effect.do).join(', ')}`;
    const pass = effects.find((effect) => effect.do === 'run_field_pass');
    const writes = effects.filter(isWrite);
    if (pass && !patched('a-pass-runs-beside')) return this.passWithin(writes, pass.at, summary);
    // A pass begins with the writes of the field alone: one activity carries out both.
    const before = pass && writes.every((effect) => effect.do === 'save_field') ? writes : [];
    const decision = { raceId: this.input.raceId, effects: writes.slice(before.length) };
    if (pass) void this.passBeside(before, pass.at, summary).catch(ignoreCancelled);
    if (decision.effects.length === 0) return;
    this.enqueueNotFinal(await brief.carryOut.executeWithOptions({ summary }, [decision]));
  }

  /** The pass of an older version blocked every decision and order of the race until it ended. */
  private async passWithin(before: readonly WriteEffect[], dueAt: Instant, summary: string): Promise<void> {
    const { empty, passed } = collectField(this.state, { before, dueAt, at: this.now(), summary });
    const { filled, notFinal } = await passed;
    this.enqueueNotFinal(notFinal);
    if (filled) this.enqueue({ type: 'fieldFilled', at: this.now() });
    else this.setState(empty.state);
  }

  /** Its end is an event like a poller's. The store keeps late writes of a field from undoing newer ones. */
  private async passBeside(before: readonly WriteEffect[], dueAt: Instant, summary: string): Promise<void> {
    this.passes += 1;
    const at = this.now();
    const { ifEmpty, passed } = collectField(this.state, { before, dueAt, at, summary });
    const { filled } = await passed;
    this.passes -= 1;
    if (!filled) this.stored = { ...this.stored, written: ifEmpty };
    this.enqueue(filled ? { type: 'fieldFilled', at: this.now() } : { type: 'fieldPassed', at });
  }

  /** The result should have become final and did not. */
  private enqueueNotFinal(notFinal: ResultFacts | null): void {
    if (!notFinal) return;
    const { placingsKey, protest } = notFinal;
    this.enqueue({ type: 'notFinal', placingsKey, protest, at: this.now() });
  }

  private async waitForChange(): Promise<void> {
    const hasEvent = () => this.inbox.length > 0;
    const deadline = nextDeadline(this.state);
    if (deadline === null || (deadline.why === 'close' && !this.mayEnd())) return condition(hasEvent);
    const waitMs = toWallDelayMs(this.input.clock, Date.parse(deadline.at) - Date.parse(this.now()));
    const changed = await condition(hasEvent, Math.max(1, waitMs), { summary: timerSummary(deadline) });
    if (!changed) this.enqueue({ type: 'tick', at: this.now() });
  }

  /**
   * A new run counts its pollers from 1, so it needs a new epoch: with tier `none` its first tick gives it one. Returns
   * without a new run when an order has arrived that must be carried out first.
   */
  private async continueRun(): Promise<void> {
    this.polling.stop();
    await condition(() => this.isQuiet() || !this.settled());
    if (!this.isQuiet()) return;
    const { state, story, inbox } = this;
    await continueAsNew(this.input, { state: { ...state, tier: 'none' }, story, inbox } satisfies RaceCarry);
  }
}

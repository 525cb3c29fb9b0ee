// One race, from discovery to its last field coverage (A 3). The lifecycle (domain) decides what follows from what; this workflow
// brings it the time, the pollers' answers and the operators' messages, has its decisions carried out, and shows the story.
// Plain JSON only; no price ever enters here.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  type WorkflowInfo,
  workflowInfo,
} from '@temporalio/workflow';
import { toRaceMs, toWallDelayMs } from '../domain/clock';
import { initialRace, nextDeadline, type RaceEvent, type RaceState, step } from '../domain/lifecycle';
import type { Instant } from '../domain/race';
import { abandonedElsewhere, lateFill, type RaceCarry, type RaceInput, raceState, startMoved } from './contract';
import { brief, collecting } from './race-activities';
import { handleOrders, type RaceDesk } from './race-orders';
import { createPolling } from './race-polling';
import { details, tell } from './race-story';
import { createLabels } from './search-attributes';

export async function race(input: RaceInput, carry: RaceCarry | null = null): Promise<RaceState> {
  const run = createRun(input, carry);
  setHandler(raceState, () => run.state());
  setHandler(startMoved, ({ advertisedStart: start, version }) =>
    run.tell({ type: 'startMoved', start, version, at: run.now() }),
  );
  setHandler(abandonedElsewhere, ({ note }) => run.tell({ type: 'abandoned', note, at: run.now() }));
  setHandler(lateFill, async () => {
    if ((await brief.readResult(input.raceId))?.fieldStatus === 'complete') {
      run.tell({ type: 'fieldFilled', at: run.now() });
    }
  });
  handleOrders(run);
  run.tell({ type: 'tick', at: run.now() });
  await run.untilOver();
  return run.state();
}

/** Sooner than the server suggests it (4,096 events): a long history is slow to replay on another worker. */
const LONG_HISTORY = 1000;

const isLong = ({ continueAsNewSuggested, historyLength }: WorkflowInfo): boolean =>
  continueAsNewSuggested || historyLength > LONG_HISTORY;

function createRun(input: RaceInput, carry: RaceCarry | null) {
  const now = (): Instant => new Date(toRaceMs(input.clock, Date.now())).toISOString();
  const inbox: RaceEvent[] = [...(carry?.inbox ?? [])];
  let busy = false;
  const tellRace = (event: RaceEvent): void => void inbox.push(event);
  const news = () => inbox.length > 0;
  const polling = createPolling(tellRace, now);
  const label = createLabels(input);
  let state = carry?.state ?? initialRace({ ...input, at: now() });
  let story = carry?.story ?? [{ at: now(), what: 'discovered' }];

  async function take(event: RaceEvent): Promise<void> {
    const before = state;
    const decided = step(before, event);
    state = decided.state;
    story = tell(story, before, state);
    label(state);
    setCurrentDetails(details(input, state, story));
    if (!(await carryOut(decided.state, decided.effects))) return;
    tellRace({ type: 'fieldFilled', at: now() });
  }

  /** True when a collector's pass wrote the field. An empty pass is decided beforehand, so that one activity does it all. */
  async function carryOut(decided: RaceState, effects: ReturnType<typeof step>['effects']): Promise<boolean> {
    const { raceId } = input;
    const writes = effects.filter((effect) => effect.do !== 'run_field_pass');
    const pass = effects.find((effect) => effect.do === 'run_field_pass');
    const summary = `${decided.phase}: ${effects.map((effect) => effect.do).join(', ')}`;
    if (!pass) {
      if (writes.length > 0) await brief.carryOut.executeWithOptions({ summary }, [{ raceId, effects: writes }]);
      return false;
    }
    const empty = step(decided, { type: 'fieldPassed', at: now() });
    const ifEmpty = empty.effects.filter((effect) => effect.do !== 'run_field_pass');
    const { filled } = await collecting.collectField.executeWithOptions({ summary }, [
      { raceId, before: writes, ifEmpty },
    ]);
    if (filled) return true;
    story = tell(story, decided, empty.state);
    state = empty.state;
    label(state);
    return false;
  }

  /** Waits for news, or for the instant at which time alone changes the race. */
  async function untilNews(): Promise<void> {
    const deadline = nextDeadline(state);
    const waitMs = deadline && toWallDelayMs(input.clock, Date.parse(deadline.at) - Date.parse(now()));
    if (deadline === null) return condition(news);
    const told = await condition(news, Math.max(1, waitMs!), { summary: `${deadline.why} at ${deadline.at}` });
    if (!told) tellRace({ type: 'tick', at: now() });
  }

  async function takeOne(event: RaceEvent): Promise<void> {
    busy = true;
    await take(event);
    busy = false;
  }

  async function untilOver(): Promise<void> {
    for (;;) {
      for (let event = inbox.shift(); event; event = inbox.shift()) {
        await takeOne(event);
        if (isLong(workflowInfo())) await goOnAsNew();
      }
      if (state.over) await condition(() => allHandlersFinished() || news());
      if (news()) continue;
      if (state.over) return;
      polling.follow(state);
      await untilNews();
    }
  }

  /** A new run counts its pollers afresh, so it takes a new epoch: a race without a tier is given one by its first tick. */
  async function goOnAsNew(): Promise<void> {
    polling.stop();
    await condition(allHandlersFinished);
    await continueAsNew<typeof race>(input, { state: { ...state, tier: 'none' }, story, inbox });
  }

  const settled = () => !busy && !news();
  const desk: RaceDesk = { raceId: input.raceId, state: () => state, now, tell: tellRace, settled };
  return { ...desk, untilOver };
}

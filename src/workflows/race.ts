// One race, from discovery to its last field coverage (A 3). The lifecycle (domain) decides; this workflow supplies it
// with time, sightings and operators' orders, has its decisions carried out, and shows the story. Plain JSON only; no
// price ever enters here.
import { patched, setHandler } from '@temporalio/workflow';
import type { RaceState } from '../domain/lifecycle/lifecycle';
import {
  abandonedElsewhere,
  lateFill,
  type RaceCarry,
  type RaceInput,
  raceState,
  resync,
  startMoved,
} from './contract';
import { brief } from './race-activities';
import { handleOrders } from './race-orders';
import { RaceRun } from './race-run';

export async function race(input: RaceInput, carry: RaceCarry | null = null): Promise<RaceState> {
  const run = new RaceRun(input, carry);
  setHandler(raceState, () => run.state);
  setHandler(startMoved, ({ advertisedStart: start, version }) =>
    run.enqueue({ type: 'startMoved', start, version, at: run.now() }),
  );
  setHandler(abandonedElsewhere, ({ note, version }) => {
    // An older version took every repetition for a new order.
    const order = version !== undefined && patched('an-abandonment-counts-once') ? { note, version } : { note };
    run.enqueue({ type: 'abandoned', ...order, at: run.now() });
  });
  setHandler(lateFill, async () => {
    const stored = await brief.readResult(input.raceId);
    if (stored?.fieldStatus === 'complete') run.enqueue({ type: 'fieldFilled', at: run.now() });
  });
  setHandler(resync, async () => {
    // An older version ignored the signal.
    if (patched('a-state-is-stored-again')) run.storeAgain(await brief.readResult(input.raceId));
  });
  handleOrders(run);
  await run.runToEnd();
  return run.state;
}

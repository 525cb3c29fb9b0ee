// An operator's orders for a race, and when each is allowed. Validators are synchronous (an async one would never
// reject) and only read; an order completes when the race has carried it out.
import { ApplicationFailure, condition, setHandler } from '@temporalio/workflow';
import { canAbandon, canOverride, canReinstate } from '../domain/lifecycle/lifecycle';
import { type AbandonRequest, abandon, type OverrideRequest, overrideResult, reinstate } from './contract';
import { brief } from './race-activities';
import type { RaceRun } from './race-run';

const NOTES = /^(abandoned|postponed|transferred to \S.*)$/;

export function handleOrders(run: RaceRun): void {
  const phase = () => run.state.phase;

  setHandler(
    abandon,
    async ({ scope, note }) => {
      run.enqueue({ type: 'abandoned', note, at: run.now() });
      if (scope === 'meeting') await brief.abandonMeeting({ raceId: run.input.raceId, note });
      await condition(() => run.settled());
    },
    {
      validator: (request) => {
        checkAbandon(request);
        if (!canAbandon(run.state)) throw refuse(`a race whose result is ${phase()} cannot be abandoned`);
      },
    },
  );

  setHandler(
    reinstate,
    async () => {
      run.enqueue({ type: 'reinstated', at: run.now() });
      await condition(() => run.settled());
    },
    {
      validator: (_request) => {
        if (!canReinstate(run.state)) throw refuse(`the race is ${phase()}: there is no abandonment to undo`);
      },
    },
  );

  setHandler(
    overrideResult,
    async ({ placings, note }) => {
      const { placingsKey } = await brief.overrideResult({ raceId: run.input.raceId, placings, note });
      run.enqueue({ type: 'overridden', placingsKey, at: run.now() });
      await condition(() => run.settled());
    },
    {
      validator: (request) => {
        checkPlacings(request);
        if (!canOverride(run.state)) throw refuse(`the race is ${phase()}: it has no result to override`);
      },
    },
  );
}

function checkAbandon({ scope, note }: AbandonRequest): void {
  if (scope !== 'race' && scope !== 'meeting') throw refuse("scope must be 'race' or 'meeting'");
  if (!NOTES.test(note)) throw refuse("note must be 'abandoned', 'postponed' or 'transferred to X'");
}

function checkPlacings({ placings }: OverrideRequest): void {
  const whole = (value: number) => Number.isInteger(value) && value >= 1;
  if (!Array.isArray(placings) || !placings.some(({ position }) => position === 1)) {
    throw refuse('placings must name the winner');
  }
  if (!placings.every(({ position, number }) => whole(position) && whole(number))) {
    throw refuse('positions and numbers must be whole and at least 1');
  }
  if (new Set(placings.map(({ number }) => number)).size !== placings.length) throw refuse('a runner is placed twice');
}

const refuse = (why: string): ApplicationFailure => ApplicationFailure.nonRetryable(why, 'OrderRefused');

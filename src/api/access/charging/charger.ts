// Sends charges, many in one statement, until their outcome is known: one whose reply was lost is sent again under its id and answered from
// what was recorded (D7). What stays unknown is refused, and given back as soon as the database answers. Nothing is charged twice, and no
// refused call stays charged while the process lives.
import { setTimeout as delay } from 'node:timers/promises';
import { metrics } from '@opentelemetry/api';
import type { Charge, Charged, CreditStore, Return } from '../../../store/credits';
import { inBatches } from '../../../store/pg/in-batches';
import { mayBeDone } from '../../../store/pg/unreachable';

type Owner = Pick<Return, 'accountId' | 'keyId'>;

export interface Charger {
  /** Rejects if nothing was charged, or will not stay charged. */
  charge(charge: Charge, owner: Owner): Promise<Charged>;
  /** As soon as the database takes it. */
  giveBack(charge: Charge, owner: Owner): void;
}

export interface Patience {
  /** A charge is sent again for so long. Wall time. */
  readonly againForMs: number;
  readonly pauseMs: number;
  readonly giveBackEveryMs: number;
}

const PATIENCE: Patience = { againForMs: 5000, pauseMs: 200, giveBackEveryMs: 1000 };
const BATCHING = { lanes: 4, most: 200 };
const MOST_UNSETTLED = 100_000;

const unsettledCharges = metrics.getMeter('racing-odds/api').createUpDownCounter('racing.credits.unsettled', {
  description: 'Calls that failed and may have been charged: they are given back when the database answers',
});

export function createCharger(store: Pick<CreditStore, 'charge' | 'giveBack'>, patience: Patience = PATIENCE): Charger {
  const send = inBatches((charges: readonly Charge[]) => store.charge(charges), BATCHING);
  const returns = givingBack(store, patience.giveBackEveryMs);
  const giveBack: Charger['giveBack'] = ({ id, endpoint, period, at }, { accountId, keyId }) =>
    returns({ accountId, keyId, id, endpoint, period, at });
  return {
    giveBack,
    async charge(charge, owner) {
      try {
        return await send(charge);
      } catch (error) {
        if (!mayBeDone(error)) throw error;
      }
      const untilMs = performance.now() + patience.againForMs;
      for (;;) {
        try {
          return await send({ ...charge, again: true });
        } catch (error) {
          if (performance.now() >= untilMs) {
            giveBack(charge, owner);
            throw error;
          }
          await delay(patience.pauseMs);
        }
      }
    },
  };
}

function givingBack(store: Pick<CreditStore, 'giveBack'>, everyMs: number): (charge: Return) => void {
  const unsettled = new Map<string, Return>();
  let running = false;
  const settle = async (): Promise<void> => {
    running = true;
    while (unsettled.size > 0) {
      const some = [...unsettled.values()].slice(0, BATCHING.most);
      const done = await store.giveBack(some).then(
        () => true,
        () => false,
      );
      if (done) for (const { id } of some) forget(id);
      else await delay(everyMs, undefined, { ref: false });
    }
    running = false;
  };
  const forget = (id: string): void => {
    if (unsettled.delete(id)) unsettledCharges.add(-1);
  };
  return (charge) => {
    const [oldest] = unsettled.keys();
    if (oldest !== undefined && unsettled.size >= MOST_UNSETTLED) forget(oldest);
    unsettled.set(charge.id, charge);
    unsettledCharges.add(1);
    if (!running) void settle();
  };
}

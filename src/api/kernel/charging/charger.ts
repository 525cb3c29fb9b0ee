// Sends charges, many in one statement, until their outcome is known: a charge whose reply was lost is sent again under
// its id and answered from the record (D7). A charge with an unknown outcome is refused, and refunded as soon as the
// database answers. Nothing is charged twice, and no refused call stays charged while the process lives.
import { setTimeout as delay } from 'node:timers/promises';
import type { Charge, CreditStore, DownloadCharged, SharedCall, SharedVerdict } from '../../../store/credits/credits';
import { inBatches } from '../../../store/pg/in-batches';
import { mayBeDone } from '../../../store/pg/unreachable';
import { createReturns, type ReturnsLog, type Unsettled } from './returns';

export type Owner = Pick<Unsettled, 'accountId' | 'keyId' | 'onReturned'>;

export interface Charger {
  /** Rejects if nothing was charged, or will not stay charged. */
  charge(charge: Charge, owner: Owner): Promise<DownloadCharged>;
  /** Changes nothing. */
  sharedVerdict(call: SharedCall): Promise<SharedVerdict>;
  /** As soon as the database takes it. */
  giveBack(charge: Charge, owner: Owner): void;
  /**
   * At the end of the process: resolves when no charge is in progress and all are refunded, or after this long, and
   * then logs what is left.
   */
  settled(withinMs: number): Promise<void>;
}

export interface ChargePatience {
  /** How long a charge is retried. Wall time. */
  readonly againForMs: number;
  readonly pauseMs: number;
  readonly giveBackEveryMs: number;
  /** Charges that wait for their refund. */
  readonly mostUnsettled: number;
}

const PATIENCE: ChargePatience = { againForMs: 5000, pauseMs: 200, giveBackEveryMs: 1000, mostUnsettled: 100_000 };
const BATCHING = { lanes: 4, most: 200 };
const ALONE = { lanes: 4, most: 1 };
const LOOK_EVERY_MS = 20;

type Part = Parameters<CreditStore['chargeDownload']>[0];
type Shared = Parameters<CreditStore['chargeShared']>[0];
const isPart = (charge: Charge): charge is Part => charge.part !== undefined;
const isShared = (charge: Charge): charge is Shared => charge.shared !== undefined;

/** `log`: gets the charges that stay. */
export function createCharger(
  store: Pick<CreditStore, 'charge' | 'chargeDownload' | 'chargeShared' | 'sharedVerdict' | 'giveBack'>,
  log: ReturnsLog = { error: () => {} },
  patience: ChargePatience = PATIENCE,
): Charger {
  const sendTogether = inBatches((charges: readonly Charge[]) => store.charge(charges), BATCHING);
  const sendPart = inBatches(([part]: readonly Part[]) => store.chargeDownload(part!).then((one) => [one]), ALONE);
  const sendShared = inBatches(
    ([one]: readonly Shared[]) => store.chargeShared(one!).then((charged) => [charged]),
    ALONE,
  );
  const send = (charge: Charge): Promise<DownloadCharged> => {
    if (isPart(charge)) return sendPart(charge);
    return isShared(charge) ? sendShared(charge) : sendTogether(charge);
  };
  const { giveBackEveryMs: everyMs, mostUnsettled: most } = patience;
  const returns = createReturns(store, log, { everyMs, most });
  const giveBack: Charger['giveBack'] = ({ id, endpoint, period, at, part, shared }, owner) =>
    returns.add({ ...owner, id, endpoint, period, at, download: part?.name, sharedName: shared?.name });
  let underWay = 0;

  const sendAgain = async (charge: Charge, owner: Owner): Promise<DownloadCharged> => {
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
  };

  return {
    giveBack,
    sharedVerdict: (call) => store.sharedVerdict(call),
    async charge(charge, owner) {
      underWay++;
      try {
        return await send(charge);
      } catch (error) {
        if (!mayBeDone(error)) throw error;
        return await sendAgain(charge, owner);
      } finally {
        underWay--;
      }
    },
    async settled(withinMs) {
      const untilMs = performance.now() + withinMs;
      while (underWay + returns.waiting() > 0 && performance.now() < untilMs) await delay(LOOK_EVERY_MS);
      returns.drop();
    },
  };
}

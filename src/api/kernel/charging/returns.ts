// Refunds what failed calls may have been charged, as soon as the database takes it. Refunds wait in memory: those that
// do not fit, and those still waiting when the process ends, stay charged, so they are logged with their ids and
// counted.
import { setTimeout as delay } from 'node:timers/promises';
import { metrics } from '@opentelemetry/api';
import type { CreditStore, Return } from '../../../store/credits/credits';
import { isUnreachable } from '../../../store/pg/unreachable';

export interface Unsettled extends Return {
  /** Called when the database has taken it. */
  readonly onReturned?: () => void;
}

export interface Returns {
  /** Retried until the database takes it. If the queue is full, the oldest is dropped. */
  add(charge: Unsettled): void;
  waiting(): number;
  /** Gives up the waiting refunds. */
  drop(): void;
}

export interface ReturnsLog {
  error(fields: object, message: string): void;
}

export interface ReturnsBounds {
  readonly everyMs: number;
  readonly most: number;
}

/** Charges per statement, and per line of the log. */
const TOGETHER = 200;

const meter = metrics.getMeter('racing-odds/api');
const unsettled = meter.createUpDownCounter('racing.credits.unsettled', {
  description: 'Calls that failed and may have been charged: they are given back when the database answers',
});
const dropped = meter.createCounter('racing.credits.dropped', {
  description: 'Calls that failed and may stay charged: too many waited to be given back, or the process ended',
});

export function createReturns(
  store: Pick<CreditStore, 'giveBack'>,
  log: ReturnsLog,
  { everyMs, most }: ReturnsBounds,
): Returns {
  // Present from the start, because an alert compares with the previous value.
  unsettled.add(0);
  dropped.add(0);
  const waiting = new Map<string, Unsettled>();
  const sendOldest = createSender(store, log, waiting);
  let isRunning = false;
  let isFull = false;

  const settle = async (): Promise<void> => {
    isRunning = true;
    while (waiting.size > 0) if (!(await sendOldest())) await delay(everyMs, undefined, { ref: false });
    isRunning = false;
    isFull = false;
  };

  const giveUp = (charges: readonly Return[]): void => {
    dropped.add(charges.length);
    for (const { id } of charges) forget(waiting, id);
  };

  const makeRoom = (): void => {
    const [oldest] = waiting.values();
    if (!isFull) log.error({ most, oldest: aboutOf(oldest!) }, 'charges of failed calls are dropped, the oldest first');
    isFull = true;
    giveUp([oldest!]);
  };

  return {
    add(charge) {
      if (waiting.has(charge.id)) return;
      if (waiting.size >= most) makeRoom();
      waiting.set(charge.id, charge);
      unsettled.add(1);
      if (!isRunning) void settle();
    },
    waiting: () => waiting.size,
    drop() {
      const left = [...waiting.values()];
      for (let at = 0; at < left.length; at += TOGETHER) {
        const charges = left.slice(at, at + TOGETHER).map(aboutOf);
        log.error({ charges }, 'charges of failed calls are not given back');
      }
      giveUp(left);
    },
  };
}

/** Sends the oldest waiting refunds. Resolves to whether the database has taken them together. */
function createSender(store: Pick<CreditStore, 'giveBack'>, log: ReturnsLog, waiting: Map<string, Unsettled>) {
  /** Refused by a database that answers, so because of a defect. */
  const logged = new WeakSet<Unsettled>();

  /** Null: the database has taken them. */
  const send = async (some: readonly Unsettled[]): Promise<unknown> => {
    const error = await store.giveBack(some).then(
      () => null,
      (cause: unknown) => cause ?? new Error('a return failed'),
    );
    if (error !== null) return error;
    for (const { id, onReturned } of some) {
      forget(waiting, id);
      onReturned?.();
    }
    return null;
  };

  /** One by one, so that the others of the batch succeed. Refunds refused again wait behind all others. */
  const sendAlone = async (some: readonly Unsettled[], err: unknown): Promise<void> => {
    const refused: Unsettled[] = [];
    for (const one of some) {
      const error = await send([one]);
      if (error === null) continue;
      if (isUnreachable(error)) break;
      refused.push(one);
      if (waiting.delete(one.id)) waiting.set(one.id, one);
    }
    const charges = refused.filter((one) => !logged.has(one)).map(aboutOf);
    for (const one of refused) logged.add(one);
    if (charges.length > 0) log.error({ err, charges }, 'the database refuses to take charges back: tried again');
  };

  return async (): Promise<boolean> => {
    const some: Unsettled[] = [];
    for (const one of waiting.values()) if (some.push(one) === TOGETHER) break;
    const error = await send(some);
    if (error !== null && !isUnreachable(error)) await sendAlone(some, error);
    return error === null;
  };
}

function forget(waiting: Map<string, Unsettled>, id: string): void {
  if (waiting.delete(id)) unsettled.add(-1);
}

const aboutOf = ({ id, accountId, endpoint }: Return) => ({ id, accountId, endpoint });

// Deliveries that this process cannot sign, because it cannot open a secret of their webhook. Nothing is posted and no
// attempt counts: each stays leased for some seconds, so that its endpoint is left alone and no loop spins, and is then
// given back, for a process with the key to take.
import type { Log } from '../log';
import type { Unsigned } from '../store/webhooks/claims';
import type { DeliveryStore } from '../store/webhooks/deliveries';

export interface SetAsideDeps {
  readonly deliveries: Pick<DeliveryStore, 'giveBack'>;
  readonly wallMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  /** Wall. */
  readonly forMs: number;
}

export interface SetAside {
  take(unsigned: Unsigned): void;
  /** Gives everything back at once. */
  close(): Promise<void>;
}

export function startSetAside({ deliveries, wallMs, log, forMs }: SetAsideDeps): SetAside {
  const kept = new Map<Unsigned, NodeJS.Timeout>();
  /** Webhooks that the log has named recently. */
  const named = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const giveBack = (unsigned: Unsigned): void => {
    clearTimeout(kept.get(unsigned));
    kept.delete(unsigned);
    const { webhookId } = unsigned;
    named.delete(webhookId);
    const giving = deliveries
      .giveBack(unsigned, new Date(wallMs()).toISOString())
      // Its lease ends by itself.
      .catch((err) => log.warn({ err, webhookId }, 'a delivery was not given back'))
      .finally(() => underWay.delete(giving));
    underWay.add(giving);
  };
  return {
    take(unsigned) {
      const { webhookId, problem } = unsigned;
      kept.set(
        unsigned,
        setTimeout(() => giveBack(unsigned), forMs),
      );
      if (named.has(webhookId)) return;
      named.add(webhookId);
      log.warn({ webhookId, problem }, 'a secret cannot be opened: the deliveries of its webhook wait');
    },
    async close() {
      for (const unsigned of kept.keys()) giveBack(unsigned);
      await Promise.all(underWay);
    },
  };
}

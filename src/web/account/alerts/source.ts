// An account's price alerts, as its pages show and change them.
import type { AlertNews } from '../../../store/accounts/alerts/alert-news';
import type { PriceAlert } from '../../../store/accounts/alerts/price-alerts';
import type { RaceTitle } from '../../board/race-title';

/** A race that alerts can be made of, with its runners that run. */
export interface AlertOffer {
  readonly race: RaceTitle;
  readonly nowMs: number;
  readonly runners: readonly OfferedRunner[];
}

interface OfferedRunner {
  readonly number: number;
  readonly name: string;
  /** The price that an alert counts now; null: there is none. */
  readonly win: number | null;
  readonly place: number | null;
}

export interface AlertOrder {
  readonly raceId: string;
  /** As it is typed. */
  readonly number: string;
  readonly market: string;
  readonly atLeast: string;
}

export interface OwnedAlerts {
  /** Open ones by start, then the others, latest first. `nowMs`: race time. */
  list(accountId: string): Promise<{ readonly nowMs: number; readonly alerts: readonly PriceAlert[] }>;
  /** Those that wait for their price. */
  countOpen(accountId: string): Promise<number>;
  /** Null: the race has no alerts, because it is unknown or its jump is over. */
  offer(raceId: string): Promise<AlertOffer | null>;
  /** Throws `validation`, and `conflict` if the account has as many as it may. */
  add(accountId: string, order: AlertOrder): Promise<'added' | 'there'>;
  /** One that is gone counts as removed. */
  remove(accountId: string, alertId: string): Promise<void>;
  /** Ends those that are open. */
  stop(accountId: string): Promise<void>;
  /** Those that were reached in the last quarter of an hour, of races that are ahead. */
  news(accountId: string): Promise<AlertNews>;
}

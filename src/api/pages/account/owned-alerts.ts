// An account's price alerts for its pages: what can be ordered, and what a browser may show.
import { ALERT_MARKETS, type AlertMarket, alertPrice } from '../../../domain/prices/alert-price';
import { asPrice } from '../../../domain/prices/price';
import { isShown } from '../../../domain/race/board-state';
import { isVacantBox } from '../../../domain/race/runner';
import { AppError, invalid } from '../../../errors';
import { ALERT_NEWS_MS, OPEN_ALERTS, STORED_ALERTS } from '../../../plans/limits';
import type { AlertWish } from '../../../store/accounts/alerts/price-alerts';
import type { LiveReads } from '../../../store/reads/live-board';
import type { Stores } from '../../../store/stores';
import type { AlertOrder, OwnedAlerts } from '../../../web/account/alerts/source';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { titleOfRow } from '../shown/visible-race';

interface OwnedAlertDeps {
  readonly store: Stores['priceAlerts'];
  readonly liveReads: Pick<LiveReads, 'race'>;
  /** Race time, epoch milliseconds. */
  now(): number;
  wallMs(): number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (text: string): boolean => UUID.test(text);

/** No runner is offered at more. */
const MOST_PRICE = 1000;
const TYPED = /^\d{1,4}(\.\d{1,2})?$/;
const MOST_NUMBER = 99;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createOwnedAlerts({ store, liveReads, now, wallMs }: OwnedAlertDeps): OwnedAlerts {
  return {
    async list(accountId) {
      const nowMs = now();
      return { nowMs, alerts: await store.list(accountId, iso(nowMs)) };
    },
    countOpen: (accountId) => store.countOpen(accountId),
    async offer(raceId) {
      const race = isUuid(raceId) ? await liveReads.race(raceId, CUSTOMERS.bookmakers) : null;
      const nowMs = now();
      if (race === null || !isShown('board', race, nowMs)) return null;
      const priceOf = (number: number, market: AlertMarket) => alertPrice(race, number, market, nowMs)?.price ?? null;
      const runners = race.runners.filter(({ scratched, name }) => !scratched && !isVacantBox(name));
      return {
        race: titleOfRow(race),
        nowMs,
        runners: runners.map(({ number, name }) => ({
          ...{ number, name },
          ...{ win: priceOf(number, 'win'), place: priceOf(number, 'place') },
        })),
      };
    },
    async add(accountId, order) {
      const added = await store.add(accountId, wishOf(order), OPEN_ALERTS, { at: iso(wallMs()), raceAt: iso(now()) });
      if (added === 'added' || added === 'there') return added;
      throw REFUSALS[added]();
    },
    async remove(accountId, alertId) {
      if (isUuid(alertId)) await store.remove(accountId, alertId);
    },
    async stop(accountId) {
      await store.stop(accountId, iso(wallMs()));
    },
    news: (accountId) => store.news(accountId, iso(wallMs() - ALERT_NEWS_MS), iso(now())),
  };
}

const REFUSALS = {
  full: () =>
    new AppError(
      'conflict',
      `An account has at most ${OPEN_ALERTS} alerts that wait for their price, and ${STORED_ALERTS} with those that are done. Delete one first.`,
    ),
  no_owner: () => new AppError('conflict', 'This account was made by an operator and has no address for mail.'),
  no_race: () => new AppError('conflict', 'The race has jumped or was abandoned: no alert can be made any more.'),
  no_runner: () => invalid([{ pointer: '/runner', detail: '/runner must be a runner that is not scratched.' }]),
} as const;

function wishOf({ raceId, number: typed, market: wanted, atLeast: text }: AlertOrder): AlertWish {
  if (!isUuid(raceId)) throw REFUSALS.no_race();
  const number = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
  const market = ALERT_MARKETS.find((one) => one === wanted);
  const atLeast = TYPED.test(text.trim()) ? asPrice(text.trim()) : null;
  if (number < 1 || number > MOST_NUMBER) throw REFUSALS.no_runner();
  if (market === undefined) throw invalid([{ pointer: '/market', detail: '/market must be win or place.' }]);
  if (atLeast === null || atLeast > MOST_PRICE) throw invalid([{ pointer: '/price', detail: PRICE_RULE }]);
  return { raceId, number, market, atLeast };
}

const PRICE_RULE = `/price must be decimal odds from 1.01 to ${MOST_PRICE}, with at most two decimals, for example 4.50.`;

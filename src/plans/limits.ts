// How many of something an account may have at once, by plan (A 5.3, A 8, D61). Pure.
import { PLANS, type Plan, type PlanId } from './plans';

interface Limits {
  /** Keys, the primary one included. */
  readonly keys: number;
  readonly widgets: number;
  /** Open connections of the stream. */
  readonly streams: number;
  readonly webhooks: number;
}

export const LIMITS: Readonly<Record<PlanId, Limits>> = {
  free: { keys: 1, widgets: 0, streams: 0, webhooks: 0 },
  hobby: { keys: 1, widgets: 0, streams: 0, webhooks: 0 },
  standard: { keys: 1, widgets: 0, streams: 1, webhooks: 0 },
  plus: { keys: 1, widgets: 0, streams: 2, webhooks: 5 },
  business: { keys: 3, widgets: 0, streams: 5, webhooks: 10 },
  platform: { keys: 5, widgets: 10, streams: 20, webhooks: 50 },
  scale: { keys: 10, widgets: 10, streams: 20, webhooks: 100 },
  enterprise: { keys: 10, widgets: 10, streams: 20, webhooks: 100 },
};

/** Price alerts of an account that wait for their price; the same for every plan. */
export const OPEN_ALERTS = 50;

/** All price alerts of an account, with those that were done in the last days. */
export const STORED_ALERTS = 300;

/** Price alerts that are mailed to an account in a day (AET). */
export const MAILED_ALERTS_PER_DAY = 20;

/** A price of an alert that was reached longer ago is no news: it is neither mailed nor shown by a browser. */
export const ALERT_NEWS_MS = 900_000;

/** The newest refused calls of each key and code that its owner sees; the same for every plan. */
export const KEPT_REFUSED_CALLS = 50;

/** The cheapest plan with more of it; null if none has. */
export function planWithMore(what: keyof Limits, plan: Plan): Plan | null {
  return PLANS.find(({ id }) => LIMITS[id][what] > LIMITS[plan.id][what]) ?? null;
}

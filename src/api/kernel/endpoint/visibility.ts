// Decides which books a response may show (A 1, D14): customers never get the prices and market state of an exchange or
// a reference book. Reads fetch only the books listed here, so a hidden value is not even read.
import { BOOKMAKERS, CUSTOMER_BOOKMAKER_KEYS, isCompared, visibleToCustomers } from '../../../domain/bookmakers';
import type { Caller } from './caller';

/** The readers of a response. */
export interface Audience {
  readonly name: 'customers' | 'operators';
  /** Books that may be shown and named in `bookmakers=`, retired ones included. */
  readonly bookmakers: readonly string[];
  /** Books whose prices may be compared: never a foreign or a reference book (A 1), never a retired one. */
  readonly compared: readonly string[];
}

export const CUSTOMERS: Audience = {
  name: 'customers',
  bookmakers: CUSTOMER_BOOKMAKER_KEYS,
  compared: CUSTOMER_BOOKMAKER_KEYS.filter(isCompared),
};

export const OPERATORS: Audience = {
  name: 'operators',
  bookmakers: BOOKMAKERS.map((book) => book.key),
  compared: BOOKMAKERS.map((book) => book.key).filter(isCompared),
};

export function audienceOf(caller: Caller | null): Audience {
  return caller?.role === 'internal' ? OPERATORS : CUSTOMERS;
}

export interface MarketState {
  readonly market_status: string | null;
  readonly inplay: boolean | null;
  readonly market_closed_at: string | null;
  readonly inplay_at: string | null;
  readonly market_state_source: string | null;
}

const WITHHELD: MarketState = {
  market_status: null,
  inplay: null,
  market_closed_at: null,
  inplay_at: null,
  market_state_source: null,
};

/**
 * The market state as this audience may see it. Only an exchange reports in-play, so a customer never has it (A 2.2).
 */
export function marketStateFor(audience: Audience, state: MarketState): MarketState {
  if (audience.name === 'operators') return state;
  const source = state.market_state_source;
  if (source === null || !visibleToCustomers(source)) return WITHHELD;
  return { ...state, inplay: null, inplay_at: null };
}

/**
 * Whether a connector's health may be shown: every connector that is not a book, and the books that this audience may
 * see.
 */
export function connectorVisible(audience: Audience, connector: string): boolean {
  return audience.bookmakers.includes(connector) || !BOOKMAKERS.some((book) => book.key === connector);
}

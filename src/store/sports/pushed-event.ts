// A match as a book or a feed offers it, with its prices.
import type { ListedEvent } from '../../domain/sports/identity/listed-event';
import type { OfferedPrices } from '../../domain/sports/lines/read-lines';

export interface PushedEvent extends Omit<ListedEvent, 'homeShare' | 'h2h'> {
  /** Sides are the book's own. */
  readonly markets: readonly OfferedPrices[];
}

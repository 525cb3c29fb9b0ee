// The last decision about a parameter set of a widget, which its readers share for a minute or some seconds.
import type { Cache } from '../../../../cache';
import type { FillShare } from '../../../../store/widgets/fill-limits';
import type { WidgetRefusal } from '../../../../web/widgets/source';
import { FILLED_FOR_SECONDS } from '../widget-schema';
import type { PricesRead } from './prices';

export const FILLED_FOR_MS = FILLED_FOR_SECONDS * 1000;
/** So that the readers of a widget with nothing to show, or without credits, cost the database little. */
export const NOTHING_FOR_MS = 5000;

/** The last decision about a parameter set. */
export interface Made {
  /** Wall time of the fill, of the refusal, or of the reading that found nothing to show. */
  readonly at: string;
  /** How long it is shown. */
  readonly forMs: number;
  /** By the call that made it, not by an earlier one. */
  readonly fresh: boolean;
  /** What is shown without a fill of this set: nothing with a price, or earlier filled prices. */
  readonly free: Free | null;
  /** Null: it is a fill. With `free`, that is shown instead. */
  readonly refusal: WidgetRefusal | null;
  /** Whose refusal it is; null: everybody's, as is a fill. */
  readonly of: string | null;
}

interface Free {
  readonly prices: PricesRead;
  /** Wall time. */
  readonly filledAt: string;
  readonly outcome: 'free' | 'cached' | 'delayed';
}

/** The decision for all readers, or, if another reader's share was used up, for this one. */
export async function decided(
  fills: Cache<Made>,
  name: string,
  share: FillShare | null,
  isGood: (made: Made) => boolean,
  decide: () => Promise<Made>,
) {
  const first = await fills.get(name, isGood, decide);
  const own = shareName(share);
  const { of } = first.value;
  return of === null || of === own ? first : fills.get(`${name} ${own}`, isGood, decide);
}

export const shareName = (share: FillShare | null): string | null => share && `${share.reader} ${share.byPage}`;

export const made = (at: string, fresh: boolean): Made => ({
  at,
  forMs: FILLED_FOR_MS,
  fresh,
  free: null,
  refusal: null,
  of: null,
});

export const refused = (at: string, forMs: number, refusal: WidgetRefusal): Made => ({
  ...made(at, false),
  forMs,
  refusal,
});

export const instant = (ms: number): string => new Date(ms).toISOString();

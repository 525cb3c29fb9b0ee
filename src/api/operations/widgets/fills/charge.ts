// Charges a fill of a widget, or finds its replacement: prices of this minute, or the last ones over a share or limit.
import { periodAt } from '../../../../plans/credits';
import { monthlyCreditsOf } from '../../../../plans/overage';
import type { FillShare } from '../../../../store/widgets/fill-limits';
import type { EmbeddedWidget, WidgetFillStore } from '../../../../store/widgets/fills';
import type { One, Reader } from '../../../../web/widgets/source';
import { FILL_CREDITS } from '../widget-schema';
import { judge, Refused, readingOf } from './judge';
import { lastPrices, pricedItems } from './last-prices';
import { instant, type Made, made, NOTHING_FOR_MS, refused, shareName } from './made';
import type { PricesRead } from './prices';

export interface Asking {
  readonly widget: EmbeddedWidget;
  readonly embedId: string;
  readonly one: One | null;
  readonly reader: Reader;
  /** Null: the usual set. */
  readonly share: FillShare | null;
}

/** What a fill would show. */
interface Unpaid {
  readonly parameters: string;
  readonly prices: PricesRead;
  /** Wall time. */
  readonly atMs: number;
  /** Race time. */
  readonly nowMs: number;
}

/** Throws `Refused` if the widget has changed so that this reader may see nothing. */
export async function charge(
  store: WidgetFillStore,
  { widget, embedId, reader, share }: Asking,
  { parameters, prices, atMs, nowMs }: Unpaid,
): Promise<Made> {
  const at = instant(atMs);
  const named = { embedId, parameters, reading: readingOf(widget), items: pricedItems(prices, nowMs) };
  const order = { ...named, credits: FILL_CREDITS[widget.shows.type], share, at, period: periodAt(atMs).id };
  const filled = await store.fill(order, (locked) => judge(locked, reader), monthlyCreditsOf);
  if (filled.kind === 'filled') return made(filled.at, filled.charged);
  if (filled.kind === 'missing') throw new Refused({ kind: 'missing' });
  if (filled.kind === 'spent') return refused(at, NOTHING_FOR_MS, { kind: 'spent' });
  const last = lastPrices(prices, filled.last);
  if (filled.kind === 'known') return { ...made(last!.filledAt, false), free: { ...last!, outcome: 'cached' } };
  const busy = { kind: 'busy', waitSeconds: Math.ceil(filled.waitMs / 1000) } as const;
  return {
    ...refused(at, Math.min(NOTHING_FOR_MS, filled.waitMs), busy),
    free: last && { ...last, outcome: 'delayed' },
    of: filled.isOwn ? shareName(share) : null,
  };
}

// What readers of customers' sites see, and what is charged for it (A 4.13, D7): widget, origin, plan, an earlier fill,
// the prices, shares and limits, balance, charge. A fill without prices is free, and a reader over a share gets the
// last prices. Prices are those that any customer may see.
import type { Context } from 'koa';
import { type Cache, createCache } from '../../../../cache';
import type { SharedAnswers } from '../../../../store/redis/shared-answers';
import type { WidgetFillStore } from '../../../../store/widgets/fills';
import type { WidgetFill, WidgetSource } from '../../../../web/widgets/source';
import { clientOf } from '../../../kernel/session/client-address';
import { type Asking, charge } from './charge';
import type { Served } from './fill-metrics';
import { judge, looksOf, parametersOf, Refused, versionOf } from './judge';
import { decided, FILLED_FOR_MS, instant, type Made, made, NOTHING_FOR_MS, refused } from './made';
import { isPageToken, mintPageToken, readerOf } from './page-token';
import { contentOf, hasPrice, ID_OF, type PriceReads, type PricesRead, readPrices } from './prices';

interface EmbedDeps extends PriceReads {
  readonly store: WidgetFillStore;
  /** By the wall clock, for fills only: they expire by it, and must not evict answers of the operations. */
  readonly fillAnswers: SharedAnswers;
  /** The service's. */
  readonly ownOrigins: readonly string[];
  /** Race time, epoch milliseconds. */
  now(): number;
  /** Wall clock, epoch milliseconds: fills and credits (D37). */
  wallMs(): number;
  /** Gets every fill and refusal. */
  record(served: Served): void;
}

/** Part of the cache key: raise it when the cached data changes in form or content. */
const FORM = 'widget fill 3';
const MOST_FILLS = 5000;

const CLOSED = { racing: { kind: 'race' }, sports: { kind: 'match' } } as const;

export function createWidgetEmbeds(deps: EmbedDeps): WidgetSource {
  const { store, ownOrigins, wallMs, record } = deps;
  // So that the readers of a minute cause one query for their fill, and those at its end one new fill.
  const fills = createCache<Made>(MOST_FILLS);

  return {
    ownOrigins,
    networkOf: (ctx: Context) => clientOf(ctx).network,
    frame: async (embedId) => {
      const widget = await store.embedded(embedId);
      if (widget === null) return null;
      const token = mintPageToken({ ...widget, embedId }, wallMs());
      return { ...looksOf(widget), version: versionOf(widget), token };
    },
    fill: async (embedId, one, reader, visit) => {
      const widget = await store.embedded(embedId);
      if (widget === null) return { kind: 'missing', token: null };
      const byPage = isPageToken({ ...widget, embedId }, visit.token, wallMs());
      const share = one && { reader: readerOf(widget, visit.network), byPage };
      const answer = await fill(deps, fills, { widget, embedId, one, reader, share }).catch((error) => {
        if (!(error instanceof Refused)) throw error;
        record({ reason: error.refusal.kind });
        return error.refusal;
      });
      return { ...answer, token: byPage ? mintPageToken({ ...widget, embedId }, wallMs()) : null };
    },
  };
}

/** What this reader sees. Throws `Refused`. */
async function fill(deps: EmbedDeps, fills: Cache<Made>, asking: Asking): Promise<WidgetFill> {
  const { store, fillAnswers, now, wallMs, record } = deps;
  const { widget, one, reader, share } = asking;
  judge(widget, reader);
  const { type } = widget.shows;
  if (one !== null && one.parameter !== ID_OF[type]) throw new Refused({ kind: 'parameter', wanted: ID_OF[type] });
  const atMs = wallMs();
  // One time for the whole request, so that prices judged and charged are the prices shown.
  const nowMs = now();
  const parameters = parametersOf(widget, one);
  const name = `${widget.widgetId} ${parameters}`;
  const shared = ({ at }: Made, compute: () => Promise<PricesRead | null>) =>
    fillAnswers.get(`${FORM} ${name} ${at}`, 2 * FILLED_FOR_MS, atMs, compute);
  const read = () => readPrices(deps, widget, one, nowMs);
  /** The content of a fill before it is charged. */
  const unpaid = () => fillAnswers.get(`${FORM} ${name}`, NOTHING_FOR_MS, atMs, read);
  // In either direction, because the clock may have been set back.
  const isGood = ({ at, forMs }: Made): boolean => Math.abs(atMs - Date.parse(at)) < forMs;
  const decide = async (): Promise<Made> => {
    const before = await store.filledAt(widget.widgetId, parameters, instant(atMs));
    if (before !== null) return made(before, false);
    const { value: prices, computedAtMs, fresh: isOurs } = await unpaid();
    const readAt = instant(computedAtMs);
    if (prices === null) return refused(readAt, NOTHING_FOR_MS, CLOSED[type]);
    if (!hasPrice(prices, nowMs)) {
      const free = { prices, filledAt: readAt, outcome: 'free' } as const;
      return { ...made(readAt, isOurs), forMs: NOTHING_FOR_MS, free };
    }
    const charged = await charge(store, asking, { parameters, prices, atMs, nowMs });
    if (charged.refusal === null && charged.free === null) await shared(charged, async () => prices);
    return charged;
  };
  const { value: last, fresh } = await decided(fills, name, share, isGood, decide);
  if (last.refusal !== null && last.free === null) throw new Refused(last.refusal);
  const value = last.free?.prices ?? (await shared(last, read)).value;
  const content = value && contentOf(value, widget, one, nowMs);
  if (value === null || content === null) throw new Refused(CLOSED[type]);
  const cached = !(fresh && last.fresh);
  record({ type, outcome: last.free?.outcome ?? (cached ? 'cached' : 'charged') });
  return {
    kind: 'filled',
    asOfMs: value.asOfMs,
    cached,
    delayed: last.refusal !== null,
    ageSeconds: Math.max(0, Math.floor((atMs - Date.parse(last.free?.filledAt ?? last.at)) / 1000)),
    // Including a bare one: pages without prices poll no more often than others.
    nextInSeconds: Math.max(1, Math.ceil((Date.parse(last.at) + FILLED_FOR_MS - atMs) / 1000)),
    content,
  };
}

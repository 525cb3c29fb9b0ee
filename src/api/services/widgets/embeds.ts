// What readers of customers' sites are shown, and what of it is charged (A 4.13, D7): widget, origin, plan, an earlier fill, the prices, limit of
// the hour, balance, charge; what shows no price is free. Prices are those that any customer may see.
import { createHash } from 'node:crypto';
import { createCache } from '../../../cache';
import { canonicalJson } from '../../../domain/events/canonical-json';
import { captionOf } from '../../../domain/widgets/caption';
import { periodAt } from '../../../plans/credits';
import { monthlyCreditsOf } from '../../../plans/overage';
import { planNamed } from '../../../plans/plans';
import { mayUse } from '../../../plans/rights';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import type { EmbeddedWidget, WidgetFillStore } from '../../../store/widgets/fills';
import type { One, Reader, WidgetFill, WidgetFrame, WidgetRefusal, WidgetSource } from '../../../web/widgets/source';
import { FILL_CREDITS, FILLED_FOR_SECONDS } from '../../schemas/widgets/widget';
import type { Served } from './fill-metrics';
import { contentOf, hasPrice, ID_OF, type PriceReads, type PricesRead, readPrices } from './prices';

interface EmbedDeps extends PriceReads {
  readonly store: WidgetFillStore;
  /** By the wall clock, of fills alone: they expire by it, and must not evict answers of the operations. */
  readonly fillAnswers: SharedAnswers;
  /** Of the service. */
  readonly ownOrigins: readonly string[];
  /** Race time, epoch milliseconds. */
  now(): number;
  /** Wall clock, epoch milliseconds: fills and credits (D37). */
  wallMs(): number;
  /** Gets every fill and refusal. */
  record(served: Served): void;
}

/** What was last decided of a parameter set. */
interface Made {
  /** Wall time of the fill, of the refusal, or of the reading that found nothing to show. */
  readonly at: string;
  /** It is shown for so long. */
  readonly forMs: number;
  /** By the call that made it, not by an earlier one. */
  readonly fresh: boolean;
  /** What shows no price: it is free. */
  readonly bare: PricesRead | null;
  /** Null: it is a fill. */
  readonly refusal: WidgetRefusal | null;
}

/** Part of the cache key: raise it when what is cached changes in form or content. */
const FORM = 'widget fill 3';
const FILLED_FOR_MS = FILLED_FOR_SECONDS * 1000;
/** So that the readers of a widget that has nothing to show, or no credits, cost the database little. */
const NOTHING_FOR_MS = 5000;
const MOST_FILLS = 5000;

const CLOSED = { racing: { kind: 'race' }, sports: { kind: 'match' } } as const;

class Refused extends Error {
  constructor(readonly refusal: WidgetRefusal) {
    super(refusal.kind);
  }
}

export function createWidgetEmbeds(deps: EmbedDeps): WidgetSource {
  const { store, fillAnswers, ownOrigins, now, wallMs, record } = deps;
  // So that the readers of a minute cause one query for their fill, and those who come at its end one new fill.
  const fills = createCache<Made>(MOST_FILLS);

  const charge = async (embedId: string, credits: number, parameters: string, atMs: number, reader: Reader) => {
    const order = { embedId, parameters, credits, at: instant(atMs), period: periodAt(atMs).id };
    const filled = await store.fill(order, (widget) => judge(widget, reader), monthlyCreditsOf);
    if (filled.kind === 'filled') return made(filled.at, filled.charged);
    if (filled.kind === 'missing') throw new Refused({ kind: 'missing' });
    if (filled.kind === 'spent') return refused(order.at, NOTHING_FOR_MS, { kind: 'spent' });
    const waitSeconds = Math.ceil(filled.waitMs / 1000);
    return refused(order.at, Math.min(NOTHING_FOR_MS, filled.waitMs), { kind: 'busy', waitSeconds });
  };

  const fill = async (embedId: string, one: One | null, reader: Reader): Promise<WidgetFill> => {
    const widget = await store.embedded(embedId);
    judge(widget, reader);
    const { type } = widget.shows;
    if (one !== null && one.parameter !== ID_OF[type]) throw new Refused({ kind: 'parameter', wanted: ID_OF[type] });
    const atMs = wallMs();
    // One time for the whole request: what was judged to have a price, and charged, is shown.
    const nowMs = now();
    const parameters = parametersOf(widget, one);
    const name = `${widget.widgetId} ${parameters}`;
    const shared = ({ at }: Made, compute: () => Promise<PricesRead | null>) =>
      fillAnswers.get(`${FORM} ${name} ${at}`, 2 * FILLED_FOR_MS, atMs, compute);
    const read = () => readPrices(deps, widget, one, nowMs);
    /** What a fill would show, before it is charged. */
    const unpaid = () => fillAnswers.get(`${FORM} ${name}`, NOTHING_FOR_MS, atMs, read);
    // Either way, because the clock may have been set back.
    const isGood = ({ at, forMs }: Made): boolean => Math.abs(atMs - Date.parse(at)) < forMs;
    const { value: last, fresh } = await fills.get(name, isGood, async () => {
      const before = await store.filledAt(widget.widgetId, parameters, instant(atMs));
      if (before !== null) return made(before, false);
      const { value: prices, computedAtMs, fresh: isOurs } = await unpaid();
      const readAt = instant(computedAtMs);
      if (prices === null) return refused(readAt, NOTHING_FOR_MS, CLOSED[type]);
      if (!hasPrice(prices, nowMs))
        return { at: readAt, forMs: NOTHING_FOR_MS, fresh: isOurs, bare: prices, refusal: null };
      const charged = await charge(embedId, FILL_CREDITS[type], parameters, atMs, reader);
      if (charged.refusal === null) await shared(charged, async () => prices);
      return charged;
    });
    if (last.refusal !== null) throw new Refused(last.refusal);
    const value = last.bare ?? (await shared(last, read)).value;
    const content = value && contentOf(value, widget, one, nowMs);
    if (value === null || content === null) throw new Refused(CLOSED[type]);
    const cached = !(fresh && last.fresh);
    record({ type, outcome: last.bare !== null ? 'free' : cached ? 'cached' : 'charged' });
    return {
      kind: 'filled',
      asOfMs: value.asOfMs,
      cached,
      // A bare one too: pages that show no price look no more often than others.
      nextInSeconds: Math.max(1, Math.ceil((Date.parse(last.at) + FILLED_FOR_MS - atMs) / 1000)),
      content,
    };
  };

  return {
    ownOrigins,
    frame: async (embedId) => {
      const widget = await store.embedded(embedId);
      return widget && { ...looksOf(widget), version: versionOf(widget) };
    },
    fill: (...of) =>
      fill(...of).catch((error) => {
        if (!(error instanceof Refused)) throw error;
        record({ reason: error.refusal.kind });
        return error.refusal;
      }),
  };
}

const made = (at: string, fresh: boolean): Made => ({ at, forMs: FILLED_FOR_MS, fresh, bare: null, refusal: null });

const refused = (at: string, forMs: number, refusal: WidgetRefusal): Made => ({ ...made(at, false), forMs, refusal });

const instant = (ms: number): string => new Date(ms).toISOString();

/** Throws the refusal of a widget that this reader is not shown. */
function judge(widget: EmbeddedWidget | null, reader: Reader): asserts widget {
  if (widget === null) throw new Refused({ kind: 'missing' });
  const { allowedOrigins, paused, plan: name, key } = widget;
  // Browsers judge who may frame the widget's own page when they load it, so a change of the sites ends the pages that are open.
  if (reader !== null && 'pageVersion' in reader) {
    if (reader.pageVersion !== versionOf(widget)) throw new Refused({ kind: 'changed' });
  } else if (!allowedOrigins.includes(reader?.origin ?? '')) throw new Refused({ kind: 'origin' });
  if (paused) throw new Refused({ kind: 'paused' });
  const plan = planNamed(name);
  if (!plan || !key || !mayUse('widgets', plan, key.issuedAt)) throw new Refused({ kind: 'plan' });
}

/** What a widget's own page has from its loading. */
function looksOf({ shows, title, accent, theme, allowedOrigins }: EmbeddedWidget): Omit<WidgetFrame, 'version'> {
  const caption = captionOf(shows.type === 'sports' ? shows.sportKey : null);
  return { caption, title, accent, theme, allowedOrigins };
}

const versionOf = (widget: EmbeddedWidget): string => digest(looksOf(widget)).slice(0, 16);

const digest = (value: object): string => createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** What decides which prices are read. Other releases find a fill of the minute by it: its form stays. */
function parametersOf({ bookmakers, shows }: EmbeddedWidget, one: One | null): string {
  if (shows.type === 'racing') {
    const { categories, countries, races } = shows;
    return digest({ bookmakers, categories, countries, ...(one === null ? { races } : { raceId: one.id }) });
  }
  const { type, sportKey, market, matches } = shows;
  return digest({ bookmakers, type, sportKey, market, ...(one === null ? { matches } : { eventId: one.id }) });
}

// Whether a reader may see a widget at all, and under which names its prices are read and shared.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../domain/events/canonical-json';
import { captionOf } from '../../../../domain/widgets/caption';
import { planNamed } from '../../../../plans/plans';
import { mayUse } from '../../../../plans/rights';
import type { EmbeddedWidget } from '../../../../store/widgets/fills';
import type { One, Reader, WidgetFrame, WidgetRefusal } from '../../../../web/widgets/source';

export class Refused extends Error {
  constructor(readonly refusal: WidgetRefusal) {
    super(refusal.kind);
  }
}

/** Throws the refusal of a widget that this reader may not see. */
export function judge(widget: EmbeddedWidget | null, reader: Reader): asserts widget {
  if (widget === null) throw new Refused({ kind: 'missing' });
  const { allowedOrigins, paused, plan: name, key } = widget;
  // Browsers check who may frame the widget's own page when they load it, so a change of the sites ends the open pages.
  if (reader !== null && 'pageVersion' in reader) {
    if (reader.pageVersion !== versionOf(widget)) throw new Refused({ kind: 'changed' });
  } else if (!allowedOrigins.includes(reader?.origin ?? '')) throw new Refused({ kind: 'origin' });
  if (paused) throw new Refused({ kind: 'paused' });
  const plan = planNamed(name);
  if (!plan || !key || !mayUse('widgets', plan, key.issuedAt)) throw new Refused({ kind: 'plan' });
}

/** What a widget's own page received when it was loaded. */
export function looksOf({
  shows,
  title,
  accent,
  theme,
  allowedOrigins,
}: EmbeddedWidget): Omit<WidgetFrame, 'version' | 'token'> {
  const caption = captionOf(shows.type === 'sports' ? shows.sportKey : null);
  return { caption, title, accent, theme, allowedOrigins };
}

export const versionOf = (widget: EmbeddedWidget): string => digest(looksOf(widget)).slice(0, 16);

const digest = (value: object): string => createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** Decides which prices are read. Other releases find a fill of the minute by it, so its form is fixed. */
export function parametersOf({ bookmakers, shows }: EmbeddedWidget, one: One | null): string {
  if (shows.type === 'racing') {
    const { categories, countries, races } = shows;
    return digest({ bookmakers, categories, countries, ...(one === null ? { races } : { raceId: one.id }) });
  }
  const { type, sportKey, market, matches } = shows;
  return digest({ bookmakers, type, sportKey, market, ...(one === null ? { matches } : { eventId: one.id }) });
}

/** Decides the prices of one race or match, in any set that shows it. */
export function readingOf({ bookmakers, shows }: EmbeddedWidget): string {
  if (shows.type === 'racing') return digest({ bookmakers });
  const { type, sportKey, market } = shows;
  return digest({ bookmakers, type, sportKey, market });
}

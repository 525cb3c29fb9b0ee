// Widgets in the names of the API (A 4.13).
import type { StoredWidget } from '../../store/widgets/widgets';
import type { WidgetWire } from '../schemas/widgets/widget';

export function presentWidget(widget: StoredWidget, isEntitled: boolean, baseUrl: string): WidgetWire {
  const { widgetId, embedId, paused, ...of } = widget;
  const url = `${baseUrl}/widgets/${embedId}`;
  return {
    id: widgetId,
    type: 'racing',
    name: of.name,
    embed_id: embedId,
    embed_url: url,
    embed_html: `<iframe src="${url}" title="Racing odds" width="100%" height="640" style="border:0" loading="lazy"></iframe>`,
    fill_url: `${url}/fill`,
    allowed_origins: [...of.allowedOrigins],
    max_fills_per_hour: of.maxFillsPerHour,
    link_templates: of.linkTemplates,
    bookmakers: of.bookmakers as WidgetWire['bookmakers'],
    categories: [...of.categories],
    country: [...of.countries],
    num_races: of.races,
    title: of.title,
    accent: of.accent,
    theme: of.theme,
    paused,
    is_active: isEntitled && !paused,
    fill_entitled: isEntitled,
    fills_last_hour: of.fillsLastHour,
    last_filled_at: of.lastFilledAt,
    created_at: of.createdAt,
    changed_at: of.changedAt,
  };
}

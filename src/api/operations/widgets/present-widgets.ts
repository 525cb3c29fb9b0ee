// Widgets in the names of the API (A 4.13).
import { embedMarkup, embedUrl } from '../../../domain/widgets/caption';
import type { StoredWidget, WidgetSettings } from '../../../store/widgets/widgets';
import type { WidgetWire } from './widget-schema';

export function presentWidget(widget: StoredWidget, isEntitled: boolean, baseUrl: string): WidgetWire {
  const { widgetId, embedId, paused, shows, ...of } = widget;
  const url = embedUrl(baseUrl, embedId);
  return {
    id: widgetId,
    type: shows.type,
    name: of.name,
    embed_id: embedId,
    embed_url: url,
    embed_html: embedMarkup(url, shows.type === 'sports' ? shows.sportKey : null),
    fill_url: `${url}/fill`,
    allowed_origins: [...of.allowedOrigins],
    max_fills_per_hour: of.maxFillsPerHour,
    max_fills_per_month: of.maxFillsPerMonth,
    link_templates: of.linkTemplates,
    bookmakers: of.bookmakers as WidgetWire['bookmakers'],
    ...membersOf(shows),
    title: of.title,
    accent: of.accent,
    theme: of.theme,
    paused,
    is_active: isEntitled && !paused,
    fill_entitled: isEntitled,
    fills_last_hour: of.fillsLastHour,
    fills_this_month: of.fillsThisMonth,
    last_filled_at: of.lastFilledAt,
    created_at: of.createdAt,
    changed_at: of.changedAt,
  };
}

function membersOf(shows: WidgetSettings['shows']) {
  if (shows.type === 'sports') {
    const { sportKey, market, matches } = shows;
    return { categories: [], country: [], num_races: null, sport_key: sportKey, market, num_matches: matches };
  }
  const { categories, countries, races } = shows;
  const none = { sport_key: null, market: null, num_matches: null };
  return { categories: [...categories], country: [...countries], num_races: races, ...none };
}

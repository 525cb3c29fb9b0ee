// Settings of a widget as requests name them, in the terms of the store.
import type { WidgetSettings } from '../../../store/widgets/widgets';
import { USUAL, type WidgetWanted } from '../../schemas/widgets/widget';

/** What is not sent is absent. */
export function changeOf(sent: WidgetWanted): Partial<WidgetSettings> {
  const named: { readonly [M in keyof WidgetSettings]: WidgetSettings[M] | undefined } = {
    name: sent.name,
    allowedOrigins: sent.allowed_origins,
    maxFillsPerHour: sent.max_fills_per_hour,
    linkTemplates: sent.link_templates as Readonly<Record<string, string>> | undefined,
    bookmakers: sent.bookmakers,
    categories: sent.categories,
    countries: sent.country,
    races: sent.num_races,
    title: sent.title,
    accent: sent.accent,
    theme: sent.theme,
    paused: sent.paused,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Of a new widget. */
export const settingsOf = (
  sent: WidgetWanted & Pick<Required<WidgetWanted>, 'name' | 'allowed_origins'>,
): WidgetSettings => changeOf({ ...USUAL, paused: false, ...sent } as WidgetWanted) as WidgetSettings;

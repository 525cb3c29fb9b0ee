// Settings of a widget as requests name them: validated, and in the store's terms.
import { templateProblem, type WidgetType } from '../../../domain/widgets/link-template';
import { originProblem } from '../../../domain/widgets/site-origin';
import { type InputProblem, invalid } from '../../../errors';
import type { RacingShown, SportShown, WidgetSettings } from '../../../store/widgets/widgets';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { comparedBooks } from '../../wire/select-race';
import { isSiteHost } from './site-host';
import { MEMBERS_OF, USUAL, USUAL_OF, type WidgetSent, type WidgetWanted } from './widget-schema';

/** For a new widget. Throws every problem. */
export function settingsOf({ type = 'racing', ...sent }: WidgetSent): WidgetSettings {
  const problems = problemsOf(sent, type);
  if (type === 'sports' && sent.sport_key === undefined)
    problems.push({
      pointer: '/sport_key',
      detail: '/sport_key is required: send the sport that the widget shows, as GET /v1/sports lists it.',
    });
  if (problems.length > 0) throw invalid(problems);
  const whole = { ...USUAL, ...USUAL_OF[type], ...sent } as WidgetWanted;
  return { ...lookOf(whole), paused: false, shows: { type, ...shownOf(whole) } } as WidgetSettings;
}

/** Members that are not sent keep their value. Throws every problem. */
export function changed<S extends WidgetSettings>(stored: S, sent: WidgetWanted): S {
  const problems = problemsOf(sent, stored.shows.type);
  if (problems.length > 0) throw invalid(problems);
  return { ...stored, ...lookOf(sent), shows: { ...stored.shows, ...shownOf(sent) } };
}

function lookOf(sent: WidgetWanted): Partial<WidgetSettings> {
  return present<Omit<WidgetSettings, 'shows'>>({
    name: sent.name,
    allowedOrigins: distinct(sent.allowed_origins),
    maxFillsPerHour: sent.max_fills_per_hour,
    maxFillsPerMonth: sent.max_fills_per_month,
    linkTemplates: sent.link_templates as WidgetSettings['linkTemplates'] | undefined,
    bookmakers: distinct(sent.bookmakers),
    title: sent.title,
    accent: sent.accent?.toLowerCase(),
    theme: sent.theme,
    paused: sent.paused,
  });
}

const shownOf = (sent: WidgetWanted) =>
  present<Omit<RacingShown, 'type'> & Omit<SportShown, 'type'>>({
    categories: distinct(sent.categories),
    countries: distinct(sent.country),
    races: sent.num_races,
    sportKey: sent.sport_key,
    market: sent.market,
    matches: sent.num_matches,
  });

const distinct = <T>(list: readonly T[] | undefined): readonly T[] | undefined => list && [...new Set(list)];

const present = <T>(members: { readonly [M in keyof T]: T[M] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What a schema cannot express. */
function problemsOf(sent: WidgetWanted, type: WidgetType): InputProblem[] {
  const other = type === 'racing' ? 'sports' : 'racing';
  return [
    ...(sent.allowed_origins ?? []).flatMap((text, i) =>
      refusedAs(`/allowed_origins/${i}`, originProblem(text, isSiteHost)),
    ),
    ...Object.entries(sent.link_templates ?? {}).flatMap(([key, text]) =>
      refusedAs(`/link_templates/${key}`, templateProblem(text as string, type)),
    ),
    ...refusedAs('/bookmakers', booksProblem(sent.bookmakers)),
    ...MEMBERS_OF[other]
      .filter((name) => name in sent)
      .flatMap((name) => refusedAs(`/${name}`, `it is a setting of widgets of type ${other}`)),
  ];
}

/** The prices of retired bookmakers are not compared: a list of only those would show nothing. */
const booksProblem = (keys: readonly string[] = []): string | null =>
  keys.length === 0 || comparedBooks(keys, CUSTOMERS).length > 0
    ? null
    : 'the prices of none of these bookmakers are compared; add one, or send an empty list for all';

const refusedAs = (pointer: string, problem: string | null): InputProblem[] =>
  problem === null ? [] : [{ pointer, detail: `${pointer} is not allowed: ${problem}.` }];

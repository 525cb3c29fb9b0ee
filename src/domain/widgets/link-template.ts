// Links of a widget to bookmakers: templates that its owner writes, with placeholders for what is priced (A 4.13).
// Pure.

/** What a template may name, by what the widget shows. The values of a link are percent-encoded. */
export const PLACEHOLDERS = {
  racing: ['race_id', 'race_number', 'venue', 'category', 'runner_number', 'runner_name', 'bookmaker'],
  sports: ['event_id', 'sport_key', 'home_team', 'away_team', 'market', 'selection', 'point', 'bookmaker'],
} as const;

export type WidgetType = keyof typeof PLACEHOLDERS;
export type LinkValues<T extends WidgetType> = Readonly<Record<(typeof PLACEHOLDERS)[T][number], string | number>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** Visible ASCII, and no backslash, which browsers read as a slash. */
const ADDRESS = /^[!-[\]-~]+$/;

/** The problem with a template, completing "… is not allowed: "; null: none. */
export function templateProblem(template: string, type: WidgetType): string | null {
  const names: readonly string[] = PLACEHOLDERS[type];
  if (!template.startsWith('https://')) return 'it must begin with https://';
  if (!ADDRESS.test(template)) return 'it may have visible ASCII characters and no backslash; percent-encode others';
  const unknown = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!).find((name) => !names.includes(name));
  if (unknown !== undefined)
    return `{${unknown.slice(0, 40)}} is no placeholder; valid ones are ${names.map((name) => `{${name}}`).join(', ')}`;
  if (/[{}]/.test(template.replace(PLACEHOLDER, ''))) return 'every { needs a }';
  // The text of a race, a runner or a team must not decide where the link goes. Browsers read `a` as the host of
  // `https:///a`.
  const [, host] = /^https:\/\/([^/?#]+)/.exec(template) ?? [];
  if (host === undefined) return 'it has no host';
  if (host.includes('{')) return 'its host may have no placeholder';
  const example = template.replace(PLACEHOLDER, 'x');
  if (!URL.canParse(example)) return 'it is no URL';
  const { username, password } = new URL(example);
  return username + password === '' ? null : 'it may have no user name or password';
}

export const linkOf = <T extends WidgetType>(template: string, values: LinkValues<T>): string =>
  template.replace(PLACEHOLDER, (_, name: keyof LinkValues<T>) =>
    encodeURIComponent(String(values[name]).toWellFormed()),
  );

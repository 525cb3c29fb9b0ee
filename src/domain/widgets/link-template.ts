// Links of a widget to bookmakers: templates that its owner writes, with placeholders for the race and the runner (A 4.13). Pure.

/** What a template may name. The values of a link are percent-encoded. */
export const PLACEHOLDERS = [
  'race_id',
  'race_number',
  'venue',
  'category',
  'runner_number',
  'runner_name',
  'bookmaker',
] as const;

export type LinkValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string | number>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** Visible ASCII, and no backslash, which browsers read as a slash. */
const ADDRESS = /^[!-[\]-~]+$/;

/** What is wrong with a template, completing "… is not allowed: "; null: nothing. */
export function templateProblem(template: string): string | null {
  if (!template.startsWith('https://')) return 'it must begin with https://';
  if (!ADDRESS.test(template)) return 'it may have visible ASCII characters and no backslash; percent-encode others';
  const unknown = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!).find((name) => !isPlaceholder(name));
  if (unknown !== undefined)
    return `{${unknown.slice(0, 40)}} is no placeholder; valid ones are ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`;
  if (/[{}]/.test(template.replace(PLACEHOLDER, ''))) return 'every { needs a }';
  // A race's or a runner's text must not decide where the link goes. Of `https:///a` browsers take `a` for the host.
  const [, host] = /^https:\/\/([^/?#]+)/.exec(template) ?? [];
  if (host === undefined) return 'it has no host';
  if (host.includes('{')) return 'its host may have no placeholder';
  const example = template.replace(PLACEHOLDER, 'x');
  if (!URL.canParse(example)) return 'it is no URL';
  const { username, password } = new URL(example);
  return username + password === '' ? null : 'it may have no user name or password';
}

const isPlaceholder = (name: string): boolean => (PLACEHOLDERS as readonly string[]).includes(name);

export const linkOf = (template: string, values: LinkValues): string =>
  template.replace(PLACEHOLDER, (_, name: keyof LinkValues) => encodeURIComponent(String(values[name]).toWellFormed()));

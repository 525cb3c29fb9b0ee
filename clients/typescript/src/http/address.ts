// The address of a call, from the path of its operation. Lists are one value with commas.

type Value = string | number | boolean;
export type Query = Readonly<Record<string, Value | readonly Value[] | null | undefined>>;

/** Refuses a path parameter that would lead to another path. */
export function addressOf(path: string, values: Readonly<Record<string, Value>> = {}, query: Query = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(values[name] ?? '');
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`The path parameter ${name} is missing.`);
    return encodeURIComponent(text);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

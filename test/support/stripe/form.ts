// Reads the bodies and queries of Stripe's API: form encoding with brackets, `items[0][price]=price_1`.

export type Params = { [name: string]: Params | string };

export function readForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/^[^[]+|\[([^\]]*)\]/g)].map(([whole, inner]) => inner ?? whole);
    let at = root;
    for (const [i, step] of path.entries()) {
      const key = step === '' ? String(Object.keys(at).length) : step;
      if (i === path.length - 1) at[key] = value;
      else {
        at[key] ??= {};
        at = at[key] as Params;
      }
    }
  }
  return root;
}

/** `a.b.0`, or undefined. */
export function param(params: Params, path: string): string | undefined {
  let at: Params | string | undefined = params;
  for (const step of path.split('.')) at = typeof at === 'object' ? at[step] : undefined;
  return typeof at === 'string' ? at : undefined;
}

export const nested = (params: Params, name: string): Params => (typeof params[name] === 'object' ? params[name] : {});

export const texts = (params: Params, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(nested(params, name)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

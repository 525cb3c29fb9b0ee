// The main part of a page, rendered once a second for all its viewers: a value of the board is cached for a second, and
// every stream that reports it fetches the same text. Ages and countdowns tick in the browser.
import type { Html } from '../html';

interface Rendered {
  readonly second: number;
  readonly main: Html;
}

const renderedValues = new WeakMap<object, Map<string, Rendered>>();

/** `page`: what is rendered of the value, since one value may be on several pages. */
export function renderedOnce<T extends object>(
  { value, page, nowMs }: { readonly value: T; readonly page: string; readonly nowMs: number },
  render: (value: T, nowMs: number) => Html,
): Html {
  const pages = renderedValues.get(value) ?? new Map<string, Rendered>();
  renderedValues.set(value, pages);
  const second = Math.floor(nowMs / 1000);
  const known = pages.get(page);
  if (known?.second === second) return known.main;
  const main = render(value, nowMs);
  pages.set(page, { second, main });
  return main;
}

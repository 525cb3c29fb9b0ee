// Reads a shortened JSON text back, without the code that made it.

/** Of what is left out: how many, at the end of this list or object; null: some, in one line. */
class Left {
  constructor(readonly count: number | null) {}
}

const LEFT = '\u0000left';

/** The text as values, with a last element, or a member, for each mark. */
export function readExcerpt(lines: readonly string[]): unknown {
  const text = lines
    .map((line) =>
      line
        .replace(/^(\s*)… (\d+) more members?$/, `$1"${LEFT}": $2`)
        .replace(/^(\s*)… (\d+) more$/, `$1{"${LEFT}": $2}`),
    )
    .map((line) =>
      line
        .replace(/(^|, )… \}(,?)$/, (_, comma, end) => `${comma}"${LEFT}": null }${end}`)
        .replace(/\{ … \}/, `{ "${LEFT}": null }`),
    )
    .join('\n')
    .replaceAll('\u0000', '\\u0000');
  return JSON.parse(text);
}

/** Whether what is shown is part of the whole, and each mark has the number that is missing. */
export function containedIn(whole: unknown, shown: unknown): boolean {
  if (shown === null || typeof shown !== 'object') return Object.is(whole, shown);
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole) !== Array.isArray(shown)) return false;
  return Array.isArray(shown) ? startsWith(whole as unknown[], shown) : isPart(whole, shown);
}

function startsWith(whole: readonly unknown[], shown: readonly unknown[]): boolean {
  const last = leftOf(shown.at(-1));
  const values = last ? shown.slice(0, -1) : shown;
  const missing = whole.length - values.length;
  return missing === (last?.count ?? 0) && values.every((value, i) => containedIn(whole[i], value));
}

function isPart(whole: object, shown: object): boolean {
  const members = Object.entries(shown).filter(([name]) => name !== LEFT);
  const missing = Object.keys(whole).length - members.length;
  const left = Object.entries(shown).find(([name]) => name === LEFT)?.[1] as number | null | undefined;
  const counted = left === undefined ? missing === 0 : left === null ? missing > 0 : missing === left;
  const of = new Map(Object.entries(whole));
  return counted && members.every(([name, value]) => of.has(name) && containedIn(of.get(name), value));
}

function leftOf(value: unknown): Left | null {
  if (value === null || typeof value !== 'object' || Object.keys(value).join() !== LEFT) return null;
  return new Left((value as Record<string, number>)[LEFT]!);
}

// Each class belongs to one sheet: two that style the same name change each other's pages. Sheets for a window, paper
// or forced colours adapt the classes of the others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../src/web/assets/css');
const ADAPTING = ['narrow.css', 'phone.css', 'wide.css', 'print.css', 'forced.css'];

/** Another sheet adds to them and knows it: to times of two zones, to tables of two pages, to a card in a grid. */
const SHARED = ['about-scroll', 'card-at', 'cell', 'empty', 'outcome', 'top'];

/** Those that a sheet styles by themselves, wherever they stand. */
const classesOf = (sheet: string): Set<string> => {
  const rules = readFileSync(join(FOLDER, sheet), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list!.split(','));
  return new Set(selectors.flatMap((one) => /^\s*\.([\w-]+)(?::[\w-]+(?:\(.*\))?)?\s*$/.exec(one)?.[1] ?? []));
};

test('no class is styled by itself in two sheets, but those that are listed', () => {
  const owners = new Map<string, string[]>();
  for (const sheet of readdirSync(FOLDER).filter((name) => !ADAPTING.includes(name)))
    for (const name of classesOf(sheet)) owners.set(name, [...(owners.get(name) ?? []), sheet]);
  expect(owners.size).toBeGreaterThan(200);
  const shared = [...owners].filter(([, sheets]) => sheets.length > 1);
  expect(shared.filter(([name]) => !SHARED.includes(name))).toEqual([]);
  expect(shared.map(([name]) => name).sort()).toEqual(SHARED);
});

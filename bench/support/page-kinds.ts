// One address of each kind of page that links lead to from `/`.

const MOST_PAGES = 400;
const MOST_AT_ONCE = 40;
const FOLDERS = ['docs', 'sports', 'meeting'];

/** `/race/…/past` for every race: one kind; of documents, matches and meetings one of each folder. */
function kindOf(path: string): string {
  const [, first, second, ...rest] = path.split('/');
  const below = FOLDERS.includes(first!) ? rest.map(() => '*') : rest;
  return [first, ...(second === undefined ? [] : ['*']), ...below].join('/');
}

/** Paths in the order in which they are found; a page that is a file or no HTML is left out. */
export async function kindsOfPages(url: string): Promise<readonly string[]> {
  const found = new Map<string, string>();
  const seen = new Set<string>(['/']);
  const open = ['/'];
  for (let read = 0; open.length > 0 && read < MOST_PAGES; read += 1) {
    const path = open.shift()!;
    if (found.has(kindOf(path))) continue;
    const response = await fetch(url + path, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    const text = await response.text();
    if (response.status !== 200 || !response.headers.get('content-type')?.includes('html')) continue;
    found.set(kindOf(path), path);
    const links = [...text.matchAll(/<a\b[^>]*?\shref="(\/[^"#?]*)/g)].map(([, link]) => link!);
    for (const link of new Set(links)) {
      const kind = kindOf(link);
      const ofKind = open.filter((one) => kindOf(one) === kind).length;
      if (seen.has(link) || found.has(kind) || ofKind >= MOST_AT_ONCE || link.startsWith('//')) continue;
      seen.add(link);
      open.push(link);
    }
  }
  return [...found.values()];
}

// Checks the contract of docs/contract both ways: every citation has one clause, and every clause is cited, is
// somewhere in the code and is proved by a test. Its page has only public clauses.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citedIn, clausesIn, readSubjects } from '../src/web/contract/clauses';
import { contractPage, publicSubjects } from '../src/web/contract/page';

const ROOT = join(__dirname, '..');
const CONTRACT = 'docs/contract';

/** Clauses that no test proves. The list may only shrink. */
const UNPROVED: readonly string[] = [];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const SUBJECTS = readSubjects();
const CLAUSES = SUBJECTS.flatMap(({ clauses }) => clauses);
const KNOWN: ReadonlySet<string> = new Set(CLAUSES.map(({ id }) => id));
const INTERNAL = CLAUSES.filter(({ isPublic }) => !isPublic);

const CODE = ['src', 'test', 'migrations', 'scripts', 'bench', 'deploy'];
const TEXT = /\.(?:[jt]s|mjs|sql|md|css|tsv|txt|ya?ml|sh)$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => TEXT.test(name))
    .map((name) => `${folder}/${name}`);

/** Ids with the lines that cite them. */
function citations(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const [i, line] of read(file).split('\n').entries()) {
      for (const id of citedIn(rangesWhole(line))) found.set(id, [...(found.get(id) ?? []), `${file}:${i + 1}`]);
    }
  }
  return found;
}

/** `B 4.1 to 4.3` cites both ends. */
const rangesWhole = (line: string): string => line.replace(/\b([AB]) (\d\.\d+) (to|and) (?=\d\.\d)/g, '$1 $2 $3 $1 ');

const withoutClause = (cited: ReadonlyMap<string, readonly string[]>): string[] =>
  [...cited]
    .filter(([id]) => !KNOWN.has(id))
    .map(([id, lines]) => `${id} is no clause: ${lines.slice(0, 5).join(', ')}`);

/** This file cites texts that are not clauses. */
const inCode = citations(CODE.flatMap(filesBelow).filter((file) => file !== 'test/contract-clauses.test.ts'));
const inDocuments = citations([...filesBelow('docs'), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']);

const words = (text: string): number => text.split(/\s+/).length;
const textsOf = ({ blocks }: (typeof CLAUSES)[number]): readonly string[] =>
  blocks.flatMap((one) => {
    if (one.kind === 'text') return [one.text];
    return one.kind === 'list' ? one.items : [one.head, ...one.rows].map((cells) => cells.join(' '));
  });

describe('citations', () => {
  test('each refers to one clause', () => {
    expect(inCode.size).toBeGreaterThan(120);
    expect([...withoutClause(inCode), ...withoutClause(inDocuments)]).toEqual([]);
    expect(CLAUSES.map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i)).toEqual([]);
  });

  test('each clause is cited by code, or has the reason why not', () => {
    const uncited = CLAUSES.filter(({ id }) => !inCode.has(id)).map(({ id }) => id);
    expect(CLAUSES.filter((one) => one.uncited !== null).map(({ id }) => id)).toEqual(uncited);
  });

  test('a citation without a clause is found with its lines, also at the end of a range', () => {
    const planted = ['A 2.99', 'D99', 'B 4.88', 'A 12.3'];
    const line = `// By ${planted[0]} and ${planted[1]}; B 4.1 to ${planted[2]!.slice(2)}, ${planted[3]}, A 2.4 rule 7.`;
    expect(citedIn(rangesWhole(line))).toEqual([planted[0], planted[1], 'B 4.1', planted[2], planted[3], 'A 2.4']);
    const cited = new Map(citedIn(rangesWhole(line)).map((id) => [id, ['a.ts:1']]));
    expect(withoutClause(cited)).toEqual(planted.map((id) => `${id} is no clause: a.ts:1`));
  });

  test('sentences are not citations', () => {
    expect(citedIn('A 200 is charged, A 304 is not. A1, D0 and B 100 are none, nor is D171.')).toEqual([]);
  });
});

describe('clauses', () => {
  test('name paths that exist: one to three of the code, up to three tests', () => {
    const all = CLAUSES.flatMap(({ implementedIn, provedBy }) => [...implementedIn, ...provedBy]);
    expect(all.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const isBad = ({ implementedIn, provedBy }: (typeof CLAUSES)[number]): boolean =>
      implementedIn.some((path) => !path.startsWith('src/')) ||
      provedBy.some((path) => !/^test\/.+\.test\.ts$/.test(path)) ||
      implementedIn.length > 3 ||
      provedBy.length > 3;
    expect(CLAUSES.filter(isBad).map(({ id }) => id)).toEqual([]);
  });

  test('are each proved by a test, except those listed', () => {
    expect(CLAUSES.filter(({ provedBy }) => provedBy.length === 0).map(({ id }) => id)).toEqual(UNPROVED);
  });

  test('begin with a sentence, and none is long', () => {
    const unsaid = CLAUSES.filter(({ blocks: [first] }) => first?.kind !== 'text' || !/[.:]$/.test(first.text));
    expect(unsaid.map(({ id }) => id)).toEqual([]);
    const long = CLAUSES.flatMap((one) => textsOf(one).filter((text) => words(text) > 60));
    expect(long).toEqual([]);
  });

  test('are in short files, all listed in README', () => {
    const files = readdirSync(join(ROOT, CONTRACT));
    expect(files.sort()).toEqual(['README.md', ...SUBJECTS.map(({ name }) => `${name}.md`)].sort());
    for (const { name, title } of SUBJECTS) {
      const source = read(`${CONTRACT}/${name}.md`);
      expect([name, source.split('\n')[0]]).toEqual([name, `# ${title}`]);
      expect(words(source)).toBeLessThan(2500);
      expect(source.split('\n').filter((line) => line.length > 120)).toEqual([]);
    }
  });
});

const FORM = `# Prices

### <a id="a-2.4"></a>A 2.4 · Best \`price\`

A sentence on
two lines.

- An item, on
  two lines.
- Another.

| Head | Second |
|---|---|
| one | \`two\` |

public · \`src/a.ts\`,
\`src/b\` · no test · uncited: it is new

### <a id="d17"></a>D17 · Identity

A sentence.

internal · \`src/c.ts\` · \`test/c.test.ts\`
`;

describe('a file', () => {
  test('is parsed as written', () => {
    expect(clausesIn('a.md', FORM)).toEqual([
      {
        id: 'A 2.4',
        title: 'Best `price`',
        blocks: [
          { kind: 'text', text: 'A sentence on two lines.' },
          { kind: 'list', items: ['An item, on two lines.', 'Another.'] },
          { kind: 'table', head: ['Head', 'Second'], rows: [['one', '`two`']] },
        ],
        isPublic: true,
        implementedIn: ['src/a.ts', 'src/b'],
        provedBy: [],
        uncited: 'uncited: it is new',
      },
      {
        id: 'D17',
        title: 'Identity',
        blocks: [{ kind: 'text', text: 'A sentence.' }],
        isPublic: false,
        implementedIn: ['src/c.ts'],
        provedBy: ['test/c.test.ts'],
        uncited: null,
      },
    ]);
  });

  test.each([
    ['an address that is not the id', 'id="d17"', 'id="d18"'],
    ['no id', 'D17 · Identity', 'Identity'],
    ['an audience that does not exist', 'internal ·', 'secret ·'],
    ['no audience', 'internal · `src/c.ts` · `test/c.test.ts`', ''],
    ['no code', '`src/c.ts`', 'nowhere'],
    ['neither a test nor that there is none', '`test/c.test.ts`', ''],
    ['something else at its end', '`test/c.test.ts`', '`test/c.test.ts` · else'],
  ])('with %s is refused', (_, good, bad) => {
    expect(FORM.split(good)).toHaveLength(2);
    expect(() => clausesIn('a.md', FORM.replace(good, bad))).toThrow('a.md: not of the form');
  });
});

describe('the page', () => {
  const page = contractPage().main.text;
  const onPage = [...page.matchAll(/<h3 id="([^"]+)"><a href="#[^"]+">([^<]+)<\/a>/g)].map((match) => match[2]!);

  test('has every public clause once, each at its address', () => {
    expect(onPage).toEqual(CLAUSES.filter(({ isPublic }) => isPublic).map(({ id }) => id));
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!);
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((one) => !anchors.includes(one))).toEqual([]);
  });

  test('has nothing of an internal clause: no id, title or sentence', () => {
    expect(INTERNAL.length).toBeGreaterThan(15);
    const text = page.replace(/<[^>]+>/g, '');
    expect(citedIn(text).filter((id) => INTERNAL.some((one) => one.id === id))).toEqual([]);
    const parts = INTERNAL.flatMap((one) => [one.title, ...textsOf(one)]).flatMap((one) => one.split(/(?<=[.:]) /));
    const shown = parts.filter((one) => words(one) > 1 && text.includes(one.replaceAll('`', '')));
    expect(shown).toEqual([]);
  });

  test('names no withheld source, no file and nothing for operators', () => {
    const WITHHELD =
      /\bexchanges?\b|betfair|pinnacle|\boperators?\b|\binternal\b|\bpushers?\b|\bworkers?\b|temporal|redis|postgres|\bsrc\b|\.ts\b/i;
    expect(page.replace(/<[^>]+>/g, ' ').match(WITHHELD)).toBeNull();
    expect(INTERNAL.flatMap(textsOf).join(' ')).toMatch(WITHHELD);
  });

  test('drops a clause that becomes internal', () => {
    const [first] = SUBJECTS;
    const clauses = first!.clauses.map((one, i) => ({ ...one, isPublic: i !== 0 && one.isPublic }));
    const [shown] = publicSubjects([{ ...first!, clauses }]);
    expect(shown!.clauses).toHaveLength(publicSubjects([first!])[0]!.clauses.length - 1);
    expect(publicSubjects([{ ...first!, clauses: INTERNAL }])).toEqual([]);
  });
});

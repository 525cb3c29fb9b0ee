// CHANGELOG.md is what customers read as a page and as feeds (A 9.2): its form is strict, and it names every operation
// that they can call.
import { ENDPOINTS } from '../src/api/operations';
import { CHANGES, changesIn } from '../src/web/changelog/changes';

const ofCustomers = ENDPOINTS.filter(({ auth }) => auth !== 'internal');
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method.toUpperCase()} ${path}`;
const named = CHANGES.flatMap(({ text }) => [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)]);
const operationsNamed = named.map(([, operation]) => operation!);

test('every operation that customers can call is named with its method and path', () => {
  expect(ofCustomers.length).toBeGreaterThan(80);
  expect(ofCustomers.map(nameOf).filter((one) => !operationsNamed.includes(one))).toEqual([]);
});

// A 9.3: an operation is not removed but retired, and its entry then has only the address.
test('every operation that is named exists', () => {
  const served = ENDPOINTS.map(nameOf);
  expect(operationsNamed.filter((one) => !served.includes(one))).toEqual([]);
});

test('no entry in the operators’ part is a change that customers see', () => {
  const words = JSON.stringify(CHANGES);
  expect(words).not.toMatch(/\b[Mm]igrations? 00|For operators|WORKER_|_FOLDER|\bops \w+/);
  expect(CHANGES.length).toBeGreaterThan(100);
});

const FORM = `# Changelog

Any text.

## 2026-11-23

### Racing

- <a id="first"></a>**The \`first\` change.** Its text, on
  two lines.
- <a id="second"></a>**Second.** One line.

### Sports

- <a id="third"></a>**Third.** One line.

## 2026-11-21

### Racing

- <a id="fourth"></a>**Fourth.** One line.

## For operators

- Migration 0001.
`;

test('entries have the day and the area of their headings, and their lines are joined', () => {
  expect(changesIn(FORM)).toEqual([
    {
      id: 'first',
      day: '2026-11-23',
      area: 'Racing',
      title: 'The `first` change',
      text: 'Its text, on two lines.',
    },
    { id: 'second', day: '2026-11-23', area: 'Racing', title: 'Second', text: 'One line.' },
    { id: 'third', day: '2026-11-23', area: 'Sports', title: 'Third', text: 'One line.' },
    { id: 'fourth', day: '2026-11-21', area: 'Racing', title: 'Fourth', text: 'One line.' },
  ]);
});

test.each([
  ['an entry without an id', '- <a id="second"></a>**Second.** One', '- **Second.** One', 11],
  ['an entry without a title', '**Second.** One line', 'One line', 11],
  ['an id that is taken', 'id="third"', 'id="first"', 15],
  ['a day that does not exist', '2026-11-21', '2026-02-30', 17],
  ['a day after the one above', '2026-11-21', '2026-11-24', 17],
  ['a heading that is no day', '## 2026-11-21', '## 0.1.0', 17],
  ['a change without an area', '### Sports\n', '\n## 2026-11-22\n', 16],
  ['a line that belongs to nothing', '\n### Sports', '\nA line.\n### Sports', 13],
  ['a code that does not end', '`first`', '`first', 9],
])('%s is refused with its line', (_, good, bad, line) => {
  expect(FORM.split(good)).toHaveLength(2);
  expect(() => changesIn(FORM.replace(good, bad))).toThrow(`CHANGELOG.md:${line}: `);
});

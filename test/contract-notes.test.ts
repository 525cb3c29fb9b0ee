// Checks the form of the notes: each has a stable id, one sentence and the tests that prove it, and each page is short
// enough to be read as a whole.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = ['contract-notes.md', 'contract-choices.md'].map((page) =>
  readFileSync(join(__dirname, '../docs', page), 'utf8'),
);
const SECTIONS = ['Additions', 'Deviations', 'Choices'];
const MOST_WORDS = 4000;
const MOST_SENTENCE_WORDS = 35;
const MOST_COLUMNS = 120;

/** Items without a test. The list only gets shorter: a new item has a test. */
const WITHOUT_TEST = ['N-limits-1', 'N-form-2', 'N-webhooks-4'];
/** Ids of deleted items. They are never reused. */
const RETIRED: readonly string[] = ['N-credits-3'];

interface Item {
  readonly section: string;
  readonly subject: string;
  readonly id: string;
  readonly sentence: string;
  readonly tests: readonly string[];
}

const isItem = (line: string): boolean => line.startsWith('- ');
const isContinuation = (line: string): boolean => line.startsWith('  ');

/** The list items, each on one line. */
function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  let [section, subject] = ['', ''];
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('## ')) section = line.slice(3);
    if (line.startsWith('### ')) subject = line.slice(4).toLowerCase();
    if (!isItem(line)) continue;
    const end = lines.findIndex((other, n) => n > i && !isContinuation(other));
    items.push(itemOf(lines.slice(i, end).join(' ').replace(/\s+/g, ' '), section, subject));
  }
  return items;
}

function itemOf(line: string, section: string, subject: string): Item {
  const [, id, sentence, proof] = /^- \*\*(\S+)\*\* (.+) \(([^()]+)\)$/.exec(line) ?? [];
  if (!id || !sentence || !proof) throw new Error(`No id, sentence and proof in: ${line}`);
  const tests = proof === 'no test' ? [] : proof.split(', ').map((one) => one.replaceAll('`', ''));
  return { section, subject, id, sentence, tests };
}

/** The faults of the notes, one sentence each. */
function faultsOf(pages: readonly string[], withoutTest: readonly string[] = WITHOUT_TEST, retired = RETIRED) {
  const items = itemsOf(pages.join('\n'));
  return [
    ...pages.flatMap(formOf),
    ...sectionsOf(pages.join('\n')),
    ...idsOf(items, retired),
    ...items.flatMap(sentenceOf),
    ...items.flatMap((item) => proofOf(item, withoutTest)),
    ...withoutTest
      .filter((id) => !items.some((one) => one.id === id && one.tests.length === 0))
      .map((id) => `${id} has a test or is gone: take it off the list.`),
  ];
}

function formOf(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean).length;
  return [
    ...(words > MOST_WORDS ? [`${words} words.`] : []),
    ...text.split('\n').flatMap((line, i) => (line.length > MOST_COLUMNS ? [`Line ${i + 1} is too long.`] : [])),
  ];
}

function sectionsOf(text: string): string[] {
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name!);
  return sections.join() === SECTIONS.join() ? [] : [`The sections are ${sections.join(', ')}.`];
}

/** The ids of a subject count from 1 without a gap, including retired ones, and rise within each group. */
function idsOf(items: readonly Item[], retired: readonly string[]): string[] {
  const numberOf = (id: string) => Number(id.split('-').at(-1));
  const ids = [...items.map(({ id }) => id), ...retired];
  const strange = items.filter(({ id, subject }) => !new RegExp(`^N-${subject}-[1-9]\\d*$`).test(id));
  const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
  const unordered = items.filter((item, i) => {
    const last = items[i - 1];
    return last?.section === item.section && last.subject === item.subject && numberOf(last.id) >= numberOf(item.id);
  });
  const skipped = ids.filter((id) => numberOf(id) > 1 && !ids.includes(id.replace(/\d+$/, String(numberOf(id) - 1))));
  return [
    ...strange.map(({ id, subject }) => `${id} is no id of ${subject}.`),
    ...repeated.map((id) => `${id} is given twice.`),
    ...unordered.map(({ id }) => `${id} is out of order.`),
    ...skipped.map((id) => `The number before ${id} is neither used nor retired.`),
  ];
}

function sentenceOf({ section, id, sentence }: Item): string[] {
  const words = sentence.split(' ').length;
  return [
    ...(/^[^.!?]*(?:[.!?]\S[^.!?]*)*\.$/.test(sentence) ? [] : [`${id} is not one sentence.`]),
    ...(words > MOST_SENTENCE_WORDS ? [`${id} has ${words} words.`] : []),
    ...(section !== 'Deviations' || /\b(?:[AB] \d+(?:\.\d+)?|D\d+)\b/.test(sentence) ? [] : [`${id} names no clause.`]),
  ];
}

function proofOf({ id, tests }: Item, withoutTest: readonly string[]): string[] {
  if (tests.length === 0) return withoutTest.includes(id) ? [] : [`${id} has no test.`];
  return tests
    .filter((one) => !existsSync(join(__dirname, `${one}.test.ts`)))
    .map((one) => `${id}: there is no test ${one}.`);
}

test('the notes keep their form', () => {
  expect(itemsOf(PAGES.join('\n')).length).toBeGreaterThan(100);
  expect(faultsOf(PAGES)).toEqual([]);
});

describe('planted faults are found', () => {
  const notes = (additions: string, deviations = '- **N-b-1** Against D7, it is free. (`contract`)') =>
    `# Notes\n\n## Additions\n\n### A\n\n${additions}\n\n## Deviations\n\n### B\n\n${deviations}\n\n## Choices\n`;
  const good = '- **N-a-1** It is served, in `a.b` and\n  [c.md](c.md) too. (`contract`)';

  test.each([
    ['none', good, []],
    ['a repeated id', `${good}\n${good}`, ['N-a-1 is given twice.', 'N-a-1 is out of order.']],
    ['a gap', `${good}\n- **N-a-3** It is. (\`contract\`)`, ['The number before N-a-3 is neither used nor retired.']],
    ['another subject', '- **N-c-1** It is. (`contract`)', ['N-c-1 is no id of a.']],
    ['two sentences', '- **N-a-1** It is. It was. (`contract`)', ['N-a-1 is not one sentence.']],
    ['no full stop', '- **N-a-1** It is (`contract`)', ['N-a-1 is not one sentence.']],
    [
      'a long sentence',
      `- **N-a-1** It ${'is '.repeat(35)}so. (\`contract\`)`,
      ['N-a-1 has 37 words.', 'Line 7 is too long.'],
    ],
    [
      'a test that does not exist',
      '- **N-a-1** It is. (`contract`, `contracts`)',
      ['N-a-1: there is no test contracts.'],
    ],
    ['no test', '- **N-a-1** It is. (no test)', ['N-a-1 has no test.']],
    ['too many words', `${good}\n\n${'word\n'.repeat(4000)}`, ['4031 words.']],
  ])('%s', (_, additions, faults) => {
    expect(faultsOf([notes(additions)], [], []).sort()).toEqual([...faults].sort());
  });

  test('a deviation without its clause, an exception that is not one, and a missing section', () => {
    const free = '- **N-b-1** It is free. (`contract`)';
    expect(faultsOf([notes(good, free)], [], [])).toEqual(['N-b-1 names no clause.']);
    expect(faultsOf([notes(good)], ['N-a-1'], [])).toEqual(['N-a-1 has a test or is gone: take it off the list.']);
    expect(faultsOf([notes(good).replace('## Choices', '')], [], [])).toEqual([
      'The sections are Additions, Deviations.',
    ]);
    expect(() => faultsOf([notes('- It is served. (`contract`)')])).toThrow('No id');
  });
});

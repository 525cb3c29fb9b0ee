// Public texts are in the plain English of API documentation: outside code and quotations they contain none of the
// words listed below.

import { openApiDocument } from '../src/api/openapi/document';
import { ENDPOINTS } from '../src/api/operations';
import {
  allMarkdownTexts,
  allSourceTexts,
  documentTexts,
  markdownTexts,
  type PublicText,
  sourceTexts,
} from './support/source/public-texts';

/** Read once: the compiler parses every source for them. */
const SOURCES = allSourceTexts();

/** The refused words, and what to write instead. */
const REFUSED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\btold\b/i, 'reported, returned, sent'],
  [/\b(?:un)?said\b/i, 'reported, stated'],
  [/\bbeliev(?:e|es|ed)\b/i, 'trusted, takes precedence, wins'],
  [/\b(?:nobody|whoever|whomever)\b/i, 'no book, no source, any client'],
  [/\bheard\b/i, 'polled, received'],
  [/\basked\b/i, 'requested, polled, queried'],
  [/\bheld\b/i, 'stored, cached, available'],
  [/\b(?:the|its|their|a book’s|a book's|newest|last) word\b/i, 'report, value'],
  [/\bwhat came of\b/i, 'outcome, result'],
  [/\bof ours\b/i, 'our'],
];

/** Senses of the trade, each with its reason. */
const ALLOWED: readonly (readonly [phrase: RegExp, reason: string])[] = [
  [/\bprotests? (?:is|are|was|were) heard\b/gi, 'stewards hear a protest'],
];

function refusedIn({ at, text }: PublicText): string[] {
  const plain = ALLOWED.reduce((rest, [phrase]) => rest.replace(phrase, ' '), text);
  return REFUSED.flatMap(([word, instead]) => {
    const found = word.exec(plain);
    return found ? [`${at}: "${found[0]}" (write: ${instead}) in: ${plain.trim().slice(0, 160)}`] : [];
  });
}

const refused = (texts: readonly PublicText[]): string[] => texts.flatMap(refusedIn);

describe('no refused word appears in', () => {
  test('the OpenAPI document', () => {
    const texts = documentTexts(openApiDocument(ENDPOINTS, 'https://api.example.com'));
    expect(texts.length).toBeGreaterThan(1000);
    expect(refused(texts)).toEqual([]);
  });

  test('problems, notes and pages', () => {
    const texts = SOURCES;
    for (const one of [
      'The database is unavailable.',
      'There is no race at this address.',
      'Missing or invalid API key',
    ])
      expect(texts.map(({ text }) => text)).toContainEqual(expect.stringContaining(one));
    expect(refused(texts)).toEqual([]);
  });

  test('README, CHANGELOG, CONTRIBUTING and docs', () => {
    const texts = allMarkdownTexts();
    for (const one of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/glossary.md', 'docs/decisions/'])
      expect(texts.map(({ at }) => at)).toContainEqual(expect.stringContaining(one));
    expect(refused(texts)).toEqual([]);
  });
});

test('texts that pages repeat from the accounts’ refusals name no operation, header or parameter', () => {
  const texts = SOURCES.filter(({ at }) => /^src\/(?:accounts|payments)\//.test(at));
  expect(texts.map(({ text }) => text)).toContainEqual(expect.stringContaining('The subscription is cancelled'));
  expect(texts.filter(({ text }) => /\/v1\/|X-API-Key|\b[a-z]+_[a-z]+\b/.test(text))).toEqual([]);
});

describe('a planted sentence is found', () => {
  test.each([
    'Another name of it; believed when both are sent.',
    'The last row told of a name stands.',
    'A shorter lead names nobody.',
    'The database does not answer, and this was not asked lately.',
    'When the same feed said so before.',
    'A book that was never heard.',
    'The full field is held.',
    'Its word: Good, Soft, Heavy.',
  ])('%s', (text) => {
    expect(refused(documentTexts({ info: { description: text } }))).toHaveLength(1);
    expect(refused(documentTexts({ example: { note: text } }))).toHaveLength(1);
    expect(refused(sourceTexts('a.ts', `const detail = ${JSON.stringify(text)};`))).toHaveLength(1);
    expect(refused(sourceTexts('a.ts', `const page = html\`<p class="x">\${one} ${text}</p>\`;`))).toHaveLength(1);
    expect(refused(sourceTexts('a.ts', `const page = html\`<p title="${text}">\${one}</p>\`;`))).toHaveLength(1);
    expect(refused(markdownTexts('a.md', `# Title\n\n${text}\n`))).toEqual([expect.stringMatching(/^a\.md:3: /)]);
  });

  test('and none in code, quotations, comments, markup, or where it is the trade’s own term', () => {
    expect(refused(documentTexts({ description: 'The value `told`, or "nobody said so".' }))).toEqual([]);
    expect(refused(documentTexts({ enum: ['last held'], properties: { told: {} } }))).toEqual([]);
    expect(
      refused(sourceTexts('a.ts', '// nobody said it\nconst told = html`<p class="said" id="told">Win</p>`;')),
    ).toEqual([]);
    expect(
      refused(markdownTexts('a.md', '```\ntold\n```\n> nobody\n\n`held` [here](docs/held.md) and “he said”\n')),
    ).toEqual([]);
    expect(refused(markdownTexts('a.md', 'Nothing is settled before the protest is heard.\n'))).toEqual([]);
  });
});

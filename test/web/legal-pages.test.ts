// The texts that a sign-up accepts: each version of a text is listed with its digest, so that no text changes without
// its version.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEGAL_VERSIONS, privacyPage, termsPage } from '../../src/web/plain/legal-pages';

const PAGES = { terms: termsPage(), privacy: privacyPage() };
const LINES = readFileSync(join(__dirname, '../fixtures/legal.txt'), 'utf8').trim().split('\n');
const NAMES = ['terms', 'privacy'] as const;

test.each(NAMES)('the text of the page %s is that of its version', (name) => {
  const { main } = PAGES[name];
  const version = LEGAL_VERSIONS[name];
  expect(main.text).toContain(`Version ${version}<`);
  // Without the way back above it.
  const text = main.text.slice(main.text.indexOf('<section'));
  const line = `${name} ${version} ${createHash('sha256').update(text).digest('hex')}`;
  // A changed text needs a new version, which gets a line of its own; lines of earlier versions stay.
  expect(LINES).toContain(line);
});

test('no version is listed twice, and the present one is the newest', () => {
  for (const name of NAMES) {
    const versions = LINES.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]!);
    expect(versions).toEqual([...new Set(versions)].sort());
    expect(versions.at(-1)).toBe(LEGAL_VERSIONS[name]);
  }
});

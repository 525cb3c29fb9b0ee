// Every time of Sydney on a page is an element that the visitor's zone can take (`startTime`, `timeAt`, `clockAt`), or
// has its zone in its text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = join(__dirname, '../../../src/web');

/** Why a file may write such a text itself. */
const ALLOWED: Readonly<Record<string, string>> = {
  'account/alerts/news.ts': 'the text of a notification, which names its zone',
  'format.ts': 'has the functions',
  'home/page.ts': 'an instant that names its zone',
  'race-parts.ts': 'has the elements',
  'cards/card.ts': 'a picture, which names its zone',
  'document.ts': 'the clock of the header, which names its zone',
  'sheet/course-columns.ts': 'a title, which names its zone',
  'sheet/price-marks.ts': 'a title, which names its zone',
  'site/coverage-page.ts': 'names its zone',
  'sports/match/match-page.ts': 'the title, which names its zone',
  'widgets/content.ts': 'names its zone',
};

const sources = readdirSync(WEB, { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort();
const textOf = (file: string): string => readFileSync(join(WEB, file), 'utf8');

test('no other page writes a time of day as bare text', () => {
  expect(sources.length).toBeGreaterThan(100);
  const writing = sources.filter((file) => /\b(?:clockText|timeText|startText)\b/.test(textOf(file)));
  expect(writing).toEqual(Object.keys(ALLOWED).sort());
  for (const file of writing) expect([file, /zoneText/.test(textOf(file))]).toEqual([file, true]);
});

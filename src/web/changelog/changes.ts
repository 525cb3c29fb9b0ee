// The changes that customers can see (A 9.2), from CHANGELOG.md above its part for operators. The page and the feeds
// are generated from them and cannot differ. Never guesses: a malformed line throws.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../domain/race/race';
import { ROOT } from '../../root';
import { type Html, html } from '../html';

export interface Change {
  /** Never changes once published: readers of the feeds identify the change by it. */
  readonly id: string;
  /** UTC. */
  readonly day: Day;
  readonly area: string;
  /** Code is in backticks, here and in `text`. */
  readonly title: string;
  readonly text: string;
}

const OPERATORS = '\n## For operators\n';
const DAY = /^## (\d{4}-\d{2}-\d{2})$/;
const AREA = /^### (\S.*)$/;
const ENTRY = /^- <a id="([a-z0-9-]+)"><\/a>\*\*(.+?)\.\*\* (\S.*)$/;
const CONTINUED = /^ {2}(?=\S)/;

export function changesIn(changelog: string): readonly Change[] {
  const changes: Change[] = [];
  let day: Day | null = null;
  let area: string | null = null;
  for (const { at, line } of linesOf(changelog.split(OPERATORS)[0]!)) {
    const refuse = (why: string): never => {
      throw new Error(`CHANGELOG.md:${at}: ${why}: ${line}`);
    };
    const [, newDay] = DAY.exec(line) ?? [];
    const [, newArea] = AREA.exec(line) ?? [];
    const [, id, title, text] = ENTRY.exec(line) ?? [];
    if (newDay) {
      if (!isDay(newDay) || (day !== null && newDay >= day)) refuse('not a day before the one above');
      [day, area] = [newDay, null];
    } else if (newArea && day) area = newArea;
    else if (id && title && text && day && area && isRich(title) && isRich(text)) {
      if (changes.some((one) => one.id === id)) refuse('this id is taken');
      changes.push({ id, day, area, title, text });
    } else refuse('not of the form that CONTRIBUTING.md shows');
  }
  return changes;
}

/** From the first day on, with their numbers in the file. The lines of an entry are joined. */
function linesOf(changelog: string): readonly { readonly at: number; readonly line: string }[] {
  const found: { at: number; line: string }[] = [];
  let previous = '';
  for (const [i, line] of changelog.split('\n').entries()) {
    const last = found.at(-1);
    if (last && previous !== '' && CONTINUED.test(line)) last.line += line.replace(CONTINUED, ' ');
    else if (line !== '' && (last || line.startsWith('## '))) found.push({ at: i + 1, line });
    previous = line;
  }
  return found;
}

/** Every code span that begins also ends. */
const isRich = (text: string): boolean => text.split('`').length % 2 === 1;

const isDay = (text: string): boolean => startMs(text) >= 0 && new Date(startMs(text)).toISOString().startsWith(text);

const startMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The instant that a feed states for a change: the beginning of the day, because the time of day is not recorded. */
export const changedMs = ({ day }: Change): number => startMs(day);

export const plainText = (text: string): string => text.replaceAll('`', '');

export const richText = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const CHANGES = changesIn(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));

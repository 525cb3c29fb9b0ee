// Search over the reference: every term of the query must occur in the text of a page. Titles count before fields, and
// fields before descriptions.
import { type ErrorCode, PROBLEMS, slugOf } from '../../errors';
import { GUIDES, guidePath } from '../guides/guides';
import { guideSource } from '../guides/page';
import type { ApiReference, Member } from './model';
import { operationPath } from './parts';

export interface Found {
  readonly path: string;
  readonly title: string;
  /** Method and path, name of the event, or code. */
  readonly name: string;
}

interface Entry extends Found {
  /** In lower case, the most telling first. */
  readonly levels: readonly string[];
}

const MOST_FOUND = 40;
const MOST_TERMS = 8;

export type Search = (query: string) => readonly Found[];

export function createSearch({ groups, events }: ApiReference): Search {
  const entries: readonly Entry[] = [
    ...groups.flatMap(({ name: group, operations }) =>
      operations.map((one): Entry => {
        const { summary: title, method, paragraphs, parameters, body, responses } = one;
        const members = [...parameters, ...(body?.members ?? []), ...responses.flatMap((response) => response.members)];
        const name = `${method} ${one.path}`;
        return { path: operationPath(one), title, name, levels: levelsOf([title, name, group], members, paragraphs) };
      }),
    ),
    ...GUIDES.map((one): Entry => {
      const { title, about } = one;
      return { path: guidePath(one), title, name: 'Guide', levels: levelsOf([title, about], [], [guideSource(one)]) };
    }),
    ...events.map(({ slug, name, summary: title, members, paragraphs }): Entry => {
      return { path: `/docs/events/${slug}`, title, name, levels: levelsOf([title, name], members, paragraphs) };
    }),
    ...(Object.keys(PROBLEMS) as ErrorCode[]).map((name): Entry => {
      const { title } = PROBLEMS[name];
      return { path: `/errors/${slugOf(name)}`, title, name, levels: levelsOf([title, name], [], []) };
    }),
  ];
  return (query) => {
    const terms = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_TERMS);
    if (terms.length === 0) return [];
    return entries
      .map((entry) => ({ entry, level: levelOf(entry, terms) }))
      .filter(({ level }) => level !== -1)
      .sort((a, b) => a.level - b.level)
      .slice(0, MOST_FOUND)
      .map(({ entry: { path, title, name } }) => ({ path, title, name }));
  };
}

/** The level that has the last of the terms; -1 if a term is nowhere. */
function levelOf({ levels }: Entry, terms: readonly string[]): number {
  const at = terms.map((term) => levels.findIndex((text) => text.includes(term)));
  return at.includes(-1) ? -1 : Math.max(...at);
}

function levelsOf(titles: readonly string[], members: readonly Member[], paragraphs: readonly string[]): string[] {
  const names = members.map(({ name }) => name);
  const texts = [...paragraphs, ...members.map(({ description }) => description)];
  return [titles, names, texts].map((level) => level.join('\n').toLowerCase());
}

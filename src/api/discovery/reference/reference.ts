// What the pages of the reference show, from the OpenAPI document.
import type { ApiReference, EventEntry, Group, Operation } from '../../../web/reference/model';
import type { Schema } from '../../openapi/schema';
import { operationOf } from './operation';
import { exampleText } from './responses';
import { membersIn } from './schema-text';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Json = any;

export function referenceOf(document: Schema): ApiReference {
  const { info, tags, paths, webhooks, components, servers } = document as Json;
  const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, one]) => ({
      tag: one.tags[0] as string,
      shown: operationOf(document, method, path, one),
    })),
  );
  const ofTag = (name: string): Operation[] => operations.filter(({ tag }) => tag === name).map(({ shown }) => shown);
  const [about, plans] = rulesOf(info.description);
  return {
    baseUrl: servers[0].url,
    about,
    plans,
    groups: tags.map(({ name, description }: Json): Group => ({ name, about: description, operations: ofTag(name) })),
    events: Object.entries<Json>(webhooks).map(([name, { post }]) => eventOf(name, post, components)),
  };
}

const TOPIC = /^\*\*(.+?)(\.?)\*\*\s*(.*)$/s;

/** The paragraphs that begin with a title in bold, and the table of plans at the end. */
function rulesOf(text: string): [ApiReference['about'], ApiReference['plans']] {
  const blocks = text.split('\n\n');
  const about = blocks.flatMap((block) => {
    const [, title, stop, rest] = TOPIC.exec(block) ?? [];
    return title ? [{ title, text: stop ? rest! : `${title} ${rest}` }] : [];
  });
  const [head, , ...rows] = (blocks.find((block) => block.startsWith('| ')) ?? '').split('\n').map(cellsOf);
  return [about, { head: head!, rows }];
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function eventOf(name: string, { summary, description, requestBody }: Json, components: Json): EventEntry {
  const { schema, example } = requestBody.content['application/json'];
  return {
    slug: name.replace(/[._]/g, '-'),
    name,
    summary,
    paragraphs: description.split('\n\n'),
    members: membersIn(schema, components),
    example: exampleText(example),
  };
}

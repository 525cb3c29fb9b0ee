// /llms-full.txt: the whole reference as one Markdown text for language models, generated from the OpenAPI document, so
// that the two cannot differ.
import type { Schema } from '../openapi/schema';
import { membersText, schemaText, securityText } from './reference/schema-text';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Json = any;

export function llmsFull(document: Schema): string {
  const { info, servers, tags, paths, webhooks, components } = document as Json;
  const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const sections = tags.map(({ name, description }: Json) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `## ${name}\n\n${description}\n\n${own.map(({ title, operation }) => operationText(title, operation, components)).join('\n')}`;
  });
  return `# ${info.title}: API reference

> The whole reference as one text. The same for programs is the OpenAPI document at ${servers[0].url}/openapi.json, which also describes every field of a response.

${info.description}

${sections.join('\n')}
## Events of webhooks

${Object.entries<Json>(webhooks)
  .map(([name, { post }]) => eventText(name, post))
  .join('\n')}`;
}

function operationText(title: string, operation: Json, components: Json): string {
  const body = operation.requestBody?.content['application/json'];
  const parts = [
    `### ${title}`,
    `${operation.summary}.`,
    operation.description,
    `Authentication: ${securityText(operation.security)}.`,
    parametersText(operation.parameters, components),
    body && `Members of the JSON body. ${operation.requestBody.description}\n\n${membersText(body.schema, components)}`,
    body?.example !== undefined && `Example of a body: \`${JSON.stringify(body.example)}\``,
    ...Object.entries<Json>(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(successText),
    `Errors: ${Object.entries<Json>(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(errorText)
      .join('; ')}.`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function parametersText(parameters: readonly Json[], components: Json): string | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const need = required ? 'required' : 'optional';
    return `- \`${name}\` (${place}, ${need}; ${schemaText(schema, components)}): ${description ?? 'See above.'}`;
  });
  return `Parameters:\n\n${rows.join('\n')}`;
}

function successText([status, { description, content = {} }]: [string, Json]): string {
  const [[type, { example = undefined }] = [null, {}]] = Object.entries<Json>(content);
  const others = Object.keys(content)
    .slice(1)
    .map((one) => `, or ${one}`)
    .join('');
  const kind = type === null ? '' : ` (${type}${others})`;
  const shown =
    example === undefined
      ? ''
      : `\n\n\`\`\`json\n${typeof example === 'string' ? example : JSON.stringify(example)}\n\`\`\``;
  return `Response ${status}${kind}: ${description}${shown}`;
}

const errorText = ([status, { content }]: [string, Json]): string =>
  `${status} ${Object.keys(content['application/problem+json'].examples)
    .map((code) => `\`${code}\``)
    .join(', ')}`;

const eventText = (name: string, { summary, description, requestBody }: Json): string =>
  `### ${name}\n\n${summary}. ${description}\n\n\`\`\`json\n${JSON.stringify(requestBody.content['application/json'].example)}\n\`\`\`\n`;

// The collection of requests is that of the document: `npm run clients` brings it up to date.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { BASE_URL } from '../support/api/api';
import { type PostmanRequest, requestsIn } from '../support/clients/postman';

const { isCallable } = require('../../scripts/clients/callable.mjs') as {
  isCallable(method: string, operation: object): boolean;
};

interface Operation {
  summary: string;
  security: object[];
  parameters: { in: string; name: string; required?: boolean }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

const text = readFileSync(join(__dirname, '../../clients/postman/racing-odds.postman_collection.json'), 'utf8');
const document = openApiDocument(ENDPOINTS, BASE_URL) as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method, one]) => isCallable(method, one))
    .map(([method, one]) => ({ name: `${method.toUpperCase()} ${path}`, ...one })),
);

const names = (list: readonly { readonly in: string; readonly name: string }[], place: string): string[] =>
  list.filter((one) => one.in === place).map(({ name }) => name);
const jsonOf = (content?: Record<string, { example?: unknown }>): unknown => content?.['application/json']?.example;
const without = (list: readonly string[], ...others: string[]): string[] => list.filter((one) => !others.includes(one));

const described = ({ item, path }: PostmanRequest) => {
  const { method, url, header = [], body, auth } = item.request;
  return {
    name: `${method} ${path}`,
    summary: item.name,
    query: (url.query ?? []).map(({ key }) => key),
    needed: (url.query ?? []).filter(({ disabled }) => !disabled).map(({ key }) => key),
    headers: without(
      header.map(({ key }) => key),
      'Accept',
      'Content-Type',
    ),
    body: body ? JSON.parse(body.raw) : undefined,
    isPublic: auth?.type === 'noauth',
    example: item.response.find(({ header: kind }) => kind.some(({ value }) => value === 'application/json'))?.body,
  };
};

test('each operation that a key may call is one request, with its parameters and examples: if not, run `npm run clients`', () => {
  const expected = operations.map(({ name, summary, parameters, requestBody, security }) => ({
    name,
    summary,
    query: names(parameters, 'query'),
    needed: names(
      parameters.filter(({ required }) => required),
      'query',
    ),
    headers: names(parameters, 'header'),
    body: jsonOf(requestBody?.content),
    isPublic: security.length === 0,
  }));
  const found = requestsIn(text)
    .map(described)
    .map(({ example, ...one }) => one);
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  expect(found.sort(byName)).toEqual(expected.sort(byName));
});

test('the answers of the collection are the examples of the document', () => {
  const found = new Map(requestsIn(text).map((one) => [described(one).name, described(one).example]));
  for (const { name, responses } of operations) {
    const example = jsonOf((responses['200'] ?? responses['202'])?.content);
    if (example !== undefined) expect([name, JSON.parse(found.get(name) ?? 'null')]).toEqual([name, example]);
  }
});

test('the key is a variable without a value, and nothing changes from one making to the next', () => {
  const { variable, auth } = JSON.parse(text);
  expect(variable).toEqual([
    { key: 'baseUrl', value: BASE_URL },
    { key: 'apiKey', value: '' },
  ]);
  expect(JSON.stringify(auth)).toContain('{{apiKey}}');
  expect(text).not.toMatch(/"(_postman_)?id": "[0-9a-f]{8}-/);
});

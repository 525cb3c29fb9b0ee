// Every example of the whole OpenAPI document conforms to its schema, so the reference shows what the service accepts
// and returns.

import { isDeepStrictEqual } from 'node:util';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { examplesOf } from '../support/api/examples';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
type Json = any;
const document: Json = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, 'https://api.racing.test')));
const examples = examplesOf(document);

test('every example and default conforms to its schema', () => {
  expect(examples.filter(({ problems }) => problems.length > 0)).toEqual([]);
});

test('every parameter has an example, other than its default', () => {
  const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
  const without = operations.flatMap(({ operationId, parameters }) =>
    (parameters as Json[])
      .filter(({ example, schema }) => example === undefined || isDeepStrictEqual(example, schema.default))
      .map(({ name }) => `${operationId}: ${name}`),
  );
  expect(without).toEqual([]);
});

test('every request and response body has an example, every header too', () => {
  const at = new Set(examples.map((one) => one.at));
  const shown = (pointer: string) => [...at].some((one) => one.startsWith(pointer));
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const own = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`;
      const bodies = Object.entries<Json>(operation.responses).filter(([, response]) => response.content);
      for (const [status, { content }] of bodies) {
        for (const [mediaType, { schema }] of Object.entries<Json>(content)) {
          // The bytes of a file.
          if (schema.format === 'binary') continue;
          const type = encodeURIComponent(mediaType.replaceAll('/', '~1'));
          expect(at).toContain(`${own}/responses/${status}/content/${type}`);
        }
      }
      if (operation.requestBody) expect(shown(`${own}/requestBody/content`)).toBe(true);
    }
  }
  for (const name of Object.keys(document.components.headers))
    expect(at).toContain(`/components/headers/${name}/schema`);
});

describe('an example that breaks its schema is found', () => {
  const broken = (spoil: (copy: Json) => void): string[] => {
    const one = '/v1/racing/events';
    const copy = structuredClone({ ...document, paths: { [one]: document.paths[one] } });
    spoil(copy);
    return examplesOf(copy)
      .filter(({ problems }) => problems.length > 0)
      .map(({ at }) => at);
  };
  const events = '/paths/~1v1~1racing~1events/get';
  const ok = (copy: Json) => copy.paths['/v1/racing/events'].get.responses[200];
  const decoded = (pointers: string[]) => pointers.map(decodeURIComponent);

  test('a response with a member of another type, an extra member or an invalid instant', () => {
    const place = `${events}/responses/200/content/application~1json`;
    const row = (copy: Json) => ok(copy).content['application/json'].example[0];
    for (const more of [{ race_number: '7' }, { surprise: 1 }, { start_time: 'soon' }])
      expect(decoded(broken((copy) => Object.assign(row(copy), more)))).toEqual([place]);
  });

  test('a problem, a parameter and a header', () => {
    const found = broken((copy) => {
      copy.paths['/v1/racing/events'].get.responses[401].content[
        'application/problem+json'
      ].examples.unauthorized.value.code = 'x';
      copy.paths['/v1/racing/events'].get.parameters[0].schema.default = 'four';
      copy.components.headers.RetryAfter.schema.examples = [-1];
    });
    expect(decoded(found)).toEqual([
      `${events}/parameters/0/schema`,
      `${events}/responses/401/content/application~1problem+json`,
      '/components/headers/RetryAfter/schema',
    ]);
  });
});

// Whether an answer is exactly what its operation declares: every member there and of its type, and none beside them.
import { ENDPOINTS } from '../../src/api/endpoints';
import { ajv } from '../../src/api/input/ajv';

const closed = new Map(ENDPOINTS.map((one) => [one.operationId, ajv.compile(close(one.ok.schema) as object)] as const));

/** A copy in which an object has no members but the declared ones. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, close(member)]));
  const open = copy.type === 'object' && copy.properties !== undefined;
  return open ? { ...copy, additionalProperties: false } : copy;
}

export function expectConforms(operationId: string, body: unknown): void {
  const validate = closed.get(operationId);
  if (!validate) throw new Error(`no operation ${operationId}`);
  validate(body);
  const told = (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
  expect(told).toEqual([]);
}

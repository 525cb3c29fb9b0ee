// Whether an answer is exactly what its operation declares: every member there and of its type, and none beside them.
import type { ValidateFunction } from 'ajv';
import { ENDPOINTS } from '../../src/api/endpoints';
import { ajv } from '../../src/api/input/ajv';
import { Problem } from '../../src/api/schemas/problem';

const validators = new Map(
  ENDPOINTS.map((one) => [one.operationId, ajv.compile(closed(one.ok.schema) as object)] as const),
);

/** A copy in which every object has no members but the declared ones. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  const open = copy.type === 'object' && copy.properties !== undefined;
  return open ? { ...copy, additionalProperties: false } : copy;
}

export function expectConforms(operationId: string, body: unknown): void {
  const validate = validators.get(operationId);
  if (!validate) throw new Error(`no operation ${operationId}`);
  expectValid(validate, body);
}

const validateProblem = ajv.compile(closed(Problem) as object);

/** Of a refusal, whatever the operation. */
export function expectProblemConforms(body: unknown): void {
  expectValid(validateProblem, body);
}

function expectValid(validate: ValidateFunction, body: unknown): void {
  validate(body);
  const told = (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
  expect(told).toEqual([]);
}

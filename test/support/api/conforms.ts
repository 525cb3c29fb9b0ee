// Checks that a response is exactly what its operation declares: every member is present and has its type, and there is
// no other.
import type { ValidateFunction } from 'ajv';
import { ajv } from '../../../src/api/kernel/input/ajv';
import { ENDPOINTS } from '../../../src/api/operations';
import { Problem } from '../../../src/api/wire/problem-schema';

/** Compiled when an operation is first checked: compiling all of them takes more than a second. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(operationId: string): ValidateFunction {
  const compiled = validators.get(operationId);
  if (compiled) return compiled;
  const endpoint = ENDPOINTS.find((one) => one.operationId === operationId);
  if (!endpoint) throw new Error(`no operation ${operationId}`);
  const validate = ajv.compile(closed(endpoint.ok.schema) as object);
  validators.set(operationId, validate);
  return validate;
}

/** A copy in which every object has only the declared members. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  const open = copy.type === 'object' && copy.properties !== undefined;
  return open ? { ...copy, additionalProperties: false } : copy;
}

export function expectConforms(operationId: string, body: unknown): void {
  expectValid(validatorOf(operationId), body);
}

let validateProblem: ValidateFunction | undefined;

/** The same for a problem, whatever the operation. */
export function expectProblemConforms(body: unknown): void {
  validateProblem ??= ajv.compile(closed(Problem) as object);
  expectValid(validateProblem, body);
}

function expectValid(validate: ValidateFunction, body: unknown): void {
  validate(body);
  const errors = (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
  expect(errors).toEqual([]);
}

// Judges a large body in turns of some milliseconds: its lists item by item, so that the thread serves other requests in between.
import { setImmediate as turn } from 'node:timers/promises';
import type { TSchema } from '@sinclair/typebox';
import type { InputProblem } from '../../errors';
import { firstError } from './ajv';
import { bodyProblem } from './sentence';

/** Of work. */
const LONGEST_TURN_MS = 10;

/** Undefined: this part is in order. */
type Judged = InputProblem | undefined;
type Judge = (value: unknown, pointer: string) => Generator<Judged>;

/** The first problem of a body, null if it has the declared type. What holds a list is judged before its items. */
export function judgeInTurns(
  schema: TSchema,
  nowMs = () => performance.now(),
): (body: unknown) => Promise<InputProblem | null> {
  const judge = judgeOf(schema);
  return async (body) => {
    let sinceMs = nowMs();
    for (const problem of judge(body, '')) {
      if (problem) return problem;
      if (nowMs() - sinceMs < LONGEST_TURN_MS) continue;
      await turn();
      sinceMs = nowMs();
    }
    return null;
  };
}

function judgeOf(schema: TSchema): Judge {
  const list = listOf(schema);
  if (list === null) return valueJudge(schema);
  const { name, items } = list;
  const properties = { ...schema.properties, [name]: { ...schema.properties[name], items: {} } };
  const holder = valueJudge({ ...schema, properties } as TSchema);
  const item = judgeOf(items);
  return function* (value, pointer) {
    for (const problem of holder(value, pointer)) {
      yield problem;
      if (problem) return;
    }
    const all = (value as Record<string, unknown>)[name];
    if (Array.isArray(all)) for (const [i, one] of all.entries()) yield* item(one, `${pointer}/${name}/${i}`);
  };
}

/** The member that is a list of objects; null without one, or with several. */
function listOf({ properties = {} }: TSchema): { readonly name: string; readonly items: TSchema } | null {
  const lists = Object.entries<TSchema>(properties).filter(
    ([, { type, items }]) => type === 'array' && items?.type === 'object',
  );
  return lists.length === 1 ? { name: lists[0]![0], items: lists[0]![1].items } : null;
}

function valueJudge(schema: TSchema): Judge {
  const isValid = firstError.compile(schema);
  return function* (value, pointer) {
    const [error] = isValid(value) ? [] : (isValid.errors ?? []);
    yield error && bodyProblem({ ...error, instancePath: pointer + error.instancePath });
  };
}

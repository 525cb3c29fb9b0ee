// Lists that are longer than their schema allows, found before anything in them is looked at: the validator reports every fault, and
// a list of a million empty objects has millions.
import type { TSchema } from '@sinclair/typebox';
import type { InputProblem } from '../../errors';

/** Every list of `body` that is too long, by JSON pointer. Looks into a list only when its own length is right. */
export function overlong(schema: TSchema, body: unknown, pointer = ''): InputProblem[] {
  if (Array.isArray(body)) {
    const most: unknown = schema.maxItems;
    if (typeof most === 'number' && body.length > most) {
      return [{ pointer, detail: `${pointer || 'The body'} has ${body.length} items; the maximum is ${most}.` }];
    }
    return schema.items ? body.flatMap((item, i) => overlong(schema.items, item, `${pointer}/${i}`)) : [];
  }
  if (typeof body !== 'object' || body === null || !schema.properties) return [];
  return Object.entries<TSchema>(schema.properties).flatMap(([name, member]) =>
    overlong(member, (body as Record<string, unknown>)[name], `${pointer}/${name}`),
  );
}

// Finds texts that JSON allows and PostgreSQL cannot store: a NUL character, and half of a surrogate pair.
import type { InputProblem } from '../../errors';
import { escaped } from './sentence';

/** Every such text or name in a parsed body, one after another; a caller that needs the first stops there. Only for bodies of bounded depth. */
export function* unstorableTexts(value: unknown, pointer = ''): Generator<InputProblem> {
  if (typeof value === 'string') yield* judge(value, pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield* judge(name, pointer);
    yield* unstorableTexts(member, `${pointer}/${escaped(name)}`);
  }
}

function* judge(text: string, pointer: string): Generator<InputProblem> {
  const what = text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? null : 'half of a surrogate pair';
  if (what !== null) yield { pointer, detail: `${pointer || 'The body'} contains ${what}.` };
}

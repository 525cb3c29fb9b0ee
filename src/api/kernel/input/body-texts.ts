// Finds texts that JSON allows and PostgreSQL cannot store: a NUL character, and half of a surrogate pair.
import type { InputProblem } from '../../../errors';
import { escaped } from './sentence';

/**
 * Every such text or name in a parsed body, one after another; a caller that needs only the first stops there. Only for
 * bodies of limited depth.
 */
export function* unstorableTexts(body: unknown): Generator<InputProblem> {
  // Almost no body has one, so it is walked once without building pointers.
  if (!isStorable(body)) yield* textsIn(body, '');
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return flawOf(value) === null;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.keys(value).every(
    (name) => flawOf(name) === null && isStorable((value as Record<string, unknown>)[name]),
  );
}

function* textsIn(value: unknown, pointer: string): Generator<InputProblem> {
  if (typeof value === 'string') yield* judge(value, pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield* judge(name, pointer);
    yield* textsIn(member, `${pointer}/${escaped(name)}`);
  }
}

function* judge(text: string, pointer: string): Generator<InputProblem> {
  const what = flawOf(text);
  if (what !== null) yield { pointer, detail: `${pointer || 'The body'} contains ${what}.` };
}

const flawOf = (text: string): string | null =>
  text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? null : 'half of a surrogate pair';

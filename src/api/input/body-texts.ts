// Finds texts that JSON allows and PostgreSQL cannot store: a NUL character, and half of a surrogate pair.
import type { InputProblem } from '../../errors';
import { escaped } from './sentence';

/** Every such text or name in a parsed body. Recursive: only for bodies whose depth is bounded. */
export function unstorableTexts(body: unknown): InputProblem[] {
  const problems: InputProblem[] = [];
  look(body, '', problems);
  return problems;
}

function look(value: unknown, pointer: string, problems: InputProblem[]): void {
  if (typeof value === 'string') judge(value, pointer, problems);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    judge(name, pointer, problems);
    look(member, `${pointer}/${escaped(name)}`, problems);
  }
}

function judge(text: string, pointer: string, problems: InputProblem[]): void {
  const what = text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? null : 'half of a surrogate pair';
  if (what !== null) problems.push({ pointer, detail: `${pointer || 'The body'} contains ${what}.` });
}

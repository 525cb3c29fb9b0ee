// What a visitor has typed into a form, and what is wrong with it. Never has a password: a form that is shown again
// leaves it empty.
import type { AppError } from '../../../errors';

export interface Filled {
  /** What was typed, by the name of its field. */
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong, by the name of its field. */
  readonly problems: Readonly<Record<string, string>>;
  /** What is wrong with no single field. */
  readonly problem: string | null;
}

export const EMPTY: Filled = { values: {}, problems: {}, problem: null };

const isSecret = (name: string): boolean => /password|token/.test(name);

const typed = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...form].filter(([name]) => !isSecret(name)));

/** The form again, with the problems of its fields. */
export const again = (form: URLSearchParams, problems: Readonly<Record<string, string>>): Filled => ({
  values: typed(form),
  problems,
  problem: null,
});

/** The first segment of a pointer: `/ip_whitelist/2` is of the field `ip_whitelist`. */
const fieldOf = (pointer = ''): string => pointer.split('/')[1] ?? '';

/** Sentences of the API begin with a pointer; the label of the field is in its place: `Password must have …`. */
const sentence = (detail: string, pointer: string, label: string): string =>
  detail.startsWith(`${pointer} `) ? `${label}${detail.slice(pointer.length)}` : detail;

/**
 * The form again, with the reasons of a refusal: beside the fields that they point to, the others above the form.
 * `labels`: of its fields, by their names, which are those of the API.
 */
export function refused(form: URLSearchParams, labels: Readonly<Record<string, string>>, error: AppError): Filled {
  const problems: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer = '', detail } of error.extensions.errors ?? []) {
    const field = fieldOf(pointer);
    const label = Object.hasOwn(labels, field) ? labels[field]! : null;
    if (label === null) others.push(detail);
    else problems[field] = [problems[field], sentence(detail, pointer, label)].filter(Boolean).join(' ');
  }
  const isBesideFields = Object.keys(problems).length > 0;
  const problem = others.length > 0 ? others.join(' ') : isBesideFields ? null : error.message;
  return { values: typed(form), problems, problem };
}

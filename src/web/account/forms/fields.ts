// Fields of forms: a label, a hint, and what is wrong beside it. The first field with a problem gets the focus, without
// a script.
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../accounts/passwords';
import { type Fragment, type Html, html } from '../../html';
import type { Filled } from './filled';

interface Field {
  /** Of the form: ids are unique on a page with several forms. */
  readonly form: string;
  readonly name: string;
  readonly label: Fragment;
  readonly hint?: Fragment;
  readonly isRequired?: boolean;
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  /** Before anything is typed. */
  readonly value?: string;
}

/** A field for a new password. */
export const NEW_PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  minLength: LEAST_PASSWORD_CHARACTERS,
  maxLength: MOST_PASSWORD_CHARACTERS,
} as const;

export const PASSWORD_HINT = `At least ${LEAST_PASSWORD_CHARACTERS} characters.`;

const idOf = ({ form, name }: Field): string => `${form}-${name}`;

const firstProblem = ({ problems }: Filled): string | undefined => Object.keys(problems)[0];

/** Attributes that every kind of field has. */
function attributes(field: Field, filled: Filled): Html {
  const id = idOf(field);
  const problem = filled.problems[field.name];
  const notes = [field.hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return html`id="${id}" name="${field.name}"${field.isRequired && html` required`}${notes !== '' && html` aria-describedby="${notes}"`}${problem !== undefined && html` aria-invalid="true"`}${firstProblem(filled) === field.name && html` autofocus`}`;
}

const notes = (field: Field, filled: Filled): Html => {
  const id = idOf(field);
  const problem = filled.problems[field.name];
  return html`${field.hint && html`<p class="hint" id="${id}-hint">${field.hint}</p>`}${problem !== undefined && html`<p class="wrong" id="${id}-problem">${problem}</p>`}`;
};

export function textField(field: TextField, filled: Filled): Html {
  const { type = 'text', autocomplete = 'off', maxLength = 254, minLength, value = '' } = field;
  const shown = type === 'password' ? '' : (filled.values[field.name] ?? value);
  return html`<div class="field"><label for="${idOf(field)}">${field.label}</label>
<input type="${type}" ${attributes(field, filled)} autocomplete="${autocomplete}" maxlength="${maxLength}"${minLength !== undefined && html` minlength="${minLength}"`}${type !== 'password' && html` value="${shown}"`}${type !== 'text' && html` autocapitalize="none" spellcheck="false"`}>
${notes(field, filled)}</div>`;
}

export function linesField(field: Field & { readonly value: readonly string[] }, filled: Filled): Html {
  const shown = filled.values[field.name] ?? field.value.join('\n');
  return html`<div class="field"><label for="${idOf(field)}">${field.label}</label>
<textarea ${attributes(field, filled)} rows="${Math.min(8, Math.max(3, shown.split('\n').length + 1))}" maxlength="6000" autocomplete="off" autocapitalize="none" spellcheck="false">
${shown}</textarea>
${notes(field, filled)}</div>`;
}

export function checkBox(field: Field & { readonly isOn?: boolean }, filled: Filled): Html {
  const isOn =
    filled === undefined || Object.keys(filled.values).length === 0 ? field.isOn : field.name in filled.values;
  return html`<div class="field check"><input type="checkbox" value="yes" ${attributes(field, filled)}${isOn && html` checked`}><label for="${idOf(field)}">${field.label}</label>
${notes(field, filled)}</div>`;
}

export const hidden = (name: string, value: string | null): Html | null =>
  value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`;

/** What is wrong with the form as a whole. It gets the focus if no field has a problem. */
export const formProblem = (filled: Filled): Html | null =>
  filled.problem === null
    ? null
    : html`<p class="notice notice-bad" role="alert" tabindex="-1"${firstProblem(filled) === undefined && html` autofocus`}>${filled.problem}</p>`;

/** One address or range a line; commas and spaces separate too. */
export const linesOf = (text: string | null): string[] => (text ?? '').split(/[\s,;]+/).filter((one) => one !== '');

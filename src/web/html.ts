// A tagged template with its own result type: every value that is not `Html` is escaped. A template has no way to
// insert raw text, so a runner's name can never become markup.

export class Html {
  constructor(readonly text: string) {}
}

export type Fragment = Html | string | number | null | undefined | false | readonly Fragment[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(literals: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(literals.reduce((text, literal, i) => text + render(values[i - 1]) + literal));
}

function render(value: Fragment): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

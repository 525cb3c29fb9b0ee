// Python as text: names, docstrings and literals.

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** Of a line with its indentation. */
const WIDTH = 120;

export const isName = (text) => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);

/** `maxAgeMinutes` and `from` are `max_age_minutes` and `from_`. */
export function snake(text) {
  const name = text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[\s-]+_?/g, '_');
  return KEYWORDS.has(name) ? `${name}_` : name.replace(/^_/, '');
}

export const pascal = (text) =>
  text
    .split(/[\s_]/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');

/** A string, a number, true, false or null. */
export function literal(value) {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

/** @param {string[]} paragraphs */
export function docstring(paragraphs, indent) {
  const lines = paragraphs.flatMap((text, i) => [...(i > 0 ? [''] : []), ...text.split('\n').flatMap(wrapped(indent))]);
  const escaped = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'));
  if (escaped.at(-1)?.endsWith('"')) escaped[escaped.length - 1] += ' ';
  const closing = escaped.length > 1 ? `\n${indent}"""` : '"""';
  return `${indent}"""${escaped.map((line, i) => (i > 0 && line !== '' ? indent + line : line)).join('\n')}${closing}\n`;
}

/** Room for the quotes of a docstring of one line. */
const wrapped = (indent) => (text) => {
  const lines = [''];
  for (const part of text.split(' ')) {
    const longer = lines.at(-1) === '' ? part : `${lines.at(-1)} ${part}`;
    if (longer.length > WIDTH - indent.length - 6 && lines.at(-1) !== '') lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};

// Text from the feeds on its way to a terminal. Never: a character that the terminal obeys, that turns the direction of
// a line, or that a reader cannot see.
import stringWidth from 'string-width';

/** Controls, format characters, lone surrogates, unassigned and private ones, and ends of lines. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const UNSAFE_IN_JSON = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu;
const GRAPHEMES = new Intl.Segmenter('en');

export const plain = (text: string): string => text.replaceAll(UNSAFE, '�');

/** The JSON of a value, with the same characters escaped: a reader of JSON gets the value unchanged. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(UNSAFE_IN_JSON, (character) =>
    [...Array(character.length).keys()].map((at) => escaped(character.charCodeAt(at))).join(''),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** In columns of the terminal. */
export const widthOf = (text: string): number => stringWidth(text);

/** At most `width` columns; an ellipsis shows that something is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

// Runner cells that acceptances and results share: the number, the rider with the claim, the codes in the links.
import { countOf, positiveOf } from '../reading/read';
import { codeIn } from './address';
import { cellText, type TableRow } from './page';

const NUMBER = /^(\d{1,2})\s*(e?)$/i;
/** `Ms Grace Palmer(a3/52kg)`: an apprentice who claims 3 kg and rides at 52. */
const JOCKEY = /^(.*?)\s*\((a)(\d+(?:\.\d+)?)?(?:\/\d+(?:\.\d+)?kg)?\)\s*$/i;

/** `16e` is number 16, an emergency. Null if it is not a number. */
export function numberIn(row: TableRow): { readonly number: number; readonly emergency: boolean } | null {
  const [, digits, emergency] = NUMBER.exec(cellText(row.get('no')?.text) ?? '') ?? [];
  const number = countOf(digits);
  return number === null ? null : { number, emergency: emergency !== '' };
}

export function jockeyIn(row: TableRow): { readonly jockey: string | null; readonly claimKg: number | null } {
  const text = cellText(row.get('jockey')?.text);
  const [, rider, , claim] = JOCKEY.exec(text ?? '') ?? [];
  return { jockey: rider ?? text, claimKg: positiveOf(claim) };
}

/** The digits of the code in a column's link; null if there is none. */
export const linkedCode = (row: TableRow, column: string, code: string): string | null =>
  row
    .get(column)
    ?.links.map((href) => codeIn(href, code))
    .find((found) => found !== null) ?? null;

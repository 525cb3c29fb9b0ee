// Lines of CSV that the database produces, byte for byte as `src/row-files/csv` produces them from rows: nothing for
// null, "" for an empty text, CRLF.

/** The cell of a text, or of null. */
export const textCell = (text: string): string =>
  `CASE WHEN ${text} = '' OR ${text} ~ '[",\\r\\n]' THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`;

/** Cut to milliseconds, as instants are everywhere. Sessions are in UTC. */
export const instantCell = (at: string): string => `to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const booleanCell = (value: string): string => `CASE WHEN ${value} THEN 'true' ELSE 'false' END`;

/** A text of whole lines, and their number. */
export interface Lines {
  readonly lines: string;
  readonly rows: number;
}

/** At most this many lines after the first `skip`. */
export function partOfLines(all: readonly Lines[], skip: number, most: number): string[] {
  const part: string[] = [];
  let before = skip;
  let left = most;
  for (const { lines, rows } of all) {
    const taken = Math.max(0, Math.min(rows - before, left));
    if (taken > 0) part.push(taken === rows ? lines : cut(lines, before, taken));
    before = Math.max(0, before - rows);
    left -= taken;
  }
  return part;
}

const LF = 10;
const QUOTE = 34;

/** A quoted cell may contain line ends. */
function cut(lines: string, skip: number, most: number): string {
  let start = skip === 0 ? 0 : lines.length;
  let ended = 0;
  let isQuoted = false;
  for (let at = 0; at < lines.length; at++) {
    const code = lines.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    if (code !== LF || isQuoted) continue;
    ended += 1;
    if (ended === skip) start = at + 1;
    if (ended === skip + most) return lines.slice(start, at + 1);
  }
  return lines.slice(start);
}

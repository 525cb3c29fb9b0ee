// Splits a byte stream into lines: CRLF or LF, chunks cut anywhere, even inside a character. Never unbounded: a line
// that is too long is an error.
import { StringDecoder } from 'node:string_decoder';

/** A snapshot of all Australian racing takes several megabytes. */
const LONGEST_LINE = 32 * 1024 * 1024;

/**
 * Calls `onLine` with every line except blank ones, without the line ending. Throws if a line is longer than `longest`.
 */
export function lineReader(onLine: (line: string) => void, longest = LONGEST_LINE): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const text = decoder.write(chunk);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = (rest + text.slice(from, end)).trim();
      rest = '';
      from = end + 1;
      if (line !== '') onLine(line);
    }
    rest += text.slice(from);
    if (rest.length > longest) throw new Error(`a line of more than ${longest} characters`);
  };
}

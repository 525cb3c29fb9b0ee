// Lines out of a byte stream: CRLF or LF, any cut between chunks, characters cut in half included. Bounded: a line without an end is an error.
import { StringDecoder } from 'node:string_decoder';

/** An image of all Australian racing is some megabytes. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Hands every whole line to `onLine`, without its end; blank ones are passed over. Throws when a line is longer than any should be. */
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

// Reads an allow-list from a request (A 5.3). Throws every problem of it, and refuses a list that would lock out the
// caller whose key it is for.
import { readRanges } from '../../../accounts/keys/address-ranges';
import { invalid } from '../../../errors';
import { isAllowed } from '../../kernel/keys/allow-list';

/** `pointer`: the list's place in the body. `own`: the caller's address, if the list is for the key that is sent. */
export function readWhitelist(texts: readonly string[], pointer: string, own: string | null): readonly string[] {
  const read = readRanges(texts);
  if ('problems' in read) throw invalid(read.problems.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })));
  if (own === null || isAllowed(read.ranges, own)) return read.ranges;
  const detail = `The list does not include your own address, ${own}, so this key could not be used from here to change it again.`;
  throw invalid([{ pointer, detail }]);
}

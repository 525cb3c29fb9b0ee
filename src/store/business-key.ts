// Ids that follow from what they stand for, so that writing it again finds the row.
import { createHash } from 'node:crypto';

/** A version 8 UUID, which is a hash. */
export function idOfKey(businessKey: string): string {
  const hex = createHash('sha256').update(businessKey).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

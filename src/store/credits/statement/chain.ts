// The chain of an account's closed days: the head of a day is the SHA-256 of the head before it and of the day's
// lines, so that a customer who keeps one head can prove later that no line before it was changed, added or removed.
// A line counts as the fields of `CHAINED`, in that order, each followed by a NUL, which no field contains
// (docs/accounts.md). Pure, and never changed: heads are stored.
import { createHash } from 'node:crypto';

export const CHAINED = [
  'day',
  'at',
  'kind',
  'operation',
  'key_id',
  'charge_id',
  'used',
  'from_allowance',
  'from_grants',
  'overage',
  'overage_plan',
  'granted',
  'balance_effect',
] as const;

/** As the statement has it: empty where there is nothing. `day` is the one that it counts on. */
export type StatementLine = Readonly<Record<(typeof CHAINED)[number], string>>;

/** What the lines of a day add up to. Used credits are less what was given back. */
export interface DaySums {
  readonly lines: number;
  readonly used: number;
  readonly fromGrants: number;
  readonly overage: number;
  readonly granted: number;
}

/** In the place of a head, before the first day of an account. */
export const NO_HEAD = '0'.repeat(64);

/** `previous`: the head before, in hexadecimal. */
export function createDayChain(previous: string) {
  const hash = createHash('sha256').update(previous);
  const sums = { lines: 0, used: 0, fromGrants: 0, overage: 0, granted: 0 };
  return {
    /** In the order of the statement. */
    add(line: StatementLine): void {
      hash.update(CHAINED.map((name) => `${line[name]}\0`).join(''));
      sums.lines += 1;
      sums.used += Number(line.used);
      sums.fromGrants += Number(line.from_grants);
      sums.overage += Number(line.overage);
      sums.granted += Number(line.granted);
    },
    /** Once, after the last line. */
    end: (): DaySums & { readonly head: string } => ({ ...sums, head: hash.digest('hex') }),
  };
}

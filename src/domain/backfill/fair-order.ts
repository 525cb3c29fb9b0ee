// In which order the registry is read for backfill jobs (D52): accounts in turn, an account's horses by age. The store
// takes the next horse by the same rule, one at a time; this is the rule for the whole queue.

export interface WaitingHorse {
  readonly accountId: string;
  /** A horse that several accounts wait for is read once. */
  readonly horse: string;
  /** Race time, epoch milliseconds. A read of it has failed, and the next may not come before this. Null: none has. */
  readonly notBeforeMs: number | null;
}

export interface ReadQueue {
  /** The oldest first. */
  readonly waiting: readonly WaitingHorse[];
  /** When each account last had its turn: the smallest is next. Equal ones go by the account's id. */
  readonly turns: ReadonlyMap<string, number>;
}

/** Every horse once, in the order of its read. Those that may not be read yet come last, by their instant. */
export function fairOrder({ waiting, turns }: ReadQueue, nowMs: number): readonly string[] {
  const isReady = ({ notBeforeMs }: WaitingHorse): boolean => notBeforeMs === null || notBeforeMs <= nowMs;
  const later = waiting
    .filter((one) => !isReady(one))
    .sort((a, b) => a.notBeforeMs! - b.notBeforeMs!)
    .map(({ horse }) => horse);
  return [...new Set([...inTurn(waiting.filter(isReady), turns), ...later])];
}

function* inTurn(ready: readonly WaitingHorse[], turns: ReadonlyMap<string, number>): Generator<string> {
  const byAccount = new Map<string, { readonly horses: string[]; at: number }>();
  for (const { accountId, horse } of ready) {
    const own = byAccount.get(accountId);
    if (own) own.horses.push(horse);
    else byAccount.set(accountId, { horses: [horse], at: 0 });
  }
  const turnOf = (accountId: string): number => turns.get(accountId) ?? 0;
  let lists = [...byAccount].sort(([a], [b]) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1)).map(([, own]) => own);
  const read = new Set<string>();
  while (lists.length > 0) {
    const left: typeof lists = [];
    for (const list of lists) {
      while (read.has(list.horses[list.at] ?? '')) list.at += 1;
      const horse = list.horses[list.at];
      if (horse === undefined) continue;
      read.add(horse);
      yield horse;
      left.push(list);
    }
    lists = left;
  }
}

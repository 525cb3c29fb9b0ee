// The live board as a stream keeps it: after each batch it is equal to `next-to-go`, ages apart.
import type { Schemas } from '../types.ts';
import type { ReplayEvent, StreamEvent } from './stream.ts';

type Race = Schemas['NextRace'];
type Quote = Race['runners'][number]['bookmakers'][number];
type ChangedRace = Schemas['StreamChangedRace'];
type FreshBook = Schemas['StreamFreshBook'];

const LEGS = ['win_price', 'place_price', 'top2_price', 'top3_price', 'top4_price', 'tote_win'] as const;
/** Absent from a quote where a row has null. */
const OPTIONAL = [...LEGS.slice(1), 'source_url'] as const;

export class Board {
  /** By `race_id`. */
  readonly races = new Map<string, Race>();
  /** A quote is stale when it is older than this, by its `refresh_tier`. */
  staleAfterSeconds: Readonly<Record<string, number>> = { live: 120, card: 1800 };

  apply({ events }: { readonly events: readonly (StreamEvent | ReplayEvent)[] }): void {
    for (const one of events) this.#apply(one);
  }

  #apply(one: StreamEvent | ReplayEvent): void {
    if (one.event === 'reset') this.races.clear();
    if (one.event === 'race') this.races.set(one.data.race_id, one.data);
    if (one.event === 'gone') this.races.delete(one.data.race_id);
    if (one.event === 'changes') for (const race of one.data.races) this.#change(race);
    if (one.event !== 'freshness') return;
    this.staleAfterSeconds = one.data.stale_after_seconds;
    for (const { race_id, books } of one.data.races) this.#refresh(race_id, books);
  }

  #change({ changed_runners, ...members }: ChangedRace): void {
    const race = this.races.get(members.race_id);
    if (!race) return;
    Object.assign(race, Object.fromEntries(Object.entries(members).filter(([name]) => name in race)));
    for (const row of changed_runners) {
      const runner = race.runners.find(({ number }) => number === row.number);
      if (!runner) continue;
      const others = runner.bookmakers.filter(({ key }) => key !== row.bookmaker_key);
      runner.bookmakers = [...others, ...quoteOf(row)].sort((a, b) => (a.key < b.key ? -1 : 1));
    }
  }

  #refresh(raceId: string, books: readonly FreshBook[]): void {
    const byKey = new Map<string, FreshBook>(books.map((book) => [book.key, book]));
    for (const { bookmakers } of this.races.get(raceId)?.runners ?? [])
      for (const quote of bookmakers) Object.assign(quote, byKey.get(quote.key));
  }
}

/** As `next-to-go` has it: one quote, or none. */
function quoteOf(changed: ChangedRace['changed_runners'][number]): Quote[] {
  if (LEGS.every((leg) => changed[leg] === null)) return [];
  const { name, number, bookmaker_key: key, updated_at: last_update, ...row } = changed;
  const quote: Record<string, unknown> = { key, ...row, last_update };
  for (const member of OPTIONAL) if (quote[member] === null) delete quote[member];
  return [quote as Quote];
}

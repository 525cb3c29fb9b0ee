// One past race as its replay shows it, by the clock of its own time.
import { Board, type ReplayBatch, type ReplayEvent } from '../../../typescript/src/index.ts';
import type { Shown } from './live.ts';
import type { Race } from './quotes.ts';

export interface ShownPast extends Shown {
  /** Null: not in view yet. It stays after its jump. */
  readonly race: Race | null;
  readonly result: Extract<ReplayEvent, { event: 'result' }>['data'] | null;
}

/** A price stands until the next one: the archive does not keep when a book last responded. */
const NEVER_STALE = { live: Number.POSITIVE_INFINITY, card: Number.POSITIVE_INFINITY };
/** Prices that come faster are drawn together. */
const DRAWN_EVERY_MS = 50;

/** Runs on from the last event as fast as the replay does. */
export class RaceClock {
  readonly #speed: number;
  readonly #monotonicMs: () => number;
  #raceMs = 0;
  #seenMs = 0;

  /** `speed`: 0 stands still between events. */
  constructor(speed: number, monotonicMs: () => number = () => performance.now()) {
    this.#speed = speed;
    this.#monotonicMs = monotonicMs;
  }

  /** `ageSeconds`: how long ago the instant was then. */
  at(instant: string, ageSeconds = 0): void {
    this.#raceMs = Date.parse(instant) + ageSeconds * 1000;
    this.#seenMs = this.#monotonicMs();
  }

  /** Epoch milliseconds of race time. */
  nowMs(): number {
    return this.#raceMs + (this.#monotonicMs() - this.#seenMs) * this.#speed;
  }
}

/** Every state that is worth drawing, and always the last one. */
export async function* pastLooks(batches: AsyncIterable<ReplayBatch>, clock: RaceClock): AsyncGenerator<ShownPast> {
  const [board, gone] = [new Board(), new Map<string, string>()];
  let drawnMs = Number.NEGATIVE_INFINITY;
  let race: Race | null = null;
  let result: ShownPast['result'] = null;
  for await (const batch of batches) {
    board.apply(batch);
    for (const one of batch.events) {
      if ('server_time' in one.data) clock.at(one.data.server_time);
      if (one.event === 'race') race = fresh(one.data, clock);
      if (one.event === 'gone') gone.set(one.data.race_id, one.data.reason);
      if (one.event === 'result') result = one.data;
    }
    const isOften = batch.events.every(({ event }) => event === 'changes');
    if (isOften && performance.now() - drawnMs < DRAWN_EVERY_MS) continue;
    drawnMs = performance.now();
    const races = [...board.races.values()];
    yield { races, race, result, gone, clock, staleAfterSeconds: NEVER_STALE, source: 'replay' };
  }
}

/** The board keeps this object. */
function fresh(race: Race, clock: RaceClock): Race {
  for (const quote of race.runners.flatMap(({ bookmakers }) => bookmakers)) {
    clock.at(quote.last_update, quote.age_seconds);
    quote.stale = false;
  }
  return race;
}

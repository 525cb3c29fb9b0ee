// The events of many past races in the order of race time: races are read a few at a time, shortly before their first
// price, and forgotten when they are over. Memory holds the races that are on at one instant, whatever the span.
import { setImmediate as turn } from 'node:timers/promises';
import type { RaceToReplay } from '../../../store/reads/archive/replay/replay-prices';
import type { ReplayRace } from '../../../store/reads/archive/replay/replay-races';
import { RaceTimeline, type TimelineEvent } from './race-timeline';

export interface MergedEvent extends TimelineEvent {
  /** Race time, epoch milliseconds. */
  readonly atMs: number;
  /** Of the events at this instant, from 0. */
  readonly number: number;
}

/** Rejects if these races are no longer as planned. */
export type ReadRaces = (races: readonly ReplayRace[]) => Promise<readonly RaceToReplay[]>;

interface Skipped {
  readonly inView: readonly RaceTimeline[];
  readonly results: readonly TimelineEvent[];
}

/** Read at once. */
const RACES_AT_ONCE = 4;
/** Events between two turns of the event loop. */
const EVENTS_AT_ONCE = 64;

export class MergedRaces {
  readonly #reading: AsyncGenerator<readonly RaceTimeline[]>;
  /** Read, by next event. */
  readonly #open: RaceTimeline[] = [];
  /** Whether more can be read that begin at or before this instant. */
  #unreadFromMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #number = 0;

  /** `races`: by first price. */
  constructor(
    private readonly races: readonly ReplayRace[],
    read: ReadRaces,
  ) {
    this.#reading = readAhead(races, read);
    this.#unreadFromMs = races[0]?.firstMs ?? Number.POSITIVE_INFINITY;
  }

  /** Passes over everything before this instant. The races in view then, by start, and the results passed over. */
  async skipTo(ms: number): Promise<Skipped> {
    const results: TimelineEvent[] = [];
    while (this.#unreadFromMs < ms) {
      await this.#readMore((race) => {
        race.skipTo(ms);
        const result = race.hasPlayedResult ? race.result() : null;
        if (result) results.push(result);
      });
      await turn();
    }
    for (const race of this.#open.splice(0)) this.#insert(race);
    return { inView: this.#open.filter(({ isShown }) => isShown).sort(byStart), results };
  }

  /** In batches, in order; a caller that stops ends the reading. */
  async *events(): AsyncGenerator<readonly MergedEvent[]> {
    try {
      for (;;) {
        while (this.#unreadFromMs <= (this.#open[0]?.nextMs ?? Number.POSITIVE_INFINITY) && this.#hasMore)
          await this.#readMore();
        if (this.#open.length === 0) return;
        const batch = this.#batch();
        if (batch.length > 0) yield batch;
      }
    } finally {
      await this.#reading.return(undefined);
    }
  }

  get #hasMore(): boolean {
    return this.#unreadFromMs < Number.POSITIVE_INFINITY;
  }

  #batch(): MergedEvent[] {
    const batch: MergedEvent[] = [];
    while (batch.length < EVENTS_AT_ONCE) {
      const [race] = this.#open;
      if (!race || race.nextMs >= this.#unreadFromMs) break;
      const atMs = race.nextMs;
      const event = race.take();
      this.#open.shift();
      this.#insert(race);
      if (event === null) continue;
      this.#number = atMs === this.#lastMs ? this.#number + 1 : 0;
      this.#lastMs = atMs;
      batch.push({ ...event, atMs, number: this.#number });
    }
    return batch;
  }

  async #readMore(prepare: (race: RaceTimeline) => void = () => {}): Promise<void> {
    const { value, done } = await this.#reading.next();
    if (done) {
      this.#unreadFromMs = Number.POSITIVE_INFINITY;
      return;
    }
    for (const race of value) {
      prepare(race);
      this.#insert(race);
    }
    this.#read += RACES_AT_ONCE;
    this.#unreadFromMs = this.races[this.#read]?.firstMs ?? Number.POSITIVE_INFINITY;
  }

  #read = 0;

  /** A race that is over is forgotten. */
  #insert(race: RaceTimeline): void {
    const { nextMs } = race;
    if (nextMs === Number.POSITIVE_INFINITY) return;
    let [from, until] = [0, this.#open.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if (isBefore(race, nextMs, this.#open[middle]!)) until = middle;
      else from = middle + 1;
    }
    this.#open.splice(from, 0, race);
  }
}

function isBefore(race: RaceTimeline, nextMs: number, other: RaceTimeline): boolean {
  const otherMs = other.nextMs;
  return nextMs === otherMs ? race.race.raceId < other.race.raceId : nextMs < otherMs;
}

const byStart = ({ race: a }: RaceTimeline, { race: b }: RaceTimeline): number =>
  a.head.start_time === b.head.start_time
    ? Number(a.raceId > b.raceId) - Number(a.raceId < b.raceId)
    : Date.parse(a.head.start_time) - Date.parse(b.head.start_time);

/** One reading ahead of the caller. */
async function* readAhead(races: readonly ReplayRace[], read: ReadRaces): AsyncGenerator<readonly RaceTimeline[]> {
  const readFrom = (at: number): Promise<readonly RaceToReplay[]> | null => {
    if (at >= races.length) return null;
    const reading = read(races.slice(at, at + RACES_AT_ONCE));
    // Its error is thrown when it is its turn.
    reading.catch(() => {});
    return reading;
  };
  let next = readFrom(0);
  for (let at = RACES_AT_ONCE; next !== null; at += RACES_AT_ONCE) {
    const found = await next;
    next = readFrom(at);
    yield found.map((race) => new RaceTimeline(race));
  }
}

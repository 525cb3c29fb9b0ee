// One past race as the stream would have shown it, instant by instant: its first price brings it into view, prices
// follow, a scratching sends it whole, the jump takes it away, and its result comes last. It shows no member earlier
// than it was known. Pure.
import { bookmaker } from '../../../domain/bookmakers';
import { winAndPlaceOnly } from '../../../domain/prices/win-and-place';
import { PLACES_THAT_COUNT } from '../../../domain/results/placings';
import { tierAt } from '../../../domain/time/cadence';
import type { RaceToReplay, ReplaySeries } from '../../../store/reads/archive/replay/replay-prices';
import type { BoardBook, BoardRace } from '../../../store/reads/races/board';
import { ageBasis, secsToJump } from '../../wire/present-freshness';
import { goneText } from '../changes/board-view';
import { type ShownRace, shownRace, wholeText } from '../changes/shown-race';

export interface TimelineEvent {
  readonly event: 'race' | 'changes' | 'gone' | 'result';
  /** JSON. */
  readonly data: string;
}

/** Results that come later are not played: a replay would wait for them. */
const RESULT_WITHIN_MS = 6 * 3_600_000;
/** More prices than a race has: an order by instant and price is one number. */
const MOST_PRICES = 2 ** 20;
const NEVER = Number.POSITIVE_INFINITY;

export class RaceTimeline {
  /** Indexes of prices in the order of their instants, as `at(series) * MOST_PRICES + index`, from `#baseMs` on. */
  readonly #prices: Float64Array;
  readonly #baseMs: number;
  readonly #rows: readonly PriceRows[];
  /** Of each price: its series, and its place there. */
  readonly #seriesOf: Uint16Array;
  readonly #placeOf: Uint32Array;
  /** The instants of scratchings, ascending. */
  readonly #scratchings: readonly number[];
  /** When the track condition changed to the one that is known; infinite: never while it is shown. */
  #conditionMs: number;
  readonly #resultMs: number;
  /** By series, the place of its last price; -1: none yet. */
  readonly #last: Int32Array;
  #at = 0;
  #scratched = 0;
  #phase: 'ahead' | 'shown' | 'gone' | 'over' = 'ahead';
  #headMs = 0;
  #headText: string | null = null;
  #isSkipping = false;

  constructor(readonly race: RaceToReplay) {
    const { series, runners, jumpMs, result } = race;
    const simple = winAndPlaceOnly(race.head);
    this.#rows = series.map((one) => new PriceRows(race, one, simple));
    this.#baseMs = Math.min(...series.map(({ atMs }) => atMs[0]!));
    const count = series.reduce((sum, { atMs }) => sum + atMs.length, 0);
    if (count >= MOST_PRICES) throw new Error(`race ${race.raceId} has ${count} prices`);
    this.#seriesOf = new Uint16Array(count);
    this.#placeOf = new Uint32Array(count);
    this.#prices = new Float64Array(count);
    let index = 0;
    series.forEach(({ atMs }, of) => {
      atMs.forEach((ms, place) => {
        this.#seriesOf[index] = of;
        this.#placeOf[index] = place;
        this.#prices[index] = (ms - this.#baseMs) * MOST_PRICES + index++;
      });
    });
    this.#prices.sort();
    this.#last = new Int32Array(series.length).fill(-1);
    const scratchedAt = runners.flatMap(({ scratched, scratchedAt }) =>
      scratched && scratchedAt !== null ? [Date.parse(scratchedAt)] : [],
    );
    this.#scratchings = [...new Set(scratchedAt)].filter((ms) => ms < jumpMs).sort((a, b) => a - b);
    const changedAt = race.head.track_condition_changed_at;
    this.#conditionMs = changedAt === null ? NEVER : Date.parse(changedAt);
    const at = result?.finalised_at ?? result?.resulted_at ?? null;
    this.#resultMs = playedResultMs(at === null ? null : Date.parse(at), jumpMs) ?? NEVER;
  }

  /** Epoch milliseconds of its next event; infinite: it is over. */
  get nextMs(): number {
    if (this.#phase === 'over') return NEVER;
    if (this.#phase === 'gone') return this.#resultMs;
    const priceMs = this.#priceMs();
    if (this.#phase === 'ahead') return priceMs <= this.race.jumpMs ? priceMs : NEVER;
    return Math.min(priceMs, this.#scratchings[this.#scratched] ?? NEVER, this.#conditionMs, this.race.jumpMs);
  }

  get isShown(): boolean {
    return this.#phase === 'shown';
  }

  /** The event at `nextMs`; null: what happened then is not shown. */
  take(): TimelineEvent | null {
    const ms = this.nextMs;
    if (this.#phase === 'gone') {
      this.#phase = 'over';
      return this.result();
    }
    // A price that was captured at the jump is the close.
    if (ms >= this.race.jumpMs && this.#priceMs() !== ms) {
      this.#phase = this.#resultMs === NEVER ? 'over' : 'gone';
      const reason = this.race.head.status === 'abandoned' ? 'abandoned' : 'jumped';
      return { event: 'gone', data: goneText(this.race.raceId, reason) };
    }
    return this.#pricesAt(ms);
  }

  /** Passes over everything before this instant, without its text. */
  skipTo(ms: number): void {
    this.#isSkipping = true;
    while (this.nextMs < ms) this.take();
    this.#isSkipping = false;
  }

  get hasPlayedResult(): boolean {
    return this.#phase === 'over' && this.#resultMs !== NEVER;
  }

  result(): TimelineEvent | null {
    return this.#isSkipping ? null : { event: 'result', data: resultText(this.race) };
  }

  /** As `next-to-go` has it after everything before `ms`. */
  wholeAt(ms: number): string {
    return wholeText(shownRace(this.#boardRace(ms), null), ms).toString();
  }

  #priceMs(): number {
    return this.#at < this.#prices.length ? this.#baseMs + Math.floor(this.#prices[this.#at]! / MOST_PRICES) : NEVER;
  }

  #pricesAt(ms: number): TimelineEvent | null {
    const isNew = this.#phase === 'ahead';
    const before = this.#scratched;
    while ((this.#scratchings[this.#scratched] ?? NEVER) <= ms) this.#scratched++;
    const isWhole = isNew || this.#scratched > before;
    const hasNewHead = isWhole || this.#conditionMs <= ms;
    if (this.#conditionMs <= ms) this.#conditionMs = NEVER;
    const server = new Date(ms).toISOString();
    const rows: string[] = [];
    for (; this.#priceMs() === ms; this.#at++) {
      const index = this.#prices[this.#at]! % MOST_PRICES;
      const series = this.#seriesOf[index]!;
      const place = this.#placeOf[index]!;
      this.#last[series] = place;
      const priced = this.#rows[series]!;
      if (!this.#isSkipping && !isWhole && priced.isRunningAt(ms)) rows.push(priced.rowAt(place, ms, server));
    }
    if (hasNewHead) {
      this.#phase = 'shown';
      this.#headMs = ms;
      this.#headText = null;
      if (this.#isSkipping) return null;
      const shown = this.#shownAt(ms);
      if (isWhole) return { event: 'race', data: wholeText(shown, ms).toString() };
    } else if (rows.length === 0) return null;
    if (this.#headText === null) this.#shownAt(this.#headMs);
    const race = `${this.#headText},"changed_runners":[${rows.join()}]}`;
    return { event: 'changes', data: `{"server_time":"${server}","races":[${race}]}` };
  }

  #shownAt(ms: number): ShownRace {
    const shown = shownRace(this.#boardRace(ms), null);
    this.#headText = JSON.stringify(shown.content.head).slice(0, -1);
    return shown;
  }

  #boardRace(ms: number): BoardRace {
    const { head, runners } = this.race;
    const changedAt = head.track_condition_changed_at;
    const isKnown = changedAt === null || Date.parse(changedAt) <= ms;
    const out = (at: string | null): boolean => at === null || Date.parse(at) <= ms;
    return {
      ...head,
      // Known at its end alone.
      ...{ market_status: null, inplay: null, market_closed_at: null, inplay_at: null, market_state_source: null },
      weather: null,
      places_paid: null,
      track_condition: isKnown ? head.track_condition : null,
      track_condition_changed_at: isKnown ? changedAt : null,
      startMs: Date.parse(head.start_time),
      runners: runners.map((one) =>
        one.scratched && out(one.scratchedAt) ? one : { ...one, scratched: false, scratchedAt: null, late: null },
      ),
      books: this.#books(),
    };
  }

  #books(): BoardBook[] {
    const books = new Map<string, { readonly series: ReplaySeries; readonly place: number }[]>();
    this.race.series.forEach((series, i) => {
      const place = this.#last[i]!;
      if (place < 0) return;
      const quotes = books.get(series.bookmaker) ?? [];
      books.set(series.bookmaker, quotes);
      quotes.push({ series, place });
    });
    const keys = [...books.keys()].sort();
    return keys.map((key) => bookOf(key, books.get(key)!));
  }
}

/** A book responded last when it last moved a price: the archive keeps no other response. */
function bookOf(key: string, quotes: readonly { readonly series: ReplaySeries; readonly place: number }[]): BoardBook {
  const of = (name: 'win' | 'place' | 'top2' | 'top3' | 'top4'): (number | null)[] =>
    quotes.map(({ series, place }) => series[name]?.[place] || null);
  return {
    bookmaker: key,
    polledAtMs: Math.max(...quotes.map(({ series, place }) => series.atMs[place]!)),
    sourceUrl: null,
    numbers: quotes.map(({ series }) => series.number),
    win: of('win'),
    place: of('place'),
    top2: of('top2'),
    top3: of('top3'),
    top4: of('top4'),
    tote: null,
  };
}

/** The rows of one series, in the members of a changed runner. Written by hand: a day has more than a million. */
class PriceRows {
  readonly #series: ReplaySeries;
  readonly #head: string;
  readonly #end: string;
  readonly #startMs: number;
  readonly #book: ReturnType<typeof bookmaker>;
  readonly #simple: boolean;
  /** From here on the runner is out. */
  readonly #outMs: number;

  constructor({ head, runners }: RaceToReplay, series: ReplaySeries, simple: boolean) {
    const runner = runners.find(({ number }) => number === series.number);
    this.#series = series;
    this.#simple = simple;
    this.#startMs = Date.parse(head.start_time);
    this.#book = bookmaker(series.bookmaker);
    const { name, number } = runner ?? { name: null, number: series.number };
    const text = JSON.stringify({ name, number, bookmaker_key: series.bookmaker });
    this.#head = `${text.slice(0, -1)},"win_price":`;
    this.#end = `,"age_basis":"${ageBasis(this.#book)}"}`;
    this.#outMs = outMs(runner);
  }

  isRunningAt(ms: number): boolean {
    return ms < this.#outMs;
  }

  rowAt(place: number, ms: number, instant: string): string {
    const { win, place: places, top2, top3, top4 } = this.#series;
    const tops = this.#simple
      ? '"top2_price":null,"top3_price":null,"top4_price":null'
      : `"top2_price":${top2?.[place] || null},"top3_price":${top3?.[place] || null},"top4_price":${top4?.[place] || null}`;
    const tier = tierAt(secsToJump(this.#startMs, ms), this.#book);
    return `${this.#head}${win[place]!},"place_price":${places?.[place] || null},${tops},"updated_at":"${instant}","tote_win":null,"source_url":null,"refresh_tier":"${tier}"${this.#end}`;
  }
}

/** A runner that is not on the card has no rows; one whose scratching has no instant was out from the beginning. */
function outMs(runner: RaceToReplay['runners'][number] | undefined): number {
  if (runner === undefined) return Number.NEGATIVE_INFINITY;
  if (!runner.scratched) return NEVER;
  return runner.scratchedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(runner.scratchedAt);
}

/** When a result is played that became final, or without that came, at this instant; null: it is not. */
export function playedResultMs(atMs: number | null, jumpMs: number): number | null {
  return atMs === null || atMs > jumpMs + RESULT_WITHIN_MS ? null : Math.max(atMs, jumpMs);
}

function resultText({ raceId, head, result }: RaceToReplay): string {
  const { status, placings } = result!;
  const { venue, race_number, category, country, start_time } = head;
  return JSON.stringify({
    ...{ race_id: raceId, venue, race_number, category, country, start_time, status },
    placings: placings
      .filter(({ position }) => position <= PLACES_THAT_COUNT)
      .map(({ position, number, name = null }) => ({ position, number, name })),
  });
}

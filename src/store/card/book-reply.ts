// A book's snapshot in the form that `write_poll` takes: one composite literal, which the database parses only if its
// hash is new. The card (all that is not a price) is apart from it and is merged only if it differs.
import { hash } from 'node:crypto';
import type { FeedRunner, RaceFacts, RaceSnapshot } from '../../domain/race/feed-race';
import { FACTS } from '../../domain/race/race-facts';
import { runnerKey } from '../../domain/race/runner';
import type { BookPoll } from './book-poll';

export type CardRunner = Omit<FeedRunner, 'win' | 'place' | 'top2' | 'top3' | 'top4' | 'toteWin'>;

/** One book's card: all it reports but prices. */
export interface BookCard {
  readonly facts: RaceFacts;
  readonly runners: readonly CardRunner[];
}

/**
 * Of a snapshot that a feed did not read again (`readOnce`). A snapshot never changes, but the poll says of it whether
 * its market state and its start count.
 */
interface KnownHash {
  readonly sources: string;
  readonly hash: string;
}
const known = new WeakMap<RaceSnapshot, KnownHash>();

/** One snapshot, ready to be written. All but the hash is built only when it is needed. */
export class BookReply {
  readonly hash: string;
  private ordered: readonly FeedRunner[] | null = null;
  private text: string | null = null;

  constructor(
    private readonly poll: BookPoll,
    private readonly snapshot: RaceSnapshot,
  ) {
    const sources = `${poll.marketStateSource} ${poll.startSource}`;
    const last = known.get(snapshot);
    this.hash = last?.sources === sources ? last.hash : this.newHash();
    if (last?.hash !== this.hash) known.set(snapshot, { sources, hash: this.hash });
  }

  private newHash(): string {
    const market = marketText(this.poll, this.snapshot, this.runners);
    return hash('sha1', `${this.cardText}${market}`, 'base64');
  }

  private get runners(): readonly FeedRunner[] {
    this.ordered ??= byNumber(this.snapshot.runners);
    return this.ordered;
  }

  private get cardText(): string {
    this.text ??= cardText(this.snapshot.facts, this.runners);
    return this.text;
  }

  get cardHash(): string {
    return hash('sha1', this.cardText, 'base64');
  }

  literal(): string {
    return replyLiteral(this.poll, this.snapshot, this.runners, this.cardHash);
  }

  card(): BookCard {
    return { facts: this.snapshot.facts, runners: this.runners.map(cardRunner) };
  }
}

/** Ascending; of two rows with one number (a box vacancy reported twice, A 2.2) the first wins. */
function byNumber(runners: readonly FeedRunner[]): readonly FeedRunner[] {
  if (areAscending(runners)) return runners;
  const sorted = runners.filter(({ number }) => isStorable(number));
  sorted.sort((a, b) => a.number - b.number);
  return sorted.filter((runner, i) => runner.number !== sorted[i - 1]?.number);
}

const isStorable = (number: number): boolean => Number.isInteger(number) && number > 0 && number < 1000;

/** As almost every book lists them. */
function areAscending(runners: readonly FeedRunner[]): boolean {
  let last = 0;
  for (const { number } of runners) {
    if (number <= last || !isStorable(number)) return false;
    last = number;
  }
  return true;
}

function cardRunner(runner: FeedRunner): CardRunner {
  const { number, name, barrier, jockey, trainer, weightKg, form, runnerRef, emergency, scratching, sourceIds } =
    runner;
  return { number, name, barrier, jockey, trainer, weightKg, form, runnerRef, emergency, scratching, sourceIds };
}

/** Equal for equal cards and for no others. Not JSON, because every poll needs it and this costs half as much. */
function cardText(f: RaceFacts, runners: readonly FeedRunner[]): string {
  let text = FACTS.map(([key]) => String(f[key])).join('\n');
  for (const r of runners) {
    text += `\n${r.number}\t${r.name}\t${r.barrier}\t${r.jockey}\t${r.trainer}\t${r.weightKg}\t${r.form}`;
    text += `\t${r.runnerRef}\t${r.emergency}`;
    if (r.sourceIds) text += `\t${r.sourceIds.win}\t${r.sourceIds.place}`;
    const out = r.scratching;
    if (out) text += `\t${out.at}\t${out.late}\t${out.winDeduction}\t${out.placeDeduction}`;
  }
  return text;
}

function marketText(poll: BookPoll, snapshot: RaceSnapshot, runners: readonly FeedRunner[]): string {
  const { marketStatus, inPlay, startTime, sourceUrl } = snapshot;
  let text = `\n${poll.marketStateSource}\t${marketStatus}\t${inPlay}\t${poll.startSource && startTime}\t${sourceUrl}`;
  for (const r of runners) {
    text += `\n${r.win}\t${r.place}\t${r.top2}\t${r.top3}\t${r.top4}`;
    if (r.toteWin) text += JSON.stringify(r.toteWin);
  }
  return text;
}

function replyLiteral(poll: BookPoll, snapshot: RaceSnapshot, runners: readonly FeedRunner[], cardHash: string) {
  const { marketStatus, inPlay, startTime, sourceUrl } = snapshot;
  const start = poll.startSource ? startTime : null;
  let text = `(${field(marketStatus)},${poll.marketStateSource && marketStatus !== null},${inPlay ?? ''},${field(start)}`;
  text += `,${field(sourceUrl)},"${cardHash}",${arrays(runners)},${field(toteOf(runners))})`;
  return text;
}

/** In one pass; neither a number nor a runner's key needs escaping. */
function arrays(runners: readonly FeedRunner[]): string {
  let [numbers, keys, win, place, top2, top3, top4] = ['', '', '', '', '', '', ''];
  for (const runner of runners) {
    numbers += `,${runner.number}`;
    keys += `,\\"${runnerKey(runner.name)}\\"`;
    win += `,${runner.win ?? 'NULL'}`;
    place += `,${runner.place ?? 'NULL'}`;
    top2 += `,${runner.top2 ?? 'NULL'}`;
    top3 += `,${runner.top3 ?? 'NULL'}`;
    top4 += `,${runner.top4 ?? 'NULL'}`;
  }
  return [numbers, keys, win, place, top2, top3, top4].map((each) => `"{${each.slice(1)}}"`).join(',');
}

const field = (value: string | null): string => (value === null ? '' : `"${value.replace(/["\\]/g, '\\$&')}"`);

function toteOf(runners: readonly FeedRunner[]): string | null {
  const quoted = runners.filter((runner) => runner.toteWin !== null);
  if (quoted.length === 0) return null;
  return JSON.stringify(Object.fromEntries(quoted.map((runner) => [runner.number, runner.toteWin])));
}

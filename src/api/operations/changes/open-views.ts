// What the streams of this process follow: a view for each selection, and a shelf for all views with betslip links and
// for all without.
import { setImmediate as turn } from 'node:timers/promises';
import type { EventGroup } from '../../kernel/stream/event-text';
import { type Selection, selectionKey } from '../../kernel/stream/selection';
import type { BoardReading } from './board-reading';
import { createShelf, createView, type Shelf, type ShownRaces, type View } from './board-view';

export interface BoardFollower {
  /** The events of a reading that has some. If it throws, the event is lost. */
  read(reading: BoardReading, events: EventGroup): void;
  /** No reading follows. `clock`: the database's clock went back, and sent events cannot be continued. */
  lost(why?: 'clock'): void;
}

export interface Following {
  /** The follower gets the events of every later reading. */
  readonly reading: BoardReading;
  /** The view of the selection at this reading. */
  readonly ids: ReadonlySet<string>;
  readonly races: ShownRaces;
  /** Race time: `serverMs` of the newest reading whose events all followers of this selection have. */
  place(): number;
  leave(): void;
}

interface OpenView {
  readonly view: View;
  readonly shelf: Shelf;
  readonly betslip: boolean;
  readonly followers: Set<BoardFollower>;
  /** Of the newest reading whose events all of them have. */
  serverMs: number;
}

/** About a millisecond of work, in sends. */
const SENT_AT_ONCE = 100;
/** A turn also ends after so much time, if it sent at least a few: what it costs depends on the machine. */
const TURN_MS = 1;
const LEAST_SENT = 30;
/** What a view costs that selects again or has events, in sends; any other costs as much as one. */
const SENDS_OF_VIEW = 10;

export class OpenViews {
  private readonly views = new Map<string, OpenView>();

  constructor(
    private readonly log: { error(fields: object, message: string): void },
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {}

  get isEmpty(): boolean {
    return this.views.size === 0;
  }

  get haveLinks(): boolean {
    return this.shelfOf(true) !== undefined;
  }

  follow(selection: Selection, follower: BoardFollower, reading: BoardReading): Following {
    const key = selectionKey(selection);
    const open = this.views.get(key) ?? this.newView(key, selection, reading);
    open.followers.add(follower);
    const { view, shelf } = open;
    return { reading, ids: view.ids, races: shelf.races, ...this.endsOf(key, open, follower) };
  }

  /**
   * Ends when every follower has its events: what else the process does waits for some of them, never for all. Resolves
   * to the milliseconds that this took.
   */
  async pass(reading: BoardReading): Promise<number> {
    const turns = createTurns(this.elapsedMs);
    for (const shelf of new Set([...this.views.values()].map((open) => open.shelf))) shelf.update(reading);
    for (const [key, open] of [...this.views]) {
      const before = open.view.ids;
      const events = open.view.update(reading, open.shelf);
      const isDear = events !== null || open.view.ids !== before;
      if (turns.isOver(isDear ? SENDS_OF_VIEW : 1)) await turns.others();
      if (events) await this.passTo(key, open, reading, events, turns);
      open.serverMs = reading.serverMs;
    }
    return turns.tookMs();
  }

  end(why?: 'clock'): void {
    const followers = [...this.views.values()].flatMap((open) => [...open.followers]);
    this.views.clear();
    for (const follower of followers) follower.lost(why);
  }

  /** Apart from the first reading, which would live as long as its connection. */
  private endsOf(key: string, open: OpenView, follower: BoardFollower): Pick<Following, 'place' | 'leave'> {
    return { place: () => open.serverMs, leave: () => this.leave(key, open, follower) };
  }

  private async passTo(
    key: string,
    open: OpenView,
    reading: BoardReading,
    events: EventGroup,
    turns: Turns,
  ): Promise<void> {
    for (const follower of [...open.followers]) {
      // It may have left in another turn.
      if (!open.followers.has(follower)) continue;
      try {
        follower.read(reading, events);
      } catch (err) {
        this.log.error({ err }, 'a stream cannot send changes: it ends');
        this.leave(key, open, follower);
        follower.lost();
      }
      if (turns.isOver(1)) await turns.others();
    }
  }

  private newView(key: string, selection: Selection, reading: BoardReading): OpenView {
    const { betslip } = selection;
    const shelf = this.shelfOf(betslip) ?? newShelf(betslip, reading);
    const view = createView(selection, reading);
    const followers = new Set<BoardFollower>();
    const open: OpenView = { view, shelf, betslip, followers, serverMs: reading.serverMs };
    this.views.set(key, open);
    return open;
  }

  private shelfOf(betslip: boolean): Shelf | undefined {
    return [...this.views.values()].find((one) => one.betslip === betslip)?.shelf;
  }

  private leave(key: string, open: OpenView, follower: BoardFollower): void {
    open.followers.delete(follower);
    if (open.followers.size === 0 && this.views.get(key) === open) this.views.delete(key);
  }
}

/** Of one pass, over all its views. */
function createTurns(elapsedMs: () => number) {
  let beganMs = elapsedMs();
  let tookMs = 0;
  let sent = 0;
  return {
    /** After work that costs as much as some sends: whether others have their turn. */
    isOver(sends: number): boolean {
      sent += sends;
      if (sent >= SENT_AT_ONCE) return true;
      return sent >= LEAST_SENT && elapsedMs() - beganMs >= TURN_MS;
    },
    async others(): Promise<void> {
      tookMs += elapsedMs() - beganMs;
      sent = 0;
      await turn();
      beganMs = elapsedMs();
    },
    tookMs: (): number => tookMs + elapsedMs() - beganMs,
  };
}

type Turns = ReturnType<typeof createTurns>;

function newShelf(betslip: boolean, reading: BoardReading): Shelf {
  const shelf = createShelf((now, id) => (betslip ? (now.links?.get(id) ?? null) : null));
  shelf.update(reading);
  return shelf;
}

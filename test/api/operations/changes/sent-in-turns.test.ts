// The events of a reading go to many connections in several turns of the process, whether they share a selection or
// each has its own. At any moment between two turns a
// connection may leave, fail or send a comment: each gets every event once and in order while it is open, and no id
// stands ahead of what its connection has got, or goes back.
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Selection } from '../../../../src/api/kernel/stream/selection';
import { createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { createChangesStream } from '../../../../src/api/operations/changes/changes-stream';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { PATIENT_MS } from '../../../support/patient';
import { boardRace } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-30T02:00:00.000Z');
const CONNECTIONS = 450;
const WRITES = 12;
const ID = '00000000-0000-4000-8000-000000000001';
const LEAST_HOURS = 2;

/** The price of the race is the mark of its last write. */
class World {
  private mark = NOW_MS;
  readonly prices = [NOW_MS];
  private readonly reads = {
    boardPlace: async () => {
      this.mark++;
      return { nowMs: this.mark, settledMs: this.mark };
    },
    boardSince: async ({ sinceMs }: { readonly sinceMs: number }) => ({
      shown: ID,
      written: this.prices.at(-1)! >= sinceMs ? [ID] : [],
      linked: [],
    }),
    board: async () => [this.race()],
    boardEnds: async () => [],
    boardWritten: async () => [],
    betslipIds: async () => [],
  };
  readonly stream = createChangesStream(
    createBoardFeed({
      reads: this.reads as unknown as Parameters<typeof createBoardFeed>[0]['reads'],
      clock: REAL_TIME,
      now: () => NOW_MS,
      log: { error: () => {} },
      pauseMs: 1,
      slewMs: 1,
    }),
  );

  write(): void {
    this.mark++;
    this.prices.push(this.mark);
  }

  private race() {
    const none = [null];
    const legs = { numbers: [1], win: [this.prices.at(-1)!], place: none, top2: none, top3: none, top4: none };
    const book = { bookmaker: 'tab', polledAtMs: NOW_MS, sourceUrl: null, ...legs, tote: null };
    return boardRace({ race_id: ID, startMs: NOW_MS + 3_600_000, books: [book] });
  }
}

class Connection {
  readonly got: number[] = [];
  readonly broken: string[] = [];
  hasLeft = false;
  isLost = false;
  private place = '';
  private comment = (): Buffer => Buffer.alloc(0);
  private end = (): void => {};

  constructor(
    private readonly world: World,
    private readonly selection: Selection,
    /** It throws at this event. */
    private readonly failsAt: number,
  ) {}

  async open(): Promise<void> {
    const sink = {
      event: (bytes: Buffer): void => this.take(String(bytes)),
      lost: (): void => {
        this.isLost = true;
      },
    };
    const start = { lastEventId: null, connection: randomUUID() };
    const { opening, heartbeat, leave } = await this.world.stream.open(this.selection, start, sink);
    this.got.push(Number(/"win_price":(\d+)/.exec(String(opening[1]))![1]));
    this.comment = () => heartbeat().bytes;
    this.end = leave;
  }

  leave(): void {
    this.hasLeft = true;
    this.end();
  }

  beat(): void {
    if (!this.hasLeft && !this.isLost) this.pass(String(this.comment()));
  }

  private take(text: string): void {
    if (this.hasLeft || this.isLost) this.broken.push(`after its end: ${text}`);
    if (this.got.length === this.failsAt) throw new Error('it cannot be sent');
    const price = Number(/"win_price":(\d+)/.exec(text)![1]);
    if (price <= this.got.at(-1)!) this.broken.push(`twice, or out of order: ${price}`);
    this.got.push(price);
    this.pass(text);
  }

  private pass(text: string): void {
    const place = /^id: (\S+)/m.exec(text)![1]!;
    if (place < this.place) this.broken.push(`the id goes back: ${place}`);
    this.place = place;
    const before = this.world.prices.findLast((mark) => mark < Date.parse(place))!;
    if (this.got.at(-1)! < before) this.broken.push(`${before} is before the id ${place}, and not sent`);
  }
}

const turnsOf = 'in every turn of sending, connections that leave, fail and comment lose, double and reorder nothing';

test.each([1, 20, CONNECTIONS])(`%i selections: ${turnsOf}`, async (selections) => {
  const world = new World();
  const all = Array.from({ length: CONNECTIONS }, (_, i) => {
    // In the order in which they are sent to.
    const horizonHours = LEAST_HOURS + Math.floor((i * selections) / CONNECTIONS);
    return new Connection(world, { includeUnresolved: true, betslip: false, horizonHours }, i % 90 === 7 ? 3 : -1);
  });
  await Promise.all(all.map((one) => one.open()));
  let turnsWithin = 0;
  for (let i = 0; i < WRITES; i++) {
    world.write();
    const [first, last] = [all[0]!, all.at(-1)!];
    const late = AbortSignal.timeout(PATIENT_MS);
    for (; last.got.at(-1) !== world.prices.at(-1); await turn()) {
      late.throwIfAborted();
      for (const one of all) one.beat();
      if (first.got.at(-1) === last.got.at(-1)) continue;
      turnsWithin++;
      // One that has its event, and one that still waits for it.
      for (const at of [20 + i, CONNECTIONS - 20 - i]) all[at]!.leave();
    }
  }
  expect(turnsWithin).toBeGreaterThan(WRITES);
  const [whole, lost] = [all.filter(({ hasLeft, isLost }) => !hasLeft && !isLost), all.filter(({ isLost }) => isLost)];
  expect(whole.length).toBeGreaterThan(CONNECTIONS / 2);
  for (const { got } of whole) expect(got.at(-1)).toBe(world.prices.at(-1));
  expect(lost.length).toBeGreaterThan(0);
  for (const one of all) one.leave();
  expect(all.flatMap(({ broken }) => broken)).toEqual([]);
});

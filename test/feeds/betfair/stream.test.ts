// The stream's parts one by one: lines from bytes, messages from lines, and the fold of messages into markets, with
// rules for any message.
import fc from 'fast-check';
import { lineReader } from '../../../src/feeds/betfair/stream/lines';
import { marketOfStream } from '../../../src/feeds/betfair/stream/market';
import { fold, type MarketCache, NO_MARKETS } from '../../../src/feeds/betfair/stream/market-cache';
import { readMessage } from '../../../src/feeds/betfair/stream/message';
import type { MarketChange, MarketChangeMessage, MarketDefinition } from '../../../src/feeds/betfair/stream/payload';
import { countDrops } from '../../../src/feeds/reading/drops';
import { unpublishable } from '../support/publishable';
import { everySpoilt } from '../support/spoilt';

const definition = (over: Partial<MarketDefinition> = {}): MarketDefinition => ({
  status: 'OPEN',
  inPlay: false,
  bspReconciled: false,
  version: 1,
  marketType: 'WIN',
  marketTime: '2026-11-21T04:00:00.000Z',
  numberOfWinners: 1,
  numberOfActiveRunners: 2,
  bspMarket: true,
  turnInPlayEnabled: true,
  eventId: '31000001',
  eventTypeId: '7',
  openDate: '2026-11-21T02:00:00.000Z',
  runners: [
    { id: 11, status: 'ACTIVE', sortPriority: 1, adjustmentFactor: 60.5 },
    { id: 12, status: 'ACTIVE', sortPriority: 2, adjustmentFactor: 39.5 },
  ],
  ...over,
});
const message = (pt: number, ...mc: Omit<MarketChange, 'id'>[]): MarketChangeMessage => ({
  op: 'mcm',
  pt,
  mc: mc.map((change) => ({ id: '1.1', ...change })),
});
const folded = (...messages: MarketChangeMessage[]): MarketCache => messages.reduce(fold, NO_MARKETS);
const market = (...messages: MarketChangeMessage[]) => marketOfStream(folded(...messages).get('1.1')!);
const runner = (id: number, ...messages: MarketChangeMessage[]) =>
  market(...messages)!.runners.find((each) => each.selectionId === id)!;

describe('lines', () => {
  test('any split of the bytes gives the same lines, even within a character', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '').trim()));
    fc.assert(
      fc.property(texts, fc.constantFrom('\r\n', '\n'), fc.integer({ min: 1, max: 7 }), (lines, ending, size) => {
        const bytes = Buffer.from(lines.map((line) => line + ending).join(''));
        const read: string[] = [];
        const reader = lineReader((line) => read.push(line));
        for (let i = 0; i < bytes.length; i += size) reader(bytes.subarray(i, i + size));
        expect(read).toEqual(lines.filter((line) => line !== ''));
      }),
    );
  });

  test('a line without an end is an error, and memory does not grow', () => {
    const read = lineReader(() => undefined, 100);
    expect(() => read(Buffer.alloc(101, 65))).toThrow('100');
  });
});

describe('messages', () => {
  const read = (value: unknown) => {
    const drops = countDrops();
    const line = typeof value === 'string' ? value : JSON.stringify(value);
    return { message: readMessage(line, drops), dropped: drops.counts() };
  };

  test.each(['', '{', '[]', '7', '{"op":"other"}', '{"op":"mcm"}'])('%s is not a message', (line) => {
    expect(read(line).message).toBeNull();
  });

  test('undocumented parts are left out and counted, the rest is kept', () => {
    const bad = { ...definition(), status: 'HALTED' };
    const mc = [null, { rc: [] }, { id: '1.1', marketDefinition: bad, rc: [{ id: 11, ltp: 2 }] }];
    expect(read({ op: 'mcm', pt: 1, mc })).toEqual({
      message: { op: 'mcm', pt: 1, mc: [{ id: '1.1', rc: [{ id: 11, ltp: 2 }] }] },
      dropped: { market_change_unreadable: 2, market_definition_unreadable: 1 },
    });
  });
});

test('after any fault in a message its markets can be published, and an unreadable runner affects no other', () => {
  const steps = { atb: [[3, 5]], atl: [[4, 7]], batb: [[0, 3, 5]], batl: [[0, 4, 7]], ltp: 3, tv: 9 };
  const rc = [11, 12].map((id) => ({ id, ...steps }));
  const named = definition().runners.map((one, i) => ({ ...one, name: `${i + 1}. Runner`, bsp: 3 }));
  const shown = { id: '1.1', img: true, tv: 50, marketDefinition: definition({ runners: named }), rc };
  const faults: string[] = [];
  for (const { what, document } of everySpoilt({ op: 'mcm', clk: 'a', pt: 1_795_000_000_000, mc: [shown] })) {
    const message = readMessage(JSON.stringify(document), countDrops());
    if (message?.op !== 'mcm') continue;
    const again = fold(fold(NO_MARKETS, message), message);
    const markets = [...again.values()].flatMap((state) => marketOfStream(state) ?? []);
    if (/runners\.1\.|rc\.1\./.test(what)) expect([what, markets[0]?.runners[0]?.backPrice]).toEqual([what, 3]);
    faults.push(...markets.flatMap((one) => unpublishable(one)).map((fault) => `${what}: ${fault}`));
  }
  expect(faults).toEqual([]);
});

describe('the fold', () => {
  test('the best of a ladder is the highest to back and the lowest to lay; size 0 removes a price', () => {
    const first = message(1, {
      marketDefinition: definition(),
      rc: [
        {
          id: 11,
          atb: [
            [2, 10],
            [3, 5],
          ],
          atl: [
            [4, 7],
            [3.5, 1],
          ],
        },
      ],
    });
    expect(runner(11, first)).toMatchObject({ backPrice: 3, backSize: 5, layPrice: 3.5, laySize: 1 });
    const second = message(2, {
      rc: [
        {
          id: 11,
          atb: [[3, 0]],
          atl: [
            [3.5, 0],
            [4, 0],
          ],
        },
      ],
    });
    expect(runner(11, first, second)).toMatchObject({ backPrice: 2, backSize: 10, layPrice: null, laySize: null });
  });

  test('the level view shows the lowest level as best', () => {
    const first = message(1, {
      marketDefinition: definition(),
      rc: [
        {
          id: 11,
          batb: [
            [0, 3, 5],
            [1, 2, 10],
          ],
          batl: [[0, 3.5, 1]],
        },
      ],
    });
    expect(runner(11, first)).toMatchObject({ backPrice: 3, backSize: 5, layPrice: 3.5, laySize: 1 });
    const second = message(2, { rc: [{ id: 11, batb: [[0, 0, 0]], batl: [[0, 3.6, 2]] }] });
    expect(runner(11, first, second)).toMatchObject({ backPrice: 2, backSize: 10, layPrice: 3.6, laySize: 2 });
  });

  test('an image replaces all prices, a delta changes what it names, a definition stays until a newer one', () => {
    const first = message(1, {
      marketDefinition: definition(),
      tv: 50,
      rc: [{ id: 11, atb: [[3, 5]], ltp: 3, tv: 9 }],
    });
    const delta = message(2, { rc: [{ id: 12, ltp: 7 }] });
    expect(runner(11, first, delta)).toMatchObject({ backPrice: 3, lastTraded: 3, tradedVolume: 9 });
    const image = message(3, { img: true, rc: [{ id: 12, ltp: 8 }] });
    expect(market(first, delta, image)).toMatchObject({ version: 1, totalMatched: null });
    expect(runner(11, first, delta, image)).toMatchObject({ backPrice: null, lastTraded: null, tradedVolume: null });
    expect(runner(12, first, delta, image)).toMatchObject({ lastTraded: 8 });
  });

  test('a version only rises: an older definition changes nothing, and a repeated one keeps its instant', () => {
    const publishedAt = '2026-11-21T04:00:00.020Z';
    const at = Date.parse(publishedAt);
    const open = message(at - 10, { marketDefinition: definition() });
    const shut = message(at, { marketDefinition: definition({ version: 3, status: 'SUSPENDED' }) });
    const late = message(at + 10, { marketDefinition: definition({ version: 2 }) });
    const again = message(at + 20, { marketDefinition: definition({ version: 3, status: 'SUSPENDED' }) });
    expect(market(open, shut, late, again)).toMatchObject({ version: 3, status: 'SUSPENDED', publishedAt });
  });

  test('"NaN" and "Infinity" are not prices; a removed runner has no starting price; a dead heat has two winners', () => {
    const runners = [
      {
        id: 11,
        status: 'REMOVED',
        sortPriority: 1,
        adjustmentFactor: 16.667,
        removalDate: '2026-11-21T03:50:00.000Z',
        bsp: 3.75,
      },
      { id: 12, status: 'WINNER', sortPriority: 2, bsp: 2.48 },
      { id: 13, status: 'WINNER', sortPriority: 3, bsp: 'NaN' },
      { id: 14, status: 'LOSER', sortPriority: 4, bsp: 'Infinity' },
    ] as const;
    const rc = [{ id: 12, spn: 'NaN', spf: 'Infinity', ltp: 2.5 }];
    const end = market(
      message(1, { marketDefinition: definition({ status: 'CLOSED', bspReconciled: true, runners }), rc }),
    )!;
    expect(end.runners.map(({ status, bsp }) => [status, bsp])).toEqual([
      ['REMOVED', null],
      ['WINNER', 2.48],
      ['WINNER', null],
      ['LOSER', null],
    ]);
    expect(end.runners[0]).toMatchObject({ adjustmentFactor: 16.667, removedAt: '2026-11-21T03:50:00.000Z' });
  });

  test('prices without a definition give no market yet', () => {
    expect(market(message(1, { rc: [{ id: 11, ltp: 2 }] }))).toBeNull();
  });
});

describe('the laws of the fold', () => {
  const step = fc
    .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 0, max: 3 }))
    .map(([price, size]) => [price, size]);
  const steps = fc.uniqueArray(step, { selector: ([price]) => price, maxLength: 4 });
  const change = fc.record(
    {
      id: fc.constantFrom('1.1', '1.2'),
      img: fc.boolean(),
      rc: fc.array(
        fc.record({ id: fc.constantFrom(11, 12), atb: steps, atl: steps, ltp: fc.integer({ min: 2, max: 9 }) }),
      ),
      marketDefinition: fc.integer({ min: 1, max: 5 }).map((version) => definition({ version, betDelay: version })),
    },
    { requiredKeys: ['id'] },
  );
  const messages = fc.array(
    fc.record({
      op: fc.constant('mcm' as const),
      pt: fc.integer({ min: 1, max: 1000 }),
      mc: fc.array(change, { maxLength: 3 }),
    }),
    { maxLength: 12 },
  );
  const asMessages = (list: unknown) => list as MarketChangeMessage[];

  test('no earlier market is ever changed in place', () => {
    fc.assert(
      fc.property(messages, (list) => {
        let cache = NO_MARKETS;
        for (const each of asMessages(list)) {
          const before = structuredClone([...cache]);
          const next = fold(cache, each);
          expect([...cache]).toEqual(before);
          cache = next;
        }
      }),
    );
  });

  test('any split of the changes into messages gives the same markets', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const whole = folded(...asMessages(list));
        const apart = folded(...asMessages(list).flatMap((each) => each.mc!.map((one) => ({ ...each, mc: [one] }))));
        expect([...apart].sort()).toEqual([...whole].sort());
      }),
    );
  });

  test('a repeated message changes nothing more', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const once = folded(...asMessages(list));
        const last = asMessages(list).at(-1);
        if (last) expect(fold(once, last)).toEqual(once);
      }),
    );
  });

  test('a market is everything since its last image, with the newest definition; no price of size 0 is left', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const changes = asMessages(list).flatMap((each) => each.mc!.map((one) => ({ ...one, pt: each.pt })));
        for (const [id, state] of folded(...asMessages(list))) {
          const own = changes.filter((each) => each.id === id);
          const since = own.slice(
            Math.max(
              0,
              own.findLastIndex((each) => each.img),
            ),
          );
          const ltp =
            since.flatMap((each) => each.rc ?? []).findLast((each) => each.id === 11 && each.ltp)?.ltp ?? null;
          expect(state.runners.get(11)?.ltp ?? null).toBe(ltp);
          const versions = own.flatMap((each) => each.marketDefinition?.version ?? []);
          expect(state.definition?.version ?? 0).toBe(Math.max(0, ...versions));
          for (const { atb, atl } of state.runners.values())
            expect([...atb.values(), ...atl.values()]).not.toContain(0);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import type { FeedScratching } from '../../../src/domain/race/feed-race';
import { NO_FACTS } from '../../../src/domain/race/not-reported';
import { runnerKey } from '../../../src/domain/race/runner';
import type { CardRunner } from '../../../src/store/card/book-reply';
import { mergeFacts, mergeRunners, type OfficialCard, type StoredCard } from '../../../src/store/card/merge';
import { feedRunner } from '../../support/races/builders';

const runner = (number: number, over: Partial<CardRunner> = {}): CardRunner => {
  const { win, place, top2, top3, top4, toteWin, ...card } = feedRunner(number, over);
  return card;
};
const out = (over: Partial<FeedScratching> = {}): FeedScratching => ({
  at: null,
  late: null,
  winDeduction: null,
  placeDeduction: null,
  ...over,
});
const card = (bookmakerKey: string, runners: CardRunner[], facts = {}): StoredCard => ({
  bookmakerKey,
  card: { runners, facts: { ...NO_FACTS, ...facts } },
});
const officialCard = (over: Partial<OfficialCard> = {}): OfficialCard => ({
  facts: NO_FACTS,
  runners: [],
  out: [],
  ...over,
});
const SHEET = '2026-11-20T22:00:00.000Z';
const STAMP = '2026-11-20T23:10:00.000Z';

describe('the registry', () => {
  const entry = {
    barrier: 7,
    jockey: 'Ms G Palmer',
    trainer: 'A Trainer',
    weightKg: 58.5,
    form: '90x1',
    runnerRef: 'ra:1',
  };

  test('decides jockey, trainer, barrier, weight, form and reference; the books fill the gaps', () => {
    const books = [
      card('ladbrokes_au', [
        runner(1, { name: 'Bella (NZ)', jockey: 'G Palmer', barrier: 2, weightKg: 50, form: '1' }),
      ]),
      card('tab', [runner(1, { name: 'BELLA', trainer: 'T Book' })]),
    ];
    const official = runner(1, { ...entry, name: 'BELLA', trainer: null });
    expect(mergeRunners(books, officialCard({ runners: [official] }))).toMatchObject([
      { ...entry, name: 'Bella (NZ)', runnerKey: 'bella', trainer: 'T Book' },
    ]);
  });

  test('adds nothing to a different horse under the same number', () => {
    const books = [card('tab', [runner(1, { name: 'Other' })])];
    const registry = officialCard({
      runners: [runner(1, { ...entry, name: 'Bella' })],
      out: [{ number: 1, name: 'Bella', sheetAt: SHEET }],
    });
    expect(mergeRunners(books, registry)).toMatchObject([
      { name: 'Other', jockey: null, runnerRef: null, scratched: false },
    ]);
  });

  test('supplies the field until a book names a runner; the runners then come from the books', () => {
    const registry = officialCard({ runners: [runner(1), runner(2), runner(15, { emergency: true })] });
    expect(mergeRunners([], registry).map(({ number }) => number)).toEqual([1, 2, 15]);
    expect(mergeRunners([card('tab', [runner(1), runner(2)])], registry).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('has the last say on scratchings: a runner scratched on its sheet stays scratched if the books have dropped it', () => {
    const registry = officialCard({ runners: [runner(2)], out: [{ number: 2, name: 'RUNNER 2', sheetAt: SHEET }] });
    expect(mergeRunners([card('tab', [runner(1)])], registry)).toMatchObject([
      { number: 1, scratched: false },
      { number: 2, scratched: true, scratchedAt: SHEET, late: null },
    ]);
  });

  test('stamps a scratching only if no book does: a book’s own stamp wins even if it is later', () => {
    const registry = officialCard({ out: [{ number: 1, name: 'Runner 1', sheetAt: SHEET }] });
    const merged = (scratching: FeedScratching) => mergeRunners([card('tab', [runner(1, { scratching })])], registry);
    expect(merged(out({ at: STAMP, late: true }))).toMatchObject([{ scratchedAt: STAMP, late: true }]);
    expect(merged(out())).toMatchObject([{ scratched: true, scratchedAt: SHEET }]);
  });

  test('does not make an emergency of a runner to which a book gives a start', () => {
    const registry = officialCard({ runners: [runner(15, { name: 'Runner 15', emergency: true })] });
    const merged = (emergency: boolean | null) => mergeRunners([card('tab', [runner(15, { emergency })])], registry)[0];
    expect(merged(false)).toMatchObject({ emergency: false });
    expect(merged(null)).toMatchObject({ emergency: true });
  });

  test('comes first for the facts it decides, and last for facts that move between its readings', () => {
    const books = [
      card('tab', [], { rail: 'True', raceName: 'Book Cup', trackCondition: 'Soft 5', prizeTotal: 1, placesPaid: 3 }),
    ];
    const facts = {
      ...NO_FACTS,
      rail: '+3m',
      raceName: 'OFFICIAL CUP',
      trackCondition: 'Good 4',
      prizeTotal: 30_000,
      weather: 'Fine',
    };
    expect(mergeFacts(books, officialCard({ facts }))).toMatchObject({
      rail: '+3m',
      prizeTotal: 30_000,
      raceName: 'Book Cup',
      trackCondition: 'Soft 5',
      weather: 'Fine',
      placesPaid: 3,
    });
  });
});

test('vacant boxes are one entry per number, whatever the books call them', () => {
  const books = [
    card('tab', [runner(3, { name: 'Vacant Box', scratching: out() })]),
    card('neds', [runner(3, { name: '....', scratching: out({ late: false }) }), runner(4, { name: 'Real Dog' })]),
    card('ladbrokes_au', [runner(4, { name: '....' })]),
  ];
  expect(mergeRunners(books)).toMatchObject([
    { number: 3, scratched: true, runnerKey: expect.stringMatching(/^(vacantbox)?$/) },
    { number: 4, name: 'Real Dog', scratched: false },
  ]);
});

describe('for any cards in any order', () => {
  const instant = fc.integer({ min: 0, max: 5 }).map((minutes) => `2026-11-20T22:0${minutes}:00.000Z`);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const scratching = fc.record({
    at: maybe(instant),
    late: maybe(fc.boolean()),
    winDeduction: maybe(fc.constantFrom(0.1, 0.2)),
    placeDeduction: fc.constant(null),
  });
  const aRunner = fc
    .record({
      number: fc.integer({ min: 1, max: 5 }),
      name: fc.constantFrom('Bella', 'BELLA (NZ)', 'Other', '....'),
      jockey: maybe(fc.constantFrom('J One', 'J Two')),
      emergency: maybe(fc.boolean()),
      scratching: maybe(scratching),
    })
    .map(({ number, ...over }) => runner(number, over));
  const field = fc.uniqueArray(aRunner, { selector: ({ number }) => number, maxLength: 5 });
  const cards = fc
    .tuple(field, field, field, field)
    .map((fields) => ['ladbrokes_au', 'tab', 'sportsbet', 'boostbet'].map((key, i) => card(key, fields[i]!)));
  const sheet = fc.uniqueArray(
    fc.record({ number: fc.integer({ min: 1, max: 5 }), name: fc.constantFrom('Bella', 'Other'), sheetAt: instant }),
    { selector: ({ number }) => number },
  );
  const registry = fc.record({ runners: field, out: sheet }).map(({ runners, out }) => officialCard({ runners, out }));

  test('the order of the books does not matter', () => {
    fc.assert(
      fc.property(
        cards.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: 4 }))),
        registry,
        ([all, shuffled], card) => {
          expect(mergeRunners(shuffled, card)).toEqual(mergeRunners(all, card));
          expect(mergeFacts(shuffled, card)).toEqual(mergeFacts(all, card));
        },
      ),
    );
  });

  test('a runner is scratched exactly while a source reports it scratched, and each number is one entry', () => {
    fc.assert(
      fc.property(cards, registry, (all, card) => {
        const merged = mergeRunners(all, card);
        expect(merged.map(({ number }) => number)).toEqual([...new Set(merged.map(({ number }) => number))].sort());
        for (const one of merged) {
          const books = all.flatMap(({ card: { runners } }) => runners.filter(({ number }) => number === one.number));
          const stamps = books.flatMap((row) => row.scratching?.at ?? []).sort();
          const official = card.out.find((row) => row.number === one.number && runnerKey(row.name) === one.runnerKey);
          expect(one.scratched).toBe(books.some((row) => row.scratching !== null) || official !== undefined);
          expect(one.scratchedAt).toBe(stamps[0] ?? official?.sheetAt ?? null);
        }
      }),
    );
  });
});

// Which jumps were observed (D24): the race's own rules decide it, and the stored facts show it afterwards.
import { type JumpBasis, jumpBasis } from '../../../src/domain/lifecycle/jump-basis';
import { initialRace, type RaceEvent, step } from '../../../src/domain/lifecycle/lifecycle';

const START = Date.parse('2026-11-21T03:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

test.each<[string, number, number | null, JumpBasis]>([
  ['the market closed at it', 58, 58, 'observed'],
  ['the market closed at it, just before the start', -40, -40, 'observed'],
  ['the market closed at the start itself', 0, 0, 'observed'],
  ['nothing was seen', 0, null, 'assumed'],
  ['a close long before the start was a pause', 0, -300, 'assumed'],
  ['the close was seen after it was taken as jumped', 0, 700, 'assumed'],
  ['a result was seen', 240, null, 'latest'],
  ['a second close was seen, and the first is stored', 58, -300, 'latest'],
])('%s', (_, jumped, closed, expected) => {
  const closedMs = closed === null ? null : START + closed * 1000;
  expect(jumpBasis({ jumpedMs: START + jumped * 1000, startMs: START, closedMs })).toBe(expected);
});

test.each<[RaceEvent[], JumpBasis]>([
  [[{ type: 'marketClosed', at: at(58) }], 'observed'],
  [[{ type: 'tick', at: at(600) }], 'assumed'],
  [
    [
      { type: 'marketClosed', at: at(-400) },
      { type: 'tick', at: at(1) },
    ],
    'assumed',
  ],
  [[{ type: 'resultSeen', stage: 'interim', placingsKey: 'k', protest: false, at: at(200) }], 'latest'],
])('of a race by its lifecycle: %j', (events, expected) => {
  const start = { raceId: 'r', category: 'horse', country: 'AU', advertisedStart: at(0), startVersion: 1 } as const;
  const first = step(initialRace({ ...start, at: at(-3600) }), { type: 'tick', at: at(-3600) }).state;
  const { jumpedAt, marketClosedAt } = events.reduce((state, event) => step(state, event).state, first);
  const closedMs = marketClosedAt === null ? null : Date.parse(marketClosedAt);
  expect(jumpBasis({ jumpedMs: Date.parse(jumpedAt!), startMs: START, closedMs })).toBe(expected);
});

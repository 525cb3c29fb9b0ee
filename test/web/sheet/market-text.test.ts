// The text about a runner's market.
import type { FirstMoverView, RunnerHour } from '../../../src/web/board/model';
import { firstMoverSentence, signalSentence, signalTag } from '../../../src/web/sheet/market-text';

const AT = Date.parse('2026-11-21T02:32:10Z');
const priced = { price: 7, atMs: AT };
const attributed: FirstMoverView = { status: 'attributed', book: 'Ladbrokes', atMs: AT, leadSeconds: 42, next: 'Neds' };

const hour = (over: Partial<RunnerHour> = {}): RunnerHour => ({
  best: { first: priced, high: priced, low: priced },
  signal: 'firm',
  movePct: -12,
  from: 6.5,
  firming: 9,
  drifting: 1,
  withHistory: 12,
  firstMover: attributed,
  ...over,
});

const NOW = { consensus: { price: 5.2, bestPct: null } };
const plain = (written: { text: string } | null): string | undefined => written?.text.replace(/<[^>]*>/g, '');
const signal = (over: Partial<RunnerHour> = {}) => plain(signalSentence(NOW, hour(over)));
const first = (over: Partial<RunnerHour> = {}) => plain(firstMoverSentence(hour(over)));

test('each signal has its text, with the books that moved the same way', () => {
  expect(signal()).toBe('Firming: consensus 5.20 from 6.50 at an hour out, 9 of 12 books.');
  expect(signal({ signal: 'strong_firm' })).toMatch(/^Firming strongly: /);
  expect(signal({ signal: 'drift', movePct: 8 })).toBe(
    'Drifting: consensus 5.20 from 6.50 at an hour out, 1 of 12 books.',
  );
  expect(signal({ signal: 'strong_drift', movePct: 20 })).toMatch(/^Drifting strongly: /);
  expect(signal({ signal: 'steady', movePct: -2 })).toBe(
    'Steady: consensus 5.20 from 6.50 at an hour out, 9 of 12 books shorter.',
  );
  expect(signal({ signal: 'insufficient' })).toMatch(/^Too few books to tell: consensus 5\.20 from 6\.50/);
});

test('without a comparison the text has the reason', () => {
  expect(signal({ signal: 'insufficient', from: null, movePct: null })).toBe(
    'No consensus from an hour out to compare with.',
  );
  expect(plain(signalSentence({ consensus: null }, hour()))).toBe('No consensus: too few books price the whole field.');
});

test('the first to move is named with its lead, or is not determined', () => {
  expect(first()).toBe('First to move: Ladbrokes at 1:32:10 pm, 42 s ahead of Neds.');
  expect(first({ firstMover: { ...attributed, leadSeconds: 300 } })).toMatch(/5 min ahead of Neds/);
  const undetermined = (reason: 'no_move' | 'too_few_books' | 'inside_floor') =>
    ({ status: 'undetermined', reason }) as const;
  expect(first({ firstMover: undetermined('inside_floor') })).toBe(
    'First to move: not determined, two books moved within 30 s.',
  );
  expect(first({ firstMover: undetermined('too_few_books') })).toMatch(/not determined, fewer than two/);
  expect(first({ firstMover: undetermined('no_move') })).toBeUndefined();
  expect(first({ signal: 'steady', firstMover: undetermined('inside_floor') })).toBeUndefined();
});

test('only a signal is a tag in the table', () => {
  expect(plain(signalTag(hour()))).toBe('firming 12%');
  expect(plain(signalTag(hour({ signal: 'strong_drift', movePct: 31.4 })))).toBe('drifting 31%');
  expect(signalTag(hour({ signal: 'steady', movePct: -9 }))).toBeNull();
  expect(signalTag(hour({ signal: 'insufficient', movePct: null }))).toBeNull();
});

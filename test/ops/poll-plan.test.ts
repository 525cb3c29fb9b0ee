// When a seeded race is polled: more often towards the jump, with the gaps of its story.
import { dueBooks, isPolled, restMs } from '../../src/ops/past-days/poll-plan';

const MINUTE = 60_000;

test('pauses become shorter towards the jump', () => {
  const rests = [60, 20, 8, 2, -1].map((minutes) => restMs(minutes * MINUTE));
  expect(rests).toEqual([10, 5, 2, 3 / 4, 3 / 4].map((minutes) => minutes * MINUTE));
});

test('a race with a gap is not polled in it', () => {
  expect([30, 11, 1].map((minutes) => isPolled(minutes * MINUTE, 'cut_off'))).toEqual([true, false, false]);
  expect(isPolled(30 * MINUTE, 'missed')).toBe(false);
  expect([1, -14, -15].map((minutes) => isPolled(minutes * MINUTE, null))).toEqual([true, true, false]);
});

test('one book comes late, one falls silent, and far from the jump they take turns', () => {
  const books = ['tab', 'sportsbet', 'neds', 'unibet', 'palmerbet', 'betr_au'];
  const at = (turn: number, minutes: number) =>
    dueBooks(books, { turn, atMs: turn * MINUTE, leftMs: minutes * MINUTE }, new Map(), 1);
  expect(at(0, 59)).toEqual(['tab', 'neds', 'unibet', 'palmerbet', 'betr_au']);
  expect(at(4, 30)).toEqual(['tab', 'neds', 'palmerbet']);
  expect(at(5, 30)).toEqual(['sportsbet', 'unibet', 'betr_au']);
  expect(at(9, 5)).toEqual(['tab', 'sportsbet', 'neds', 'unibet', 'betr_au']);
});

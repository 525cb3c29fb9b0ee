// D24 and D63: the state of a race at an instant, from its facts. One row per rule, at its boundary.
import { type BoardFacts, boardState, LONGEST_ON_BOARD_MS } from '../../../src/domain/race/board-state';
import { sourceCode, sourceFiles } from '../../support/source/imports';

const START = '2026-11-21T03:10:00.000Z';
const after = (seconds: number): string => new Date(Date.parse(START) + seconds * 1000).toISOString();
const UNKNOWN: BoardFacts = {
  start_time: START,
  status: 'open',
  market_status: null,
  market_closed_at: null,
  market_state_source: null,
  jumped_at: null,
  left_board_at: null,
};
const shown = (market_status: string, market_closed_at: string | null = null, market_state_source = 'pointsbetau') => ({
  market_status,
  market_closed_at,
  market_state_source,
});

test.each<[string, Partial<BoardFacts>, number, string]>([
  ['before its start', {}, -0.001, 'ahead'],
  ['at its start, when no book reports the market', {}, 0, 'jumped'],
  ['just under ten minutes after it', {}, 599.999, 'jumped'],
  ['ten minutes after it', {}, 600, 'over'],
  ['late, with an open market', shown('OPEN'), 599.999, 'ahead'],
  ['late, with a suspended market', shown('SUSPENDED'), 90, 'ahead'],
  ['ten minutes late, whatever the market', shown('OPEN'), 600, 'jumped'],
  ['as long as any race is on the board', shown('OPEN'), LONGEST_ON_BOARD_MS / 1000, 'over'],
  ['late, but only the exchange reports the market', shown('OPEN', null, 'betfair_ex_au'), 0, 'jumped'],
  ['closed early: it may open again', shown('CLOSED', after(-30)), -1, 'ahead'],
  ['closed early and not opened again', shown('CLOSED', after(-30)), 0, 'jumped'],
  ['closed late, before that', shown('CLOSED', after(120)), 119.999, 'ahead'],
  ['closed late', shown('CLOSED', after(120)), 120, 'jumped'],
  ['closed late, ten minutes on', shown('CLOSED', after(120)), 720, 'over'],
  ['seen closed for the first time seven hours later', shown('CLOSED', after(25_200)), 25_200, 'over'],
  ['with a recorded jump, whatever clock and market', { ...shown('OPEN'), jumped_at: after(-20) }, -30, 'jumped'],
  ['ten minutes after a recorded jump', { jumped_at: after(60) }, 660, 'over'],
  ['taken off the board', { left_board_at: after(0) }, -60, 'over'],
  ['abandoned, before its start', { status: 'abandoned', ...shown('OPEN') }, -60, 'abandoned'],
  ['abandoned, just under ten minutes after its start', { status: 'abandoned', ...shown('OPEN') }, 599, 'abandoned'],
  ['abandoned, ten minutes after its start', { status: 'abandoned', ...shown('OPEN') }, 600, 'over'],
])('%s', (_, facts, seconds, expected) => {
  expect(boardState({ ...UNKNOWN, ...facts }, Date.parse(START) + seconds * 1000)).toBe(expected);
});

test('nothing that is served or announced depends on the columns directly, except the page of a past race', () => {
  const served = sourceFiles().filter((file) => /^(api|store\/reads|store\/events)\//.test(file));
  const own = served.filter((file) => /left_board_at (===|!==)|jumped_at IS NULL/.test(sourceCode(file)));
  expect(own).toEqual(['api/pages/past-source.ts']);
});

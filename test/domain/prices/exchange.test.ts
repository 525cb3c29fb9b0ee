// What the exchange's states mean for the race: when its market is closed, and for which runners starting prices do not
// count.
import { isRemoved, raceMarketStatus } from '../../../src/domain/prices/exchange';
import type { ExchangeMarket, ExchangeRunnerStatus } from '../../../src/domain/race/feed-race';

test.each<[ExchangeRunnerStatus, boolean]>([
  ['ACTIVE', false],
  ['WINNER', false],
  ['LOSER', false],
  ['REMOVED', true],
  ['REMOVED_VACANT', true],
])('a runner that is %s is out of the race: %s', (status, removed) => expect(isRemoved(status)).toBe(removed));

test.each<[ExchangeMarket['status'], boolean, boolean, string | null]>([
  ['INACTIVE', false, false, null],
  ['INACTIVE', true, true, null],
  ['OPEN', false, false, 'OPEN'],
  ['OPEN', false, true, 'OPEN'],
  ['OPEN', true, false, 'CLOSED'],
  ['SUSPENDED', false, false, 'SUSPENDED'],
  ['SUSPENDED', false, true, 'CLOSED'],
  ['SUSPENDED', true, true, 'CLOSED'],
  ['CLOSED', false, false, 'CLOSED'],
])('%s, in play %s, starting prices reconciled %s: the race reads %s', (status, inPlay, bspReconciled, expected) => {
  expect(raceMarketStatus({ status, inPlay, bspReconciled })).toBe(expected);
});

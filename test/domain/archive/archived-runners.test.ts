// Which runner a series belongs to: the card's runner, unless its name leaves doubt.
import { archivedRunners } from '../../../src/domain/archive/archived-runners';
import { runnerOutcome } from '../../../src/domain/archive/runner-outcome';
import type { CardRunner, StoredSeries } from '../../../src/domain/archive/stored-race';
import { runnerKey } from '../../../src/domain/race/runner';

const card = (...names: readonly string[]): CardRunner[] =>
  names.map((name, i) => ({
    number: i + 1,
    name,
    runnerKey: runnerKey(name),
    runnerRef: `ra:${i + 1}`,
    emergency: null,
    scratched: false,
    scratchedAt: '2026-11-21T02:00:00.000Z',
  }));
const series = (number: number, name: string, current = true, bookmaker = 'tab'): StoredSeries => ({
  bookmaker,
  number,
  runnerKey: runnerKey(name),
  current,
  changes: [],
  legs: [],
  seenMs: Number.NaN,
  polledMs: Number.NaN,
  placeShown: null,
});
const found = (field: readonly CardRunner[], ...all: readonly StoredSeries[]) =>
  archivedRunners({ card: field, series: all }).of.map(
    ({ runner, number, runnerKey: key, card: listed, nameFragmentSuspect: suspect }) =>
      `${runner}: ${number} ${key}${listed ? '' : ' not on the card'}${suspect ? ' suspect' : ''}`,
  );

const FIELD = card('Vomo Island', 'Black Caviar', 'Black', 'Vacant Box');

test('a series belongs to the runner of its number, even in another spelling', () => {
  expect(found(FIELD, series(2, 'Black Caviar'), series(1, 'Vomo Islnd'))).toEqual([
    '2: 2 blackcaviar',
    '1: 1 vomoisland',
  ]);
});

test('a name that is the card’s own is not suspect, even if it is part of another', () => {
  expect(found(FIELD, series(3, 'Black'))).toEqual(['1: 3 black']);
});

test('a name that is part of another runner’s, or contains it, is separate and suspect', () => {
  expect(found(FIELD, series(1, 'Caviar'), series(1, 'Black Jack'))).toEqual([
    '2: 1 caviar not on the card suspect',
    '1: 1 blackjack not on the card suspect',
  ]);
});

test('a name is suspect only because of a book that customers may see', () => {
  const earlier = series(1, 'Caviar', false);
  const suspect = ['1: 1 caviar not on the card suspect', '1: 1 caviar not on the card suspect'];
  expect(found(FIELD, series(1, 'Caviar', true, 'neds'), earlier)).toEqual(suspect);
  expect(found(FIELD, earlier, series(1, 'Caviar', true, 'neds'))).toEqual(suspect);
  const clear = ['1: 1 caviar not on the card', '1: 1 caviar not on the card'];
  expect(found(FIELD, earlier, series(1, 'Caviar', true, 'pinnacle'))).toEqual(clear);
  expect(found(FIELD, series(1, 'Caviar', true, 'betfair_ex_au'), earlier)).toEqual(clear);
});

test('an earlier runner under the number is separate, under its own name', () => {
  expect(found(FIELD, series(2, 'Vomo Island', false), series(2, 'Black Caviar'))).toEqual([
    '2: 2 vomoisland not on the card',
    '1: 2 blackcaviar',
  ]);
  expect(found(FIELD, series(9, 'Late Entry'))).toEqual(['1: 9 lateentry not on the card']);
});

describe('the outcome', () => {
  const runners = [
    { number: 1, position: 7, status: 'ran', runner_ref: 'ra:9' },
    { number: 2, position: null, status: 'late_scratching', runner_ref: null },
  ] as never;
  const placings = [
    { position: 1, number: 3 },
    { position: 5, number: 1 },
  ];

  test('of a full field has every position and its scratchings', () => {
    const of = (number: number) => runnerOutcome(number, FIELD[number - 1]!, { placings, runners }, 'horse');
    expect(of(1)).toEqual({ finishPosition: 7, scratched: false, scratchedAt: null, runnerRef: 'ra:9' });
    expect(of(2)).toEqual({
      finishPosition: null,
      scratched: true,
      scratchedAt: FIELD[1]!.scratchedAt,
      runnerRef: 'ra:2',
    });
  });

  test('of placings has placegetters only: null does not mean that it lost, and false does not mean that it ran', () => {
    const of = (number: number) => runnerOutcome(number, FIELD[number - 1]!, { placings, runners: null }, 'harness');
    expect(of(3)).toMatchObject({ finishPosition: 1, scratched: false, runnerRef: null });
    expect(of(1)).toMatchObject({ finishPosition: null });
    expect(runnerOutcome(1, null, null, 'horse')).toMatchObject({ finishPosition: null, runnerRef: null });
  });
});

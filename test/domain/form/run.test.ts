import { type RunSources, recordOf, runFacts } from '../../../src/domain/form/run';
import { resultRunner } from '../../support/races/builders';

const CARD = { name: 'Gold Trip', barrier: 3, jockey: 'A. Rider', trainer: 'T. Trainer', weightKg: 57.5 };
const placing = (number: number, position: number, name: string | null = `Runner ${number}`) => ({
  position,
  number,
  name,
  win_price: 5.5,
  place_price: 2.1,
});

const factsOf = (over: Partial<RunSources> = {}) =>
  runFacts({ number: 4, name: 'Gold Trip', card: CARD, official: null, placings: [], ...over });
const official = (over: object = {}) => resultRunner(4, { name: 'Gold Trip', ...over });

test('a placegetter ran, with a known finish', () => {
  const run = factsOf({ placings: [placing(1, 1), placing(4, 2, 'GOLD TRIP (FR)')] });
  expect(run).toMatchObject({ position: 2, status: 'ran', finishKnown: true, deadHeat: false });
  expect(run).toMatchObject({ winPrice: 5.5, placePrice: 2.1, barrier: 3, jockey: 'A. Rider', weightKg: 57.5 });
});

test('a result without the full field shows nothing about other runners: neither that they lost nor that they ran', () => {
  expect(factsOf({ placings: [placing(1, 1)] })).toMatchObject({
    position: null,
    status: null,
    finishKnown: false,
    deadHeat: null,
    winPrice: null,
  });
});

test('a book’s list shows no placegetters after the first four: form leaves out what results leave out', () => {
  expect(factsOf({ placings: [placing(1, 1), placing(4, 5, null)] })).toMatchObject({
    position: null,
    status: null,
    finishKnown: false,
    winPrice: null,
  });
  expect(factsOf({ placings: [placing(1, 1), placing(4, 4, null)] })).toMatchObject({ position: 4, finishKnown: true });
});

test('a dead heat is two placings at one position', () => {
  expect(factsOf({ placings: [placing(1, 1), placing(4, 1, null)] })).toMatchObject({ position: 1, deadHeat: true });
});

test('a placing with the number but a different name is another runner’s', () => {
  expect(factsOf({ placings: [placing(4, 1, 'Zoffany Star')] })).toMatchObject({ position: null, finishKnown: false });
  expect(factsOf({ placings: [placing(4, 1, 'Gold Tripp')] })).toMatchObject({ position: 1 });
});

test('the full field outranks card and placings', () => {
  const field = official({ position: 7, box: 9, jockey: 'B. Other', trainer: null });
  expect(factsOf({ official: field, placings: [placing(4, 3, null)] })).toMatchObject({
    position: 7,
    status: 'ran',
    finishKnown: true,
    barrier: 9,
    jockey: 'B. Other',
    trainer: 'T. Trainer',
    weightKg: 57.5,
    winPrice: 5.5,
  });
});

test('a reason for not finishing is a known finish; a row without position and reason is not', () => {
  expect(factsOf({ official: official({ position: null, abnormal: 'Fell' }) })).toMatchObject({
    position: null,
    finishKnown: true,
    deadHeat: null,
  });
  expect(factsOf({ official: official({ position: null }) })).toMatchObject({ status: 'ran', finishKnown: false });
});

test('a card with another runner at the number contributes nothing', () => {
  expect(factsOf({ card: { ...CARD, name: 'Zoffany Star' } })).toMatchObject({
    card: null,
    barrier: null,
    weightKg: null,
  });
});

test('a record counts places, and the finishes behind them', () => {
  const at = (position: number | null, finishKnown = position !== null) => ({ position, finishKnown });
  expect(recordOf([at(1), at(2), at(3), at(4), at(null), at(null, true), at(1)])).toEqual({
    runs: 7,
    finishes_known: 6,
    wins: 2,
    seconds: 1,
    thirds: 1,
  });
  expect(recordOf([])).toEqual({ runs: 0, finishes_known: 0, wins: 0, seconds: 0, thirds: 0 });
});

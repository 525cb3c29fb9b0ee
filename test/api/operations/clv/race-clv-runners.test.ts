// Which race and runner a bet is on, over real HTTP: named, numbered, referred to, or in the result alone.
import { createStores } from '../../../../src/store/create-stores';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult, feedRunner, placedRace, resultRunner } from '../../../support/races/builders';
import { ahead, BOOKS, clvRaces, report, START, scoresFromTheArchive } from './clv-races';

const lab = clvRaces();
const { settle, one } = lab;

test('an empty box is no runner, so a bet on it is not found', async () => {
  const runners = [...feedField(5, 3), feedRunner(3, { name: 'Vacant Box', win: null })];
  const dogs = { category: 'greyhound' as const, venue: 'Sandown Park', startTime: START };
  const { raceId } = await addRace(lab.served.db.pool, dogs, { tab: { at: ahead(20), runners } });
  await settle(raceId, [[1, 1]]);
  const row = await one({ race_id: raceId, runner_number: 3, price: 6 });
  expect(row).toMatchObject({ reason: 'runner_not_found', result: null, result_reason: 'runner_not_found' });
});

test('two races with the same name are ambiguous; the candidates show how they differ, and an id is unambiguous', async () => {
  const add = (category: 'harness' | 'greyhound', startTime: string) =>
    addRace(lab.served.db.pool, { venue: 'Bendigo', category, startTime }, { tab: report(5, 4, 5) });
  const late = await add('harness', START);
  const early = await add('greyhound', ahead(60));
  const named = { venue: 'bendigo', meeting_date: '2026-11-21', race_number: 1, runner_number: 1, price: 5 };
  const row = await one(named);
  expect(row).toMatchObject({ reason: 'race_ambiguous', result_reason: 'race_ambiguous', clv_pct: null });
  const head = { venue: 'Bendigo', race_number: 1, country: 'AU' };
  expect(row.candidates).toEqual([
    { ...head, race_id: early.raceId, category: 'greyhound', start_time: ahead(60) },
    { ...head, race_id: late.raceId, category: 'harness', start_time: START },
  ]);
  const { venue: _v, meeting_date: _d, race_number: _n, ...runner } = named;
  expect(await one({ ...runner, race_id: row.candidates[1].race_id })).toMatchObject({
    clv_pct: 25,
    candidates: null,
  });
});

test('a runner is found by reference or by folded name; a reference that only the result has counts', async () => {
  const { results } = createStores(lab.served.db.pool);
  const { raceId } = await addRace(lab.served.db.pool, { raceNumber: 7, startTime: START }, BOOKS);
  await results.saveResult({ raceId, source: 'tab', result: feedResult(), at: ahead(-240) });
  const field = [1, 2, 3].map((number) => resultRunner(number, { runner_ref: `ra:70${number}` }));
  await results.fillField(raceId, field, 'racing_australia', ahead(-9000));
  for (const named of [
    { runner_ref: 'ra:702' },
    { runner_name: 'RUNNER-2' },
    { runner_ref: 'ra:702', runner_number: 2 },
  ])
    expect(await one({ race_id: raceId, price: 3.3, ...named })).toMatchObject({
      runner_number: 2,
      runner_name: 'Runner 2',
      runner_ref: 'ra:702',
      close_price: 3,
      clv_pct: 10,
    });
  expect(await one({ race_id: raceId, price: 3, runner_ref: 'ra:702', runner_number: 1 })).toMatchObject({
    reason: 'runner_not_found',
  });
});

test('a runner that only the placings name was in the race: it settles without a close', async () => {
  const races = createStores(lab.served.db.pool).races;
  const unpriced = placedRace({ venue: 'Ellerslie', country: 'NZ', startTime: START });
  await races.saveCard('tab', [unpriced], ahead(3600));
  const { raceId } = unpriced;
  await settle(raceId, [
    [1, 4],
    [2, 1],
    [3, 2],
  ]);
  const won = { runner_number: 4, runner_name: 'Runner 4', reason: 'no_close', result: 'won', pnl: 5 };
  for (const named of [{ runner_number: 4 }, { runner_name: 'RUNNER-4' }])
    expect(await one({ race_id: raceId, price: 6, ...named })).toMatchObject(won);
  const unknown = { reason: 'runner_not_found', result: null };
  expect(await one({ race_id: raceId, price: 6, runner_number: 9 })).toMatchObject(unknown);
});

test('a race without stored runners has no card, whatever the bet names', async () => {
  const listed = placedRace({ venue: 'Te Rapa', country: 'NZ', startTime: START });
  await createStores(lab.served.db.pool).races.saveCard('tab', [listed], ahead(3600));
  const row = await one({ race_id: listed.raceId, price: 6, runner_number: 1 });
  expect(row).toMatchObject({ race_id: listed.raceId, reason: 'no_card', result: null, result_reason: 'no_card' });
  expect(row.note).toMatch(/No runners of this race are stored/);
});

test('a placing with the runner’s number but a different name is another runner’s; a misspelt name is not', async () => {
  const runners = ['Gold Trip', 'Plain Sailing', 'Late Mail'].map((name, i) => feedRunner(i + 1, { name, win: 3 }));
  const listed = { raceNumber: 11, startTime: START };
  const { raceId } = await addRace(lab.served.db.pool, listed, { tab: { at: ahead(20), runners } });
  const names = ['Zoffany Star', 'Plain Sailling', 'Late Mail'];
  const placings = names.map((name, i) => ({ position: i + 1, number: i + 1, name }));
  const { results } = createStores(lab.served.db.pool);
  await results.saveResult({ raceId, source: 'tab', result: feedResult({ placings }), at: ahead(-240) });
  await results.finalise(raceId, ahead(-2400));
  const rowOf = (more: object) => one({ race_id: raceId, price: 6, ...more });
  const open = { runner_name: 'Gold Trip', clv_pct: 100, result: null, result_reason: 'placings_incomplete' };
  expect(await rowOf({ runner_number: 1 })).toMatchObject(open);
  expect(await rowOf({ runner_number: 2 })).toMatchObject({ result: 'lost', result_reason: null });
  expect(await rowOf({ runner_name: 'Zoffany Star' })).toMatchObject({ reason: 'runner_not_found', result: null });
});

test.each([
  ['null', { name: null }],
  ['absent', {}],
])('a placing whose name is %s settles by its number', async (_, unnamed) => {
  const { raceId } = await addRace(lab.served.db.pool, { venue: `Name ${_}`, startTime: START }, BOOKS);
  await settle(raceId, [
    [1, 2],
    [2, 1],
  ]);
  const placings = [2, 1].map((number, i) => ({ position: i + 1, number, ...unnamed }));
  await lab.served.db.pool.query('UPDATE race_results SET placings = $2 WHERE race_id = $1', [
    raceId,
    JSON.stringify(placings),
  ]);
  expect(await one({ race_id: raceId, price: 6, runner_number: 2 })).toMatchObject({
    runner_name: 'Runner 2',
    result: 'won',
  });
  expect(await one({ race_id: raceId, price: 6, runner_number: 1 })).toMatchObject({
    runner_name: 'Runner 1',
    result: 'lost',
  });
});

scoresFromTheArchive(lab);

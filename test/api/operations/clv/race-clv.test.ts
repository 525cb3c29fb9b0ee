// How a bet is measured against the close and settled, over real HTTP.
import { createStores } from '../../../../src/store/create-stores';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner, placedRace } from '../../../support/races/builders';
import { ahead, BOOKS, clvRaces, report, START, scoresFromTheArchive } from './clv-races';

const lab = clvRaces();
const { settle, send, score, one, on } = lab;

test('a bet is measured against the best close, with its result and profit', async () => {
  expect(await one(on('final', 1, { ref: 'mine', stake: 10, placed_at: '2026-11-21T12:00:00.000999+11:00' }))).toEqual({
    index: 0,
    ref: 'mine',
    race_id: lab.ids.final,
    venue: 'Flemington',
    meeting_date: '2026-11-21',
    race_number: 1,
    category: 'horse',
    country: 'AU',
    start_time: START,
    jump_at: START,
    runner_number: 1,
    runner_name: 'Runner 1',
    runner_ref: null,
    horse_ref: 'pe:runner1',
    market: 'win',
    price: 6,
    stake: 10,
    bookmaker: null,
    placed_at: '2026-11-21T01:00:00.000Z',
    measured_against: 'best',
    close_price: 5.4,
    close_bookmaker: 'tab',
    close_secs_to_jump: 40,
    is_closing_line: true,
    best_close_price: 5.4,
    best_close_bookmaker: 'tab',
    median_close_price: 5.2,
    books_in_close: 2,
    clv_pct: 11.11,
    beat_close: true,
    reason: null,
    result: 'won',
    result_status: 'final',
    dead_heat: false,
    deduction: 0,
    deduction_assumed: false,
    pnl: 50,
    result_reason: null,
    note: null,
    candidates: null,
  });
});

test('a bet is measured against its own book’s close, or the median, on request', async () => {
  expect(await one(on('final', 1, { bookmaker: 'LADBROKES_AU' }))).toMatchObject({
    bookmaker: 'ladbrokes_au',
    measured_against: 'bookmaker',
    close_price: 5,
    close_bookmaker: 'ladbrokes_au',
    close_secs_to_jump: 0,
    clv_pct: 20,
    best_close_price: 5.4,
  });
  const { reference, bets } = await score([on('final')], { reference: 'median' });
  expect([reference, bets[0].measured_against, bets[0].close_price, bets[0].close_bookmaker]).toEqual([
    'median',
    'median',
    5.2,
    null,
  ]);
  expect(bets[0].close_secs_to_jump).toBe(40);
});

test('a bet at the book’s own close scores 0, which does not beat it', async () => {
  const own = on('final', 1, { bookmaker: 'tab', price: 5.4 });
  expect(await one(own)).toMatchObject({ clv_pct: 0, beat_close: false });
  expect(await one({ ...own, price: 5.3 })).toMatchObject({ clv_pct: -1.85, beat_close: false });
});

test('a price last seen too early is returned and not scored; a book that never priced the runner has no close', async () => {
  expect(await one(on('final', 1, { bookmaker: 'unibet' }))).toMatchObject({
    close_price: 5.8,
    close_secs_to_jump: 400,
    is_closing_line: false,
    clv_pct: null,
    beat_close: null,
    reason: 'last_seen_only',
    result: 'won',
  });
  const none = {
    close_price: null,
    books_in_close: 2,
    clv_pct: null,
    reason: 'no_close',
    result: 'lost',
    best_close_price: 9,
  };
  expect(await one(on('final', 3, { bookmaker: 'unibet' }))).toMatchObject(none);
  expect(await one(on('final', 3, { bookmaker: 'ponybet' }))).toMatchObject(none);
});

test('only a bet that names a retired book is measured against its close (A 1)', async () => {
  const race_id = (
    await addRace(lab.served.db.pool, { raceNumber: 17, startTime: START }, { ...BOOKS, dafabet: report(30, 9, 3, 9) })
  ).raceId;
  const bet = { race_id, runner_number: 1, price: 6 };
  const { bets } = await score([bet, { ...bet, bookmaker: 'dafabet' }, { ...bet, bookmaker: 'tab' }]);
  const others = { best_close_price: 5.4, best_close_bookmaker: 'tab', median_close_price: 5.2, books_in_close: 2 };
  expect(bets).toMatchObject([
    { ...others, close_price: 5.4, clv_pct: 11.11 },
    { ...others, close_price: 9, close_bookmaker: 'dafabet' },
    { ...others, close_price: 5.4 },
  ]);
});

test('the close is returned right after the jump, the result when it is final', async () => {
  const scored = { clv_pct: 11.11, reason: null, result: null, pnl: null };
  expect(await one(on('unresulted'))).toMatchObject({ ...scored, result_status: null, result_reason: 'not_resulted' });
  expect(await one(on('interim'))).toMatchObject({
    ...scored,
    result_status: 'interim',
    result_reason: 'result_not_final',
    note: 'The result is interim: it may still change.',
  });
});

test.each([
  ['not_jumped', () => on('ahead'), { result: null, result_reason: 'not_resulted', jump_at: null }],
  ['race_abandoned', () => on('off'), { result: 'refunded', pnl: 0, result_reason: 'race_abandoned', jump_at: null }],
  ['runner_scratched', () => on('tied', 3), { result: 'refunded', pnl: 0, result_reason: 'runner_scratched' }],
  ['runner_not_found', () => on('final', 9), { result: null, result_reason: 'runner_not_found', runner_number: 9 }],
  [
    'race_not_found',
    () => ({ venue: 'Nowhere', meeting_date: '2026-11-21', race_number: 1, runner_name: 'X', price: 2 }),
    { venue: 'Nowhere', runner_name: 'X', race_id: null, result_reason: 'race_not_found' },
  ],
])('%s is the reason for no close', async (reason, bet, more) => {
  const row = await one(bet());
  expect(row).toMatchObject({ reason, clv_pct: null, close_price: null, books_in_close: null, ...more });
  expect(row.note).toMatch(/\.$/);
});

test('a dead heat and a deduction are in the profit', async () => {
  // Half of the stake won at 6 less ten cents in the dollar.
  const tied = { result: 'won', dead_heat: true, deduction: 0.1, pnl: 1.7, clv_pct: 20 };
  expect(await one(on('tied'))).toMatchObject({ ...tied, deduction_assumed: true, note: expect.any(String) });
  const placed = (at: string) => one(on('tied', 1, { placed_at: at }));
  expect(await placed(ahead(1801))).toMatchObject({ ...tied, deduction_assumed: false, note: null });
  expect(await placed(ahead(1799))).toMatchObject({ dead_heat: true, deduction: 0, pnl: 2 });
});

test('without a published deduction for a runner scratched after the bet, none is applied and deduction_assumed is true', async () => {
  const scratching = { at: ahead(1800), late: true, winDeduction: null, placeDeduction: null };
  const runners = [...feedField(5, 3), feedRunner(3, { scratching })];
  const { raceId } = await addRace(
    lab.served.db.pool,
    { raceNumber: 9, startTime: START },
    { tab: { at: ahead(20), runners } },
  );
  await settle(raceId, [
    [1, 1],
    [2, 2],
  ]);
  const bet = (seconds: number) => one({ race_id: raceId, runner_number: 1, price: 6, placed_at: ahead(seconds) });
  const { note, ...before } = await bet(1801);
  expect(before).toMatchObject({ result: 'won', deduction: 0, deduction_assumed: true, pnl: 5 });
  expect(note).toBe('A runner was scratched after the bet and no deduction is published for it: none was applied.');
  expect(await bet(1799)).toMatchObject({ result: 'won', deduction: 0, deduction_assumed: false, note: null });
});

test('in Hong Kong there are prices and no results (A 1)', async () => {
  const listed = { venue: 'Sha Tin', country: 'HK', raceNumber: 1, startTime: START };
  const { raceId } = await addRace(lab.served.db.pool, listed, { tab: report(10, 5, 3) });
  await settle(raceId, [
    [1, 1],
    [2, 2],
  ]);
  expect(await one({ race_id: raceId, runner_number: 1, price: 6 })).toMatchObject({
    country: 'HK',
    clv_pct: 20,
    reason: null,
    result: null,
    result_status: null,
    pnl: null,
    result_reason: 'not_covered',
    note: 'Hong Kong races have prices only: their results are not collected.',
  });
});

describe('a place bet', () => {
  const priced = (win: number, place: number | null, rest: readonly number[]) => [
    feedRunner(1, { win, place }),
    ...rest.map((other, i) => feedRunner(i + 2, { win: other, place: other / 2 })),
  ];
  const FIVE = [3, 4, 8, 9];
  const listed = { venue: 'Placed', startTime: START };
  const race = (raceNumber: number, books: Parameters<typeof addRace>[2]) =>
    addRace(lab.served.db.pool, { ...listed, raceNumber }, books);
  const on1 = (raceId: string, number = 1, more: object = {}) =>
    one({ race_id: raceId, runner_number: number, price: 2.2, stake: 10, market: 'place', ...more });

  test('is measured against place closes and settled on the places paid', async () => {
    const { raceId } = await race(1, {
      ladbrokes_au: { at: ahead(10), runners: priced(5, 2, FIVE) },
      tab: { at: ahead(40), runners: priced(5.4, 2.1, FIVE) },
      // Last seen too early.
      unibet: { at: ahead(400), runners: priced(5.8, 3, FIVE) },
      neds: { at: ahead(5), runners: priced(9, null, FIVE) },
    });
    await settle(raceId, [
      [1, 2],
      [2, 1],
      [3, 3],
    ]);
    const placed_at = ahead(600);
    expect(await on1(raceId, 1, { placed_at })).toMatchObject({
      market: 'place',
      close_price: 2.1,
      close_bookmaker: 'tab',
      median_close_price: 2.05,
      books_in_close: 2,
      clv_pct: 4.76,
      reason: null,
      result: 'won',
      pnl: 12,
      result_reason: null,
      dead_heat: false,
    });
    expect(await on1(raceId, 1, { bookmaker: 'neds' })).toMatchObject({ close_price: null, reason: 'no_close' });
    expect(await on1(raceId, 1, { bookmaker: 'unibet' })).toMatchObject({ close_price: 3, reason: 'last_seen_only' });
    // Five starters: two places.
    expect(await on1(raceId, 3, { placed_at })).toMatchObject({ result: 'lost', pnl: -10 });
    expect(await on1(raceId, 3, { market: null, price: 9 })).toMatchObject({
      market: 'win',
      close_price: 4,
      result: 'lost',
    });
    const both = await score([
      { ...on('final'), market: 'win' },
      { race_id: raceId, runner_number: 1, price: 2.2, market: 'place' },
    ]);
    expect(both.bets.map((row: { close_price: number }) => row.close_price)).toEqual([5.4, 2.1]);
  });

  test('is refunded without place betting, and waits where the places are not known', async () => {
    const small = await race(2, { tab: { at: ahead(10), runners: priced(3, 1.5, [4, 5]) } });
    await settle(small.raceId, [
      [1, 1],
      [2, 2],
    ]);
    expect(await on1(small.raceId)).toMatchObject({ result: 'refunded', result_reason: 'no_place_betting', pnl: 0 });
    const unlisted = placedRace({ ...listed, raceNumber: 3 });
    await createStores(lab.served.db.pool).races.saveCard('tab', [unlisted], ahead(3600));
    await settle(unlisted.raceId, [
      [1, 1],
      [2, 2],
    ]);
    expect(await on1(unlisted.raceId, 2)).toMatchObject({ result: null, result_reason: 'places_unknown' });
  });

  test('an unsupported market is a 422 that lists the supported ones', async () => {
    const { status, body } = await send({ bets: [on('final', 1, { market: 'top4' })] });
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          pointer: '/bets/0/market',
          detail: '/bets/0/market must be one of win, place.',
          valid_values: ['win', 'place'],
        },
      ],
    ]);
  });
});

test('a book’s own close is returned unrounded; only a median is rounded', async () => {
  const books = { tab: report(10, 5.125, 3), unibet: report(10, 5.12, 3) };
  const { raceId } = await addRace(lab.served.db.pool, { raceNumber: 10, startTime: START }, books);
  const bet = { race_id: raceId, runner_number: 1, price: 5.125 };
  expect(await one({ ...bet, bookmaker: 'tab' })).toMatchObject({ close_price: 5.125, clv_pct: 0 });
  expect(await one(bet)).toMatchObject({ close_price: 5.125, best_close_price: 5.125, median_close_price: 5.12 });
});

test('the market’s close is the jump if a book that customers may see reports it', async () => {
  const shut = { at: ahead(-50), runners: feedField(3, null, null), marketStatus: 'CLOSED' as const };
  const { raceId } = await addRace(
    lab.served.db.pool,
    { raceNumber: 8, startTime: START },
    { tab: report(-45, 7, 3), pointsbetau: shut },
  );
  expect(await one({ race_id: raceId, runner_number: 1, price: 7.7 })).toMatchObject({
    jump_at: ahead(-50),
    close_price: 7,
    close_secs_to_jump: 5,
    clv_pct: 10,
  });
});

test('a customer can neither see nor name the exchange; an operator can', async () => {
  const { bets } = await score([on('final')]);
  expect(JSON.stringify(bets)).not.toContain('77.7');
  const operator = await lab.served.addKey({ role: 'internal', plan: 'enterprise' });
  expect(await one(on('final'), {}, operator)).toMatchObject({ best_close_price: 77.7, jump_at: START });
  const named = on('final', 1, { bookmaker: 'betfair_ex_au' });
  expect((await send({ bets: [named] })).status).toBe(422);
  expect(await one(named, {}, operator)).toMatchObject({ close_price: 77.7, close_bookmaker: 'betfair_ex_au' });
});

scoresFromTheArchive(lab);

// Price alerts as notifications of a browser: several accounts take turns at it, in tabs that read whenever they do and
// whose answers come late. Never: an alert twice, one of another account than that which chose, nor one that was there
// when it was chosen.
import fc from 'fast-check';
import {
  type AlertChoice,
  type AlertNews,
  type AlertNotice,
  alertChoiceAt,
  alertChoiceOf,
  alertNewsOf,
  alertsToShow,
  isFreshAnswer,
  isReadDue,
  nextReadMs,
} from '../../../src/web/assets/alert-state.mjs';

const noticeOf = (id: string): AlertNotice => ({ id, title: id, text: 't', path: '/race/x' });
const ACCOUNT = fc.constantFrom('a', 'b');
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('reach' as const),
      account: ACCOUNT,
      count: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('expire' as const), account: ACCOUNT, count: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('sign in' as const), account: fc.option(ACCOUNT, { nil: null }) }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('choose' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('forget' as const) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('ask' as const) }) },
  // Answers come in any order, and some never.
  { weight: 6, arbitrary: fc.record({ act: fc.constant('answer' as const), which: fc.nat(2) }) },
);

test('shows each alert once, to the account that chose it, and what was reached since', () => {
  let [shownInAll, late, summed] = [0, 0, 0];
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 30, maxLength: 80 }), (steps) => {
      const reached: Record<string, AlertNotice[]> = { a: [], b: [] };
      const before = new Set<string>();
      const shown = new Set<string>();
      /** Read by the service and not yet here. */
      const onTheWay: AlertNews[] = [];
      /** As the storage of the browser has it. */
      let text: string | null = null;
      let [signedIn, n]: [string | null, number] = [null, 0];
      const choice = (): AlertChoice | null => alertChoiceOf(text === null ? null : JSON.parse(text));
      const answered = (): AlertNews => ({
        ...{ account: signedIn, open: 1 },
        reached: signedIn === null ? [] : [...reached[signedIn]!],
      });
      function deliver(news: AlertNews): void {
        const chosen = choice();
        const { show, more, choice: next } = alertsToShow(chosen, alertNewsOf(JSON.parse(JSON.stringify(news)))!);
        text = next === null ? null : JSON.stringify(next);
        if (signedIn !== news.account) late++;
        const isOwn = chosen !== null && chosen.account === news.account;
        const due = isOwn ? news.reached.filter(({ id }) => !chosen.seen.includes(id)) : [];
        // Nothing is left out, and each of another account is: the latest four, and the number of the others.
        expect([show, more]).toEqual([due.slice(0, 4), Math.max(0, due.length - 4)]);
        for (const { id } of due) {
          expect([id, shown.has(id), before.has(id)]).toEqual([id, false, false]);
          expect([next!.account, id[0]]).toEqual([news.account, news.account]);
          shown.add(id);
        }
        if (isOwn) expect(next!.seen).toEqual(expect.arrayContaining(news.reached.map(({ id }) => id)));
        else expect(next).toEqual(chosen);
        summed += more;
      }
      for (const step of steps) {
        // They wait for the lock under which an answer is read.
        if (step.act === 'choose' || step.act === 'forget') onTheWay.splice(0).forEach(deliver);
        if (step.act === 'reach')
          for (let i = 0; i < step.count; i++) reached[step.account]!.unshift(noticeOf(`${step.account} ${n++}`));
        else if (step.act === 'expire') reached[step.account]!.splice(-step.count, step.count);
        else if (step.act === 'sign in') signedIn = step.account;
        else if (step.act === 'forget') text = null;
        else if (step.act === 'ask') onTheWay.push(answered());
        else if (step.act === 'choose' && signedIn !== null) {
          const news = answered();
          for (const { id } of news.reached) before.add(id);
          text = JSON.stringify(alertChoiceAt(signedIn, news));
        } else if (step.act === 'answer') onTheWay.splice(step.which, 1).forEach(deliver);
      }
      shownInAll += shown.size;
    }),
  );
  // Often enough to tell: also answers that come after another has signed in, and more than four at once.
  expect([shownInAll > 50, late > 20, summed > 20]).toEqual([true, true, true]);
});

test('a value that is no choice, and an answer that is none, show nothing', () => {
  const garbage = fc.oneof(fc.anything(), fc.record({ account: fc.anything(), seen: fc.anything() }));
  fc.assert(
    fc.property(garbage, (value) => {
      const choice = alertChoiceOf(value);
      if (choice !== null)
        expect([typeof choice.account, choice.seen.every((id) => typeof id === 'string')]).toEqual(['string', true]);
    }),
  );
  const answer = { account: 'a', open: 1, reached: [noticeOf('1')] };
  expect(alertNewsOf(answer)).toEqual(answer);
  for (const path of ['//evil.example', 'https://evil.example', 'javascript:alert(1)', '/race/../account', 7])
    expect(alertNewsOf({ ...answer, reached: [{ ...noticeOf('1'), path }] })).toBeNull();
  for (const wrong of [
    null,
    {},
    [],
    'x',
    { ...answer, account: 5 },
    { ...answer, open: '1' },
    { ...answer, reached: {} },
  ])
    expect(alertNewsOf(wrong)).toBeNull();
});

test('reads every ten seconds while an alert of the account waits, and rarely without one', () => {
  const choice = { account: 'a', seen: [] };
  const after = (news: AlertNews | null) => nextReadMs(1_000_000, news, choice) - 1_000_000;
  const news = { account: 'a', open: 1, reached: [] };
  expect([after(news), after(null)]).toEqual([10_000, 10_000]);
  for (const one of [
    { ...news, open: 0 },
    { ...news, account: 'b' },
    { ...news, account: null },
  ])
    expect(after(one)).toBe(60_000);
  expect([999, 1000, 1001].map((now) => isReadDue(1000, now))).toEqual([false, true, true]);
  // The clock went back by more than a pause.
  expect([isReadDue(1_000_000, 939_999), isReadDue(null, 5), isReadDue('x', 5)]).toEqual([true, true, true]);
  // It slept between the request and the answer.
  expect([0, 12_000, 12_001, -1].map((ms) => isFreshAnswer(500, 500 + ms))).toEqual([true, true, false, false]);
});

import { createTurns } from '../../../src/feeds/transport/turns';

test('works run one after another in the order of the calls, later ones after all that wait, and a failure stops none', async () => {
  const done: string[] = [];
  const pauses: number[] = [];
  const inTurn = createTurns({ spacingMs: 7, wait: async (ms) => pauses.push(ms) });
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise(setImmediate);
    running -= 1;
    done.push(name);
    if (name === 'bad') throw new Error('bad');
    return name;
  };
  const all = [
    inTurn(work('first later'), 'later'),
    inTurn(work('second later'), 'later'),
    inTurn(work('one')),
    inTurn(work('bad')),
    inTurn(work('two')),
  ];
  expect((await Promise.allSettled(all)).map((one) => one.status === 'fulfilled' && one.value)).toEqual([
    'first later',
    'second later',
    'one',
    false,
    'two',
  ]);
  // The first call starts at once: nothing else waited then.
  expect(done).toEqual(['first later', 'one', 'bad', 'two', 'second later']);
  expect(pauses).toEqual([7, 7, 7, 7]);
});

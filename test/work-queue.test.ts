import { createWorkQueue } from '../src/work-queue';

test('work runs one after another in the order of the calls, and a failure stops none', async () => {
  const done: string[] = [];
  const inTurn = createWorkQueue();
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
  const all = [inTurn(work('one')), inTurn(work('bad')), inTurn(work('two'))];
  expect((await Promise.allSettled(all)).map((one) => one.status === 'fulfilled' && one.value)).toEqual([
    'one',
    false,
    'two',
  ]);
  expect(done).toEqual(['one', 'bad', 'two']);
});

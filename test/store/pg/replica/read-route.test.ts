// Reads of the past over a primary and a replica that lags, stops, fails and comes back. The state of a server is the
// place in its log; a read sees the place of the server on which it runs.
import fc from 'fast-check';
import { createReplicaProof, type WalPlace } from '../../../../src/store/pg/replica/proof';
import { createReadRoute } from '../../../../src/store/pg/replica/read-route';
import { runs } from '../../../support/property';

const MAX_AGE_MS = 2000;
const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

const act = <N extends string>(name: N, by: fc.Arbitrary<number> = fc.nat()) =>
  fc.record({ act: fc.constant(name), by });
const ACTS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: act('write', fc.integer({ min: 1, max: 5 })) },
    { weight: 4, arbitrary: act('replay', fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1000))) },
    { weight: 3, arbitrary: act('pass', fc.integer({ min: 1, max: 300 })) },
    { weight: 1, arbitrary: act('pass', fc.integer({ min: 300, max: 3000 })) },
    { weight: 5, arbitrary: act('probe') },
    { weight: 5, arbitrary: act('begin') },
    { weight: 3, arbitrary: act('run') },
    { weight: 4, arbitrary: act('end') },
    { weight: 1, arbitrary: act('fail') },
    { weight: 2, arbitrary: act('return') },
  ),
  { minLength: 40, maxLength: 150 },
);
type Acts = typeof ACTS extends fc.Arbitrary<infer A> ? A : never;

interface Running {
  readonly server: 'replica' | 'primary';
  saw: number | null;
  readonly end: (saw: number) => void;
  readonly fail: (error: Error) => void;
}

const place = (standby: boolean, at: number): WalPlace => ({ standby, history: 'same', place: at });
const turn = () => new Promise<void>((done) => setImmediate(done));

/** Plays the acts, also while reads wait for their return, and returns what the property needs to know. */
async function play(acts: Acts) {
  let nowMs = 0;
  let primary = 0;
  let replica = 0;
  let isAway = false;
  const running: Running[] = [];
  /** The place of the primary at each instant at which it changed. */
  const written = [{ ms: -MAX_AGE_MS, place: 0 }];
  const ended: { server: string; startedAfter: number; saw: number; least: number }[] = [];
  let seen = 0;
  let unsettled = 0;
  let failed = 0;
  const proof = createReplicaProof();
  const lost = () => {
    proof.forget();
    route.probed(proof.provenMs(), 'away');
  };
  const probe = async () => {
    const sentMs = nowMs;
    const then = place(false, primary);
    next();
    if (isAway) lost();
    else route.probed(proof.provenMs(), proof.add(sentMs, then, place(true, replica)));
  };
  const route = createReadRoute({
    maxAgeMs: MAX_AGE_MS,
    nowMs: () => nowMs,
    probe,
    pause: async (ms) => {
      nowMs += ms;
      next();
      await turn();
    },
  });
  // As `watchReplica` does.
  const probed = async () => {
    route.look();
    await probe();
  };
  const readOn = (server: 'replica' | 'primary') => () =>
    new Promise<number>((end, fail) => {
      if (server === 'replica' && isAway) fail(REFUSED);
      else running.push({ server, saw: null, end, fail });
    });
  const placeAt = (ms: number) => written.findLast((one) => one.ms <= ms)!.place;
  const begin = () => {
    const startedAfter = seen;
    let server = '';
    let least = 0;
    unsettled += 1;
    const on = (name: 'replica' | 'primary') => () => {
      server = name;
      least = name === 'replica' ? placeAt(nowMs - MAX_AGE_MS) : primary;
      return readOn(name)();
    };
    const settled = (): void => {
      unsettled -= 1;
    };
    route.read(on('replica'), on('primary')).then(
      (saw) => {
        settled();
        ended.push({ server, startedAfter, saw, least });
        seen = Math.max(seen, saw);
      },
      () => {
        settled();
        failed += 1;
      },
    );
  };
  const at = (index: number) => running[index % Math.max(1, running.length)];
  const todo = [...acts];
  function next(): void {
    const one = todo.shift();
    if (!one) return;
    const { act, by } = one;
    if (act === 'write') {
      primary += by;
      written.push({ ms: nowMs, place: primary });
    }
    if (act === 'replay' && !isAway) replica = Math.min(primary, replica + by);
    if (act === 'pass') nowMs += by;
    if (act === 'probe') void probed();
    if (act === 'begin') begin();
    if (act === 'fail') {
      isAway = true;
      for (const read of running.filter(({ server }) => server === 'replica')) end(read, true);
    }
    // Started again after a crash, on an earlier state. The connection of the probe is lost before.
    if (act === 'return' && isAway) {
      lost();
      replica = Math.max(0, replica - 2);
      isAway = false;
    }
    const read = at(by);
    if (act === 'run' && read) read.saw ??= read.server === 'primary' ? primary : replica;
    if (act === 'end' && read) end(read, false);
  }
  function end(read: Running, fails: boolean): void {
    running.splice(running.indexOf(read), 1);
    if (fails) read.fail(REFUSED);
    else read.end(read.saw ?? (read.server === 'primary' ? primary : replica));
  }
  while (todo.length > 0) {
    next();
    await turn();
  }
  for (let tries = 0; unsettled > 0 && tries < 500; tries++) {
    for (const read of [...running]) end(read, false);
    await turn();
  }
  return { ended, unsettled, failed };
}

test('no read sees an earlier state than one that had ended, nor one beyond the bound; each ends well', async () => {
  let onReplica = 0;
  await fc.assert(
    fc.asyncProperty(ACTS, async (acts) => {
      const { ended, unsettled, failed } = await play(acts);
      expect({ unsettled, failed }).toEqual({ unsettled: 0, failed: 0 });
      for (const { startedAfter, saw, least } of ended) {
        expect(saw).toBeGreaterThanOrEqual(startedAfter);
        expect(saw).toBeGreaterThanOrEqual(least);
      }
      onReplica += ended.filter(({ server }) => server === 'replica').length;
    }),
    { numRuns: runs(3000) },
  );
  expect(onReplica).toBeGreaterThan(100);
});

const OLD = { standby: true, history: 'same', place: 5 };
const routeAt = (clock: { ms: number }) =>
  createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => clock.ms, probe: async () => undefined, pause: turn });
const silent = () => new Promise<string>(() => {});

test('a read on a replica that went silent runs on the primary once the replica is too old', async () => {
  const clock = { ms: 0 };
  const route = routeAt(clock);
  route.probed(0, null);
  await turn();
  expect(route.usesReplica()).toBe(true);
  const read = route.read(silent, async () => 'primary');
  await turn();
  clock.ms = MAX_AGE_MS + 1;
  route.look();
  expect(await read).toBe('primary');
  expect(route.usesReplica()).toBe(false);
});

test.each([
  ['a conflict with the replay', { code: '40001' }, 'primary'],
  ['a login that the replica does not know', { code: '28P01' }, 'primary'],
  ['a refused connection', REFUSED, 'primary'],
  ['the end of the server', { code: '57P01' }, 'primary'],
  [
    'a read that is too slow anywhere',
    { code: '57014', message: 'canceling statement due to statement timeout' },
    null,
  ],
  ['a defect of ours', new TypeError('not a function'), null],
])('%s', async (_name, error, answer) => {
  const route = routeAt({ ms: 0 });
  route.probed(0, null);
  await turn();
  const read = route.read(
    () => Promise.reject(error),
    async () => 'primary',
  );
  if (answer) expect(await read).toBe(answer);
  else await expect(read).rejects.toBe(error);
  expect(route.usesReplica()).toBe(answer === null);
});

test('a server proves nothing if it is no standby, or follows another history', () => {
  const primary = { standby: false, history: 'same', place: 5 };
  const proof = createReplicaProof();
  expect(proof.add(10, primary, OLD)).toBeNull();
  expect(proof.provenMs()).toBe(10);
  for (const other of [
    { ...OLD, standby: false },
    { ...OLD, history: null },
    { ...OLD, history: 'another', place: 1000 },
  ]) {
    expect(proof.add(20, primary, other)).toEqual(expect.any(String));
    expect(proof.provenMs()).toBe(Number.NEGATIVE_INFINITY);
  }
  expect(proof.add(30, { ...primary, standby: true, history: null }, OLD)).toEqual(expect.any(String));
  // After a fail-over the places of the old history count for nothing.
  proof.add(40, { ...primary, place: 6 }, OLD);
  expect(proof.add(50, { ...primary, history: 'next', place: 9 }, { ...OLD, history: 'next', place: 7 })).toBeNull();
  expect(proof.provenMs()).toBe(Number.NEGATIVE_INFINITY);
});

// Reads of the past over a primary and a replica that lags, stops, fails and comes back. The state of a server is the
// place in its log; a read sees the place of the server on which it runs.
import fc from 'fast-check';
import { beforeHeader, createReplicaProof, type WalPlace } from '../../../../src/store/pg/replica/proof';
import { createReadRoute, LONGEST_REST_MS } from '../../../../src/store/pg/replica/read-route';
import { runs } from '../../../support/property';

const MAX_AGE_MS = 2000;
const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const DEFECT = Object.assign(new Error('division by zero'), { code: '22012' });

const act = <N extends string>(name: N, by: fc.Arbitrary<number> = fc.nat()) =>
  fc.record({ act: fc.constant(name), by });
const ACTS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: act('write', fc.integer({ min: 1, max: 5 })) },
    { weight: 4, arbitrary: act('replay', fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1000))) },
    { weight: 3, arbitrary: act('pass', fc.integer({ min: 1, max: 300 })) },
    { weight: 1, arbitrary: act('pass', fc.integer({ min: 300, max: 3000 })) },
    { weight: 5, arbitrary: act('compare') },
    { weight: 5, arbitrary: act('begin') },
    { weight: 3, arbitrary: act('run') },
    { weight: 4, arbitrary: act('end') },
    { weight: 1, arbitrary: act('refuse') },
    { weight: 1, arbitrary: act('defect') },
    { weight: 1, arbitrary: act('fail') },
    { weight: 2, arbitrary: act('return') },
  ),
  { minLength: 40, maxLength: 150 },
);
type Acts = typeof ACTS extends fc.Arbitrary<infer A> ? A : never;
type Server = 'replica' | 'primary';

interface Running {
  readonly server: Server;
  saw: number | null;
  readonly end: (saw: number) => void;
  readonly fail: (error: Error) => void;
}

/** Of one read. */
interface Played {
  readonly servers: Server[];
  /** Of the run on the replica, at its begin. */
  ageMs: number;
  least: number;
  outcome: 'running' | 'failed' | 'defect' | number;
  /** Runs on no server. */
  isWaiting: boolean;
}

const place = (standby: boolean, at: number): WalPlace => ({ standby, history: 'same', place: at });
const turn = () => new Promise<void>((done) => setImmediate(done));

/** Plays the acts, and returns what the property needs to know. */
async function play(acts: Acts) {
  let nowMs = 0;
  let primary = 0;
  let replica = 0;
  let isAway = false;
  let moved = 0;
  let running: Running[] = [];
  const all: Played[] = [];
  /** The place of the primary at each instant at which it changed. */
  const written = [{ ms: -MAX_AGE_MS, place: 0 }];
  const placeAt = (ms: number) => written.findLast((one) => one.ms <= ms)!.place;
  const proof = createReplicaProof();
  const route = createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => nowMs });
  const lost = () => {
    proof.forget();
    route.compared(proof.provenMs(), 'away');
  };
  const compare = () => {
    if (isAway) return lost();
    const reason = proof.add(nowMs, place(false, primary), place(true, replica));
    route.compared(proof.provenMs(), reason);
  };
  const settle = (read: Running, how: Error | null) => {
    running = running.filter((one) => one !== read);
    if (how) read.fail(how);
    else read.end(read.saw ?? (read.server === 'primary' ? primary : replica));
  };
  const begin = () => {
    const one: Played = { servers: [], ageMs: 0, least: 0, outcome: 'running', isWaiting: true };
    all.push(one);
    const on = (server: Server) => () => {
      one.servers.push(server);
      one.isWaiting = false;
      one.least = server === 'replica' ? placeAt(nowMs - MAX_AGE_MS) : primary;
      if (server === 'replica') one.ageMs = route.ageMs() ?? Number.POSITIVE_INFINITY;
      return new Promise<number>((end, fail) => {
        const ended = () => {
          one.isWaiting = true;
        };
        if (server === 'replica' && isAway) fail(REFUSED);
        else
          running.push({
            ...{ server, saw: null },
            end: (saw) => [ended(), end(saw)],
            fail: (error) => [ended(), fail(error)],
          });
      });
    };
    route.read(on('replica'), on('primary')).then(
      (saw) => {
        one.outcome = saw;
      },
      (error) => {
        one.outcome = error === DEFECT ? 'defect' : 'failed';
      },
    );
  };
  const doOne = async ({ act, by }: Acts[number]) => {
    const read = running[by % Math.max(1, running.length)];
    if (act === 'write') {
      primary += by;
      written.push({ ms: nowMs, place: primary });
    }
    if (act === 'replay' && !isAway) replica = Math.min(primary, replica + by);
    if (act === 'pass') nowMs += by;
    if (act === 'compare') compare();
    if (act === 'begin') begin();
    if (act === 'fail') {
      isAway = true;
      for (const each of running.filter(({ server }) => server === 'replica')) settle(each, REFUSED);
    }
    // Started again after a crash, on an earlier state. The connection of the comparison is lost before.
    if (act === 'return' && isAway) {
      lost();
      replica = Math.max(0, replica - 2);
      isAway = false;
    }
    if (act === 'run' && read) read.saw ??= read.server === 'primary' ? primary : replica;
    if (act === 'end' && read) settle(read, null);
    if (act === 'refuse' && read?.server === 'replica') settle(read, REFUSED);
    if (act === 'defect' && read) {
      const before = route.usesReplica();
      settle(read, DEFECT);
      await turn();
      if (route.usesReplica() !== before) moved += 1;
    }
    await turn();
  };
  let waiting = 0;
  for (const one of acts) {
    await doOne(one);
    waiting += all.filter(({ outcome, isWaiting }) => outcome === 'running' && isWaiting).length;
  }
  // At most a run on the replica and one on the primary are left of each.
  for (const _run of ['replica', 'primary']) {
    for (const read of running) settle(read, null);
    await turn();
  }
  isAway = false;
  replica = primary;
  nowMs += LONGEST_REST_MS;
  compare();
  return { all, waiting, moved, isUsed: route.usesReplica() };
}

test('no read on the replica is beyond the bound, none waits, and each ends as it would on the primary', async () => {
  let onReplica = 0;
  let again = 0;
  await fc.assert(
    fc.asyncProperty(ACTS, async (acts) => {
      const { all, ...rest } = await play(acts);
      expect(rest).toEqual({ waiting: 0, moved: 0, isUsed: true });
      for (const { servers, ageMs, least, outcome } of all) {
        expect(['replica', 'primary', 'replica,primary']).toContain(servers.join());
        expect(ageMs).toBeLessThanOrEqual(MAX_AGE_MS);
        expect(outcome === 'defect' || (outcome as number) >= least).toBe(true);
      }
      onReplica += all.filter(({ servers }) => servers.at(-1) === 'replica').length;
      again += all.filter(({ servers }) => servers.length === 2).length;
    }),
    { numRuns: runs(1000) },
  );
  expect(onReplica).toBeGreaterThan(0);
  expect(again).toBeGreaterThan(0);
});

const OLD = { standby: true, history: 'same', place: 5 };
/** A read that fails on the replica: what came of it. */
const failing = (route: ReturnType<typeof createReadRoute>, error: unknown) =>
  route.read<unknown>(
    () => Promise.reject(error),
    async () => 'primary',
  );

test.each([
  ['a conflict with the replay', { code: '40001' }, 'primary'],
  ['a login that the replica does not know', { code: '28P01' }, 'primary'],
  ['a database that it does not have', { code: '3D000' }, 'primary'],
  ['a refused connection', REFUSED, 'primary'],
  ['no connection in time', new Error('timeout exceeded when trying to connect'), 'primary'],
  ['the end of the server', { code: '57P01' }, 'primary'],
  ['a full disk', { code: '53100' }, 'primary'],
  ['a damaged file', { code: 'XX001' }, 'primary'],
  ['a statement that takes too long', { code: '57014', message: 'canceling statement due to timeout' }, 'primary'],
  ['a defect of one query', DEFECT, null],
  ['a table that is not there', { code: '42P01' }, null],
  ['a defect of ours', new TypeError('not a function'), null],
])('%s', async (_name, error, answer) => {
  const route = createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => 0 });
  route.compared(0, null);
  const once = async () => {
    if (answer) expect(await failing(route, error)).toBe(answer);
    else await expect(failing(route, error)).rejects.toBe(error);
  };
  await once();
  await once();
  // Others stay.
  expect(route.usesReplica()).toBe(true);
  await once();
  expect(route.usesReplica()).toBe(answer === null);
});

test('rests grow from a second to half a minute, and begin small again after a read', async () => {
  const clock = { ms: 0 };
  const changes: (string | null)[] = [];
  const onChange = (_uses: boolean, reason: string | null) => changes.push(reason);
  const route = createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => clock.ms, onChange });
  const restMs = async () => {
    const beganMs = clock.ms;
    route.compared(clock.ms, null);
    for (let failure = 0; failure < 3; failure++) await failing(route, REFUSED);
    while (!route.usesReplica()) {
      clock.ms += 500;
      route.compared(clock.ms, null);
    }
    return clock.ms - beganMs;
  };
  const rests: number[] = [];
  for (let rest = 0; rest < 7; rest++) rests.push(await restMs());
  expect(rests).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  await route.read(
    async () => 'replica',
    async () => 'primary',
  );
  expect(await restMs()).toBe(1000);
  expect(changes).toEqual([null, ...Array.from({ length: 8 }, () => ['refused', null]).flat()]);
});

test('another reason why the replica is not used is reported', () => {
  const clock = { ms: 0 };
  const changes: (string | null)[] = [];
  const onChange = (_uses: boolean, reason: string | null) => changes.push(reason);
  const route = createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => clock.ms, onChange });
  route.compared(0, null);
  clock.ms = MAX_AGE_MS + 1;
  route.usesReplica();
  route.compared(0, 'no standby');
  route.compared(0, 'no standby');
  expect(changes).toEqual([null, expect.stringContaining('behind'), 'no standby']);
});

test('what a read found on a replica that was refused meanwhile is read again', async () => {
  const route = createReadRoute({ maxAgeMs: MAX_AGE_MS, nowMs: () => 0 });
  route.compared(0, null);
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = route.read(
    () => promise,
    async () => 'primary',
  );
  route.compared(0, 'the replica follows another primary');
  resolve('replica');
  expect(await read).toBe('primary');
});

test('behind the header of a page nothing more was written than before it', () => {
  const sizes = { segment: 16 * 2 ** 20, page: 8192 };
  const from = 7 * sizes.segment;
  expect(beforeHeader(from + 40, sizes)).toBe(from);
  expect(beforeHeader(from + 48, sizes)).toBe(from + 48);
  expect(beforeHeader(from + 8192 + 24, sizes)).toBe(from + 8192);
  // The end of a record that began on the page before.
  expect(beforeHeader(from + 8192 + 40, sizes)).toBe(from + 8192 + 40);
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

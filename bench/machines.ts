// More than one machine, on one. Fails if a target is missed.
//   node --import tsx bench/machines.ts [--cores 0.1] [--races 260] [--speed 4] [--seconds 20] [--rounds 1,2,3,4]
// Pollers 1 to 4, each in a cgroup of so many cores, with more polls due than they can make: book-polls a second
// against as many times the best rate of a poller so far (target: 0.85): one that has every race is slower than one of
// four. Polls that fail are not counted. A round counts if its pollers used what they had, the machine was not full and
// at most one poll in a hundred failed. Needs cgroups (v1) that we may write.
//   node --import tsx bench/machines.ts --show [--races 24]
// Four APIs, four pollers, a replica and PgBouncer, each killed in turn while customers call through a balancer.
// Targets: no call fails at every API, and no live race is without a new stamp for longer than a lost poller's
// heartbeat and two polls.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startOwnServers } from '../test/support/servers/own-servers';
import { useBuiltPrograms } from './support/built-programs';
import { endOnSignal } from './support/end-on-signal';
import { openCpuGroups } from './support/machines/cpu-groups';
import { measurePollers } from './support/machines/pollers';
import { killInTurn } from './support/machines/show';

const { values } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    cores: { type: 'string', default: '0.1' },
    races: { type: 'string' },
    speed: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1,2,3,4' },
  },
});

const LINEAR = 0.85;
/** Of a round that counts. */
const LEAST_USED = 0.85;
const MOST_BUSY = 0.97;
const MOST_FAILED = 0.01;
/** Its heartbeat's 20 s, and two polls of 15 s. */
const LONGEST_GAP_SECONDS = 50;

const print = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

async function scale(): Promise<boolean> {
  const groups = openCpuGroups();
  const servers = await startOwnServers();
  try {
    const cores = Number(values.cores);
    const rounds = values.rounds.split(',').map(Number);
    const load = {
      cores,
      races: Number(values.races ?? 260),
      speed: Number(values.speed),
      seconds: Number(values.seconds),
      rounds,
    };
    print(['pollers', 'polls/s', 'of linear', 'used of what they had', 'busy cores of the machine', 'failed']);
    let best = 0;
    let met = true;
    await measurePollers(servers, groups, load, (round) => {
      const each = round.perSecond / round.pollers;
      best = Math.max(best, each);
      const ratio = each / best;
      const { usedShare, busyCores, failedShare } = round;
      const counts = usedShare >= LEAST_USED && busyCores <= MOST_BUSY * cpus().length && failedShare <= MOST_FAILED;
      met &&= counts && ratio >= LINEAR;
      const share = `${(100 * usedShare).toFixed(0)} %${counts ? '' : ', does not count'}`;
      const failed = `${(100 * failedShare).toFixed(1)} %`;
      print([round.pollers, round.perSecond.toFixed(0), ratio.toFixed(2), share, busyCores.toFixed(2), failed]);
    });
    console.log(`each poller ${cores} cores; target ${LINEAR} of linear: ${met ? 'met' : 'MISSED'}`);
    return met;
  } finally {
    await servers.close();
    groups.removeEmpty();
  }
}

async function show(): Promise<boolean> {
  const servers = await startOwnServers();
  try {
    const races = Number(values.races ?? 24);
    const columns = ['killed', 'calls', 'answered by another API', 'failed', 'slowest call', 'all polled again'];
    print([...columns, 'longest gap', 'live races']);
    const all = await killInTurn(servers, races, (one) =>
      print([
        ...[one.part, one.calls, one.elsewhere, one.failed, `${(one.slowestMs / 1000).toFixed(1)} s`],
        ...[`${one.backSeconds.toFixed(0)} s`, `${one.gapSeconds.toFixed(0)} s`, one.live.join(' → ')],
      ]),
    );
    const met = all.every(
      ({ failed, gapSeconds, live }) =>
        failed === 0 && gapSeconds <= LONGEST_GAP_SECONDS && live.every((now) => now === races),
    );
    console.log(
      `targets: no failed call, no gap above ${LONGEST_GAP_SECONDS} s, all races live: ${met ? 'met' : 'MISSED'}`,
    );
    return met;
  } finally {
    await servers.close();
  }
}

endOnSignal();
useBuiltPrograms()
  .then(values.show ? show : scale)
  .then(
    (met) => {
      process.exitCode = met ? 0 : 1;
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );

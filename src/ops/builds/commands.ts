// Rolling a build of the workers out, and back (docs/operations/releases.md, "Builds").
import { type Command, kept, Mistake, required } from '../command';
import { table } from '../table';
import { withTemporal } from '../temporal';
import { promote, ramp, readBuilds } from './routing';

const PERCENT = /^(100|[1-9]?\d)$/;

export const BUILD_COMMANDS: readonly Command[] = [
  {
    name: 'builds list',
    synopsis: '',
    about: 'list the builds of the workers: which has how much of the work, and which can go',
    help: 'A build is what its workers have as WORKER_BUILD_ID. `draining`: work that ends where it began is still there. `drained`: end its workers.',
    async run(wiring) {
      const builds = await withTemporal(wiring, readBuilds);
      return table([
        ['build', 'state', 'share'],
        ...builds.map(({ build, state, share }) => [build, state, `${share} %`]),
      ]);
    },
  },
  {
    name: 'builds ramp',
    synopsis: 'BUILD --percent N',
    words: 1,
    about: 'route a share of the workflows to a build whose workers run beside the promoted ones',
    help: 'N is 0 to 100; 0 ends the ramp. Races change over with their next decision, and back as soon as the share is smaller.',
    async run(wiring, { words, options }) {
      const build = required(words[0], 'BUILD');
      const percent = percentOf(required(options.percent, '--percent'));
      const isNew = await withTemporal(wiring, (client) => ramp(client, build, percent));
      const line = `build ${build} has ${percent} % of the workflows`;
      return isNew ? line : kept(line);
    },
  },
  {
    name: 'builds promote',
    synopsis: 'BUILD',
    words: 1,
    about: 'route all work to a build and end any ramp: forwards, and back to the build before',
    help: 'Refused if no worker of the build polls a queue that is polled now: the workers of the build run before it is promoted, forwards and back.',
    async run(wiring, { words }) {
      const build = required(words[0], 'BUILD');
      const isNew = await withTemporal(wiring, (client) => promote(client, build));
      const line = `build ${build} has all work`;
      return isNew ? line : kept(line);
    },
  },
  {
    name: 'builds leave',
    synopsis: '',
    about: 'route all work to workers without a build again',
    help: 'The way back of the first promotion. Refused as `builds promote` is.',
    async run(wiring) {
      const isNew = await withTemporal(wiring, (client) => promote(client, null));
      const line = 'workers without a build have all work';
      return isNew ? line : kept(line);
    },
  },
];

function percentOf(text: string): number {
  if (!PERCENT.test(text)) throw new Mistake(`'${text}' is no percentage: give a whole number from 0 to 100.`);
  return Number(text);
}

// The operator's commands. Each does one thing, prints one line about it, and can be run again. Ends no process.
import { parseArgs } from 'node:util';
import { loadConfig } from '../config';
import { createLog } from '../log';
import { PLAN_IDS } from '../plans/plans';
import { migrate } from '../store/pg/migrate';
import { createWiring } from '../wiring';
import { collect } from './collect';
import { fillField } from './fill-field';
import { firstHour } from './first-hour';
import { issueKey } from './issue-key';
import { override } from './override';
import { seedKeys } from './seed';

const USAGE = `usage: node --import tsx src/ops/main.ts <command>
  migrate                                            bring the database to the newest schema
  seed --keys-file FILE                              create the keys of a fresh installation
  first-hour                                         give the next races of the simulated day the prices of the last hour
  keys --plan PLAN --label LABEL [--role internal]   issue one key and print it
  override --race RACE_ID --order 4,2=7,1 [--note WHY]
                                                     give a run race its placings, also long after its result was final
  fill-field --race RACE_ID --file FILE              write a race's full field by hand (JSON, as results serve it)
  collect RACE_ID|YYYY-MM-DD                         read the registries' results of a race or a Sydney day now`;

class UsageError extends Error {}

const OPTIONS = {
  'keys-file': { type: 'string' },
  plan: { type: 'string' },
  label: { type: 'string' },
  role: { type: 'string', default: 'customer' },
  race: { type: 'string' },
  file: { type: 'string' },
  order: { type: 'string' },
  note: { type: 'string' },
} as const;

/** What the process prints, and the code that it ends with. */
export interface CommandResult {
  readonly code: 0 | 1;
  readonly out: string;
  readonly err: string;
}

/** Never rejects: an error becomes a result with code 1. Closes what it opens. Without `variables` the settings are those of this process. */
export async function runCommand(argv: readonly string[], variables?: Variables): Promise<CommandResult> {
  try {
    return { code: 0, out: `${await work(argv, variables)}\n`, err: '' };
  } catch (error) {
    return { code: 1, out: '', err: `${error instanceof UsageError ? error.message : String(error)}\n` };
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

async function work(argv: readonly string[], variables?: Variables): Promise<string> {
  const { positionals, values } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  const config = loadConfig(variables);
  const wiring = createWiring(config, createLog('ops', config.log.level));
  const { pool, stores } = wiring;
  const at = new Date(wiring.now()).toISOString();
  try {
    switch (positionals[0]) {
      case 'migrate': {
        const { applied, edition } = await migrate(pool);
        return `schema is current (${edition} edition), applied: ${applied.join(', ') || 'nothing'}`;
      }
      case 'seed': {
        const minted = await seedKeys(stores.keys, required(values['keys-file'], '--keys-file'), at);
        return `keys minted: ${minted.join(', ') || 'none, all of them work'}`;
      }
      case 'first-hour':
        return await firstHour(wiring);
      case 'keys':
        return await issueKey(stores.keys, keyOrder(values), at);
      case 'override': {
        const { race, order, note = null } = values;
        return await override(wiring, required(race, '--race'), required(order, '--order'), note);
      }
      case 'fill-field':
        return await fillField(wiring, required(values.race, '--race'), required(values.file, '--file'));
      case 'collect':
        return await collect(wiring, required(positionals[1], 'what to collect'));
      default:
        throw new UsageError(USAGE);
    }
  } finally {
    await wiring.close();
  }
}

function keyOrder(values: { plan?: string; label?: string; role?: string }) {
  const plan = required(values.plan, '--plan');
  if (!(PLAN_IDS as readonly string[]).includes(plan)) throw new UsageError(`--plan: one of ${PLAN_IDS.join(', ')}`);
  const { role } = values;
  if (role !== 'customer' && role !== 'internal') throw new UsageError('--role: customer or internal');
  return { plan, role, label: required(values.label, '--label') } as const;
}

function required(value: string | undefined, option: string): string {
  if (!value) throw new UsageError(`${option} is missing\n${USAGE}`);
  return value;
}

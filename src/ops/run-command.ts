// Runs one command line: finds the command, reads its options, runs it. Never rejects and ends no process.
import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../config';
import { createLog } from '../log';
import { didYouMean } from '../nearest';
import { createWiring } from '../wiring/service';
import { type Command, type Given, Missing, Mistake } from './command';
import { COMMANDS } from './commands';
import { failureOf } from './failure';

/**
 * The output of the process, and its exit code: 1 failed, 2 a mistake of the operator or a server that does not answer,
 * 3 nothing was done, because what the command needs is not here.
 */
export interface CommandResult {
  readonly code: 0 | 1 | 2 | 3;
  readonly out: string;
  readonly err: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

interface Invocation {
  readonly command: Command;
  readonly given: Given;
}

/** How usage names the program: as the operator started it. */
const PROGRAM = 'npx node --import tsx src/ops/main.ts';

/** Closes what it opens. Without `variables` the settings are those of this process. `say`: prints a line at once. */
export async function runCommand(
  argv: readonly string[],
  variables?: Variables,
  program = PROGRAM,
  say: (line: string) => void = () => {},
): Promise<CommandResult> {
  let config: Config | null = null;
  try {
    const invocation = commandIn(argv, program);
    if (typeof invocation === 'string') return { code: 0, out: `${invocation}\n`, err: '' };
    config = loadConfig(variables, { serves: false });
    return { code: 0, out: `${await run(config, invocation, program, say)}\n`, err: '' };
  } catch (error) {
    const { code, sentence } = failureOf(error, config);
    return { code, out: '', err: `${sentence}\n` };
  }
}

async function run(
  config: Config,
  { command, given }: Invocation,
  program: string,
  say: (line: string) => void,
): Promise<string> {
  const wiring = createWiring(config, createLog('ops', config.log.level), 'command');
  try {
    return await command.run(wiring, given, say);
  } catch (error) {
    throw error instanceof Missing ? new Mistake(`${error.message}: ${program} ${lineOf(command)}`) : error;
  } finally {
    await wiring.close();
  }
}

/** A text is help, to be printed. */
function commandIn(argv: readonly string[], program: string): string | Invocation {
  const [first, second] = argv;
  if (first === undefined) throw new Mistake(`No command is given: see ${program} --help.`);
  if (isHelp(first)) return usage(program);
  const command = named(`${first} ${second}`) ?? named(first);
  if (!command) {
    const names = COMMANDS.map(({ name }) => name);
    const meant = didYouMean(first, names) || ` Commands are ${names.join(', ')}.`;
    throw new Mistake(`There is no command '${first}'.${meant}`);
  }
  const rest = argv.slice(command.name.split(' ').length);
  if (rest.some(isHelp)) return helpOf(command, program);
  return { command, given: givenOf(command, rest, program) };
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h' || word === 'help';
const named = (name: string): Command | undefined => COMMANDS.find((each) => each.name === name);

function givenOf(command: Command, args: readonly string[], program: string): Given {
  const see = `see ${program} ${command.name} --help.`;
  const names = [...command.synopsis.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const extra = positionals[command.words ?? 0];
    if (extra === undefined) return { options: values, words: positionals };
    throw new Mistake(`'${extra}' is more than ${command.name} takes: ${see}`);
  } catch (error) {
    // Its messages go on for sentences about `--`.
    throw error instanceof Mistake ? error : new Mistake(`${(error as Error).message.split(/[.\n]/)[0]}: ${see}`);
  }
}

const lineOf = ({ name, synopsis }: Command): string => `${name} ${synopsis}`.trim();

function usage(program: string): string {
  const lines = COMMANDS.map((command) => `  ${lineOf(command)}\n      ${command.about}`);
  return [
    `${program} <command>`,
    '',
    ...lines,
    '',
    'Servers are those of the environment (.env.example). <command> --help says more.',
    'Exit codes: 0 done · 1 failed · 2 a mistake in the command, or a server that does not answer · 3 not run here.',
  ].join('\n');
}

function helpOf(command: Command, program: string): string {
  const more = command.help === undefined ? [] : ['', command.help];
  return [`usage: ${program} ${lineOf(command)}`, '', `Use it to ${command.about}.`, ...more].join('\n');
}

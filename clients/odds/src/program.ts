// The commands and their options. Each ends with an exit code; a failure is one sentence on the error output.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { MARKETS } from './board/quotes.ts';
import { download } from './commands/download.ts';
import { follow } from './commands/follow.ts';
import { mirror } from './commands/mirror.ts';
import { next } from './commands/next.ts';
import { race } from './commands/race.ts';
import { replay } from './commands/replay.ts';
import { usage } from './commands/usage.ts';
import { EXIT, failureOf, withoutKey } from './io/failure.ts';
import type { Io } from './io/io.ts';

/** Set by the build. */
declare const ODDS_VERSION: string | undefined;

const ABOUT = `
Environment:
  ODDS_API_URL   address of the service
  ODDS_API_KEY   your key; it is never an argument, which other users of the machine could read
  NO_COLOR       set: no colours

Exit codes:
  0     done; also when the reader of a pipe has left
  1     the service refused or failed, or a file is not what it states
  2     the command line or the environment is wrong
  130   interrupted by Ctrl-C
  143   ended by a signal`;

/** Resolves to the exit code. */
export async function odds(args: readonly string[], io: Io): Promise<number> {
  try {
    await programOf(io).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { exitCode, text } = failureOf(error, io.env);
    if (text !== null) io.err.write(`odds: ${text}\n`);
    return exitCode;
  }
}

function programOf(io: Io): Command {
  const program = new Command('odds')
    .description('Racing odds in the terminal.')
    .version(typeof ODDS_VERSION === 'string' ? ODDS_VERSION : '0.0.0')
    .addHelpText('after', ABOUT)
    .exitOverride()
    .showHelpAfterError('(`odds --help` explains the commands.)')
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(withoutKey(text, io.env)),
      getOutHelpWidth: () => io.out.columns ?? 80,
      getErrHelpWidth: () => io.err.columns ?? 80,
      outputError: (text, print) => print(`odds: ${text.replace(/^error: /, '')}`),
    });
  addBoard(program, io);
  addChanges(program, io);
  addReplay(program, io);
  addFiles(program, io);
  program
    .command('usage')
    .description('credits used and left in this month; free')
    .option('--json', 'the answer as JSON')
    .action((options) => usage(io, options));
  return program;
}

function addBoard(program: Command, io: Io): void {
  program
    .command('next')
    .description('the next races to jump')
    .addOption(categories())
    .addOption(countries())
    .addOption(new Option('--venue <names>', 'with commas between').argParser(list))
    .addOption(new Option('--limit <races>', 'how many').argParser(count(1, 200)).default(10))
    .addOption(watched())
    .addOption(every(10))
    .option('--json', 'the answer as JSON; with --watch a line for each change')
    .action((options) => next(io, options));
  program
    .command('race')
    .description('one race to come, with the prices of every book')
    .argument('<venue>', 'such as Randwick')
    .argument('<number>', 'of the race: 5 or R5', raceNumber)
    .option('--date <day>', 'Sydney day, YYYY-MM-DD; default: the first race of this number')
    .addOption(new Option('--category <name>', 'horse, harness or greyhound, where a venue has several'))
    .addOption(new Option('--market <name>', 'which prices').choices(MARKETS).default('win'))
    .addOption(watched())
    .addOption(every(10))
    .option('--json', 'the race as JSON; with --watch a line for each change')
    .action((venue, number, options) => race(io, venue, number, options));
}

function addChanges(program: Command, io: Io): void {
  program
    .command('follow')
    .description('every change as a line of JSON, across broken connections, without loss and without repetition')
    .addOption(categories())
    .addOption(countries())
    .option('--ndjson', 'a line of JSON for each event; this is the only form')
    .addOption(new Option('--last-event-id <id>', 'go on after the last `id` that you have').conflicts('changes'))
    .option('--changes', 'call /v1/racing/changes again and again instead of keeping a stream open')
    .addOption(new Option('--since <instant>', 'with --changes: go on after the last `since` that you have'))
    .addOption(every(10))
    .action((options) => follow(io, options));
}

function addReplay(program: Command, io: Io): void {
  program
    .command('replay')
    .description('past races as they happened: one as a table on a terminal, otherwise lines of JSON; charged ahead')
    .addOption(new Option('--race <id>', 'one race, by its race_id').conflicts(['date', 'venue', 'from', 'to']))
    .addOption(new Option('--date <day>', 'the races of a Sydney day, YYYY-MM-DD').conflicts(['from', 'to']))
    .option('--venue <name>', 'only its races')
    .option('--from <time>', 'the first start: a Sydney day, or an instant with its UTC offset')
    .option('--to <time>', 'the last, at most 24 hours later')
    .addOption(new Option('--speed <factor>', 'of race time: 1 to 1000, or max').argParser(speed).default('1'))
    .addOption(new Option('--market <name>', 'which prices the table has').choices(MARKETS).default('win'))
    .option('--ndjson', 'lines of JSON on a terminal too')
    .option('--last-event-id <id>', 'go on after the last `id` that you have, as lines of JSON')
    .action((options) => replay(io, options));
}

function addFiles(program: Command, io: Io): void {
  program
    .command('download')
    .description('one day or month of a dataset as a file')
    .argument('<dataset>', 'such as closing-lines')
    .argument('<period>', 'a Sydney day, 2026-11-20, or a month, 2026-11')
    .option('--parquet', 'as Parquet; this is the default')
    .option('--csv', 'as CSV in gzip')
    .option('-o, --output <file>', 'where to; default: DATASET-PERIOD with its ending, here')
    .action((dataset, period, options) => download(io, dataset, period, options));
  program
    .command('mirror')
    .description('the days of datasets as a folder for DuckDB and pandas; what is there is not fetched again')
    .argument('[dest]', 'the folder', 'odds-data')
    .addOption(new Option('--datasets <names>', 'with commas between; default: all').argParser(list))
    .option('--from <day>', 'the first Sydney day, YYYY-MM-DD; default: the earliest')
    .option('--to <day>', 'the last; default: the newest')
    .option('--csv', 'CSV in gzip instead of Parquet')
    .option('--dry-run', 'only list what would be fetched, and its price')
    .option('--trust-new-keys', 'trust the keys that the service publishes now')
    .action((dest, options) => mirror(io, dest, options));
}

const categories = (): Option =>
  new Option('--category <names>', 'horse, harness, greyhound, with commas between; default: all').argParser(list);
const countries = (): Option =>
  new Option('--country <codes>', 'two letters each, with commas between; default: all').argParser(list);
const watched = (): Option => new Option('--watch', 'go on, with every change');
const every = (seconds: number): Option =>
  new Option('--every <seconds>', 'between calls, where no stream is used').argParser(count(1, 3600)).default(seconds);

const list = (text: string): string[] => text.split(',').map((one) => one.trim());

function speed(text: string): string {
  if (text === 'max' || (/^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) >= 1 && Number(text) <= 1000)) return text;
  throw new InvalidArgumentError('It must be a number from 1 to 1000, or max.');
}

const raceNumber = (text: string): number => count(1, 99)(text.replace(/^r/i, ''));

const count =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

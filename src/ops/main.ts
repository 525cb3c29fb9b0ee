// The operator's commands as a process: prints one result, or one sentence with exit code 1, 2 or 3.
// `--as NAME` first: what usage calls the program, from the script that runs it.
// `--and` between commands runs them one after another, up to the first that fails: a process takes longer to start
// than most commands.
import { relative } from 'node:path';
import { runCommand } from './run-command';

const [, main = '', ...argv] = process.argv;
/** A built program is a separate file. */
const built = main.endsWith('.js') ? `node ${relative(process.cwd(), main)}` : undefined;
const program = argv[0] === '--as' ? argv.splice(0, 2)[1] : built;

async function runAll(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--and');
  const words = end < 0 ? args : args.slice(0, end);
  const { code, out, err } = await runCommand(words, undefined, program, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
  if (code === 0 && end >= 0) await runAll(args.slice(end + 1));
}

void runAll(argv);

// The operator's commands as a process: prints one result, or one sentence with exit code 1 or 2.
// `--as NAME` first: what usage calls the program, from the script that runs it.
import { relative } from 'node:path';
import { runCommand } from './run-command';

const [, main = '', ...argv] = process.argv;
/** A built program is a file of its own. */
const built = main.endsWith('.js') ? `node ${relative(process.cwd(), main)}` : undefined;
const program = argv[0] === '--as' ? argv.splice(0, 2)[1] : built;

runCommand(argv, undefined, program).then(({ code, out, err }) => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});

// The operator's commands as a process: prints one result, or one sentence with exit code 1 or 2.
// `--as NAME` first: what usage calls the program, from the script that runs it.
import { runCommand } from './run-command';

const argv = process.argv.slice(2);
const program = argv[0] === '--as' ? argv.splice(0, 2)[1] : undefined;

runCommand(argv, undefined, program).then(({ code, out, err }) => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});

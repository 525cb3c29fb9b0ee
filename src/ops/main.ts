// The operator's commands as a process: prints one line of result, or one line of error with exit code 1.
import { runCommand } from './commands';

runCommand(process.argv.slice(2)).then(({ code, out, err }) => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});

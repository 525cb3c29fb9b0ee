// The operator's commands as a process: one line of answer, or one of refusal and exit code 1.
import { runCommand } from './commands';

runCommand(process.argv.slice(2)).then(({ code, out, err }) => {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});

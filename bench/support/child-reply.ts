// The next message of a child process. Throws if it ends instead: nothing else would wake the bench, which has
// databases to drop.
import type { ChildProcess } from 'node:child_process';

export function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((done, fail) => {
    const ended = (code: number | null): void => fail(new Error(`a process of the bench ended (${code})`));
    child.once('exit', ended).once('message', (message) => {
      child.off('exit', ended);
      done(message);
    });
    if (child.exitCode !== null) ended(child.exitCode);
  });
}

// A Python process with clients/python, in which a test runs one program after another.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type InstalledPython, installPython } from '../installed-python';

export const SOURCE = join(__dirname, '../../../../clients/python/src');

/** Before the tests are declared, so that they are skipped with the reason where they cannot run. */
export const installForPackage = (): InstalledPython =>
  installPython('racing-odds-client', join(__dirname, 'requirements.txt'), 450);

/** Its tests leave no compiled files in the checkout. */
export const environmentOf = (path: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: path,
  PYTHONDONTWRITEBYTECODE: '1',
});

export class Agent {
  private readonly program: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly lines: AsyncIterator<string>;
  private errors = '';
  private last: Promise<unknown> = Promise.resolve();

  constructor(python: string, url: string) {
    const args = [join(__dirname, 'agent.py'), url];
    this.program = spawn(python, args, { env: environmentOf(SOURCE), stdio: ['pipe', 'pipe', 'pipe'] });
    this.program.stderr.on('data', (text) => {
      this.errors += text;
    });
    this.lines = createInterface(this.program.stdout)[Symbol.asyncIterator]();
  }

  /** The value of the last expression, as JSON. `given`: names that the program has. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the program answered.
  run(program: string, given: Readonly<Record<string, unknown>> = {}): Promise<any> {
    // A text of JSON as JSON is one of Python.
    const names = Object.entries(given).map(
      ([name, value]) => `${name} = json.loads(${JSON.stringify(JSON.stringify(value))})`,
    );
    const answer = this.last.then(async () => {
      this.program.stdin.write(`${JSON.stringify([...names, program].join('\n'))}\n`);
      const { value: line, done } = await this.lines.next();
      if (done) throw new Error(`Python has ended: ${this.errors}`);
      const { value, failed } = JSON.parse(line);
      if (failed) throw new Error(failed);
      return value;
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }

  async stop(): Promise<void> {
    if (this.program.exitCode !== null || this.program.signalCode !== null) return;
    this.program.kill('SIGKILL');
    await once(this.program, 'exit');
  }
}

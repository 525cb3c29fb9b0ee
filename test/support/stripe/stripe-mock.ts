// Stripe's own stripe-mock, which refuses a request that does not fit Stripe's published schema. It is used if it is
// installed (`go install github.com/stripe/stripe-mock@v0.203.0`); a test never fetches it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

function find(): string | null {
  const { GOBIN, GOPATH, PATH = '' } = process.env;
  const folders = [GOBIN, GOPATH && join(GOPATH, 'bin'), join(homedir(), 'go/bin'), ...PATH.split(delimiter)];
  const file = folders
    .filter(Boolean)
    .map((folder) => join(folder!, 'stripe-mock'))
    .find(existsSync);
  return file !== undefined && spawnSync(file, ['-version']).status === 0 ? file : null;
}

/** The program; null if it is not installed. */
export const stripeMock = find();

export async function startStripeMock(): Promise<{ readonly url: string; close(): void }> {
  const child: ChildProcess = spawn(stripeMock!, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0']);
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, address] = /HTTP at address: (\S+)/.exec(line) ?? [];
    if (address) return { url: `http://${address}`, close: () => void child.kill() };
  }
  throw new Error('stripe-mock ended before it listened');
}

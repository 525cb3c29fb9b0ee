// The hourly pass of the archive as a process of its own, so that its memory is nothing else's.
import { type ChildProcess, fork } from 'node:child_process';
import { archivePast } from '../../../src/activities/archive/archive-past';
import { createStores } from '../../../src/store/create-stores';
import { createPool } from '../../../src/store/pg/pool';
import { nextMessage } from '../child-reply';

export interface Archiver {
  readonly pid: number;
  /** Archives everything that is past at this instant, and resolves to the milliseconds that it took. */
  pass(at: string): Promise<number>;
  stop(): void;
}

/** As many as the pass has races under way. */
const CONNECTIONS = 4;

export function startArchiver(databaseUrl: string): Archiver {
  const child = fork(__filename, ['archiver', databaseUrl], { execArgv: ['--import', 'tsx'] });
  return {
    pid: child.pid!,
    pass: (at) => pass(child, at),
    stop: () => void child.kill(),
  };
}

async function pass(child: ChildProcess, at: string): Promise<number> {
  child.send(at);
  const report = await nextMessage(child);
  if (typeof report !== 'number') throw new Error(String(report));
  return report;
}

if (process.argv[2] === 'archiver') {
  process.once('disconnect', () => process.exit());
  const pool = createPool(process.argv[3]!, CONNECTIONS);
  const stores = createStores(pool);
  process.on('message', (at: string) => void run(at));

  async function run(at: string): Promise<void> {
    const log = { info: () => undefined, warn: console.error } as never;
    const began = performance.now();
    const { failed } = await archivePast({ stores, now: () => Date.parse(at), log });
    process.send!(failed === 0 ? performance.now() - began : `${failed} races could not be archived`);
  }
}

// A process of steady callers (`steady-callers.ts`), and its latencies.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Latencies {
  readonly calls: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Callers {
  /** Since the last report. */
  since(): Promise<Latencies>;
  stop(): void;
}

export function startCallers(job: { readonly url: string; readonly key: string; readonly perSecond: number }): Callers {
  const child = fork(join(__dirname, 'steady-callers.ts'), { execArgv: ['--import', 'tsx'] });
  child.send(job);
  return {
    async since() {
      child.send('reset');
      const [latencies] = await once(child, 'message');
      return latencies as Latencies;
    },
    stop: () => void child.kill(),
  };
}

// Holds processes to a share of the machine's processors, so that a small machine shows what a service does beyond its
// capacity. Linux with control groups of version 1, as root.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CoreQuota {
  /** With all processes that it starts from then on. */
  add(pid: number): void;
  /** After its processes have ended. */
  release(): void;
}

const ROOT = '/sys/fs/cgroup/cpu';
/** Short, so that the processes run slowly and do not stand still for most of a tenth of a second. */
const PERIOD_US = 10_000;

/** `cores`: of all added processes together. */
export function limitCores(cores: number): CoreQuota {
  if (!existsSync(join(ROOT, 'cpu.cfs_quota_us')))
    throw new Error(`no control groups of version 1 in ${ROOT}: run it without a limit of cores`);
  const folder = join(ROOT, `racing-bench-${process.pid}-${Date.now()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
  writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(cores * PERIOD_US)));
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    release: () => {
      try {
        rmdirSync(folder);
      } catch (error) {
        console.error(`${folder} is left: ${(error as Error).message}`);
      }
    },
  };
}

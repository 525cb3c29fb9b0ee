// Parts of a processor for processes, by cgroups (v1, `cpu`): each group is a small machine. Needs root on Linux.
import { accessSync, constants, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup/cpu';
/** Short, so that a process runs slowly and does not stand still for most of a tenth of a second. */
const SHORTEST_PERIOD_US = 10_000;
/** Linux refuses less. */
const LEAST_QUOTA_US = 1000;

export interface CpuGroups {
  /** All of the process's threads. */
  limit(pid: number, cores: number): void;
  free(pid: number): void;
  /** Removes the groups whose processes have ended. */
  removeEmpty(): void;
}

const NAMED = 'racing-bench-';

/** Those of an earlier bench too. */
function removeEmpty(): void {
  for (const name of readdirSync(ROOT).filter((each) => each.startsWith(NAMED))) {
    try {
      rmdirSync(join(ROOT, name));
    } catch {
      // Its processes run: the next bench removes it.
    }
  }
}

/** Throws if this machine has none that we may write. */
export function openCpuGroups(): CpuGroups {
  try {
    accessSync(join(ROOT, 'cgroup.procs'), constants.W_OK);
    accessSync(join(ROOT, 'cpu.cfs_quota_us'));
  } catch (cause) {
    throw new Error(`cgroups (v1, cpu) cannot be written in ${ROOT}`, { cause });
  }
  removeEmpty();
  process.once('exit', removeEmpty);
  return {
    limit(pid, cores) {
      const folder = join(ROOT, `${NAMED}${pid}`);
      mkdirSync(folder, { recursive: true });
      const periodUs = Math.max(SHORTEST_PERIOD_US, Math.ceil(LEAST_QUOTA_US / cores));
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodUs));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(cores * periodUs)));
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    },
    free: (pid) => writeFileSync(join(ROOT, 'cgroup.procs'), String(pid)),
    removeEmpty,
  };
}

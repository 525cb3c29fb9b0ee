// The memory of the panel's processes against its targets (bench/panel.ts).
import { isPoller, type Point, row } from './panel-point';
import type { Memory } from './process-memory';

interface Target {
  readonly isOf: (name: string) => boolean;
  readonly what: 'peak' | 'proportional';
  /** Megabytes. */
  readonly under: number;
}

/** PostgreSQL with all its backends and its shared buffers, each page once. */
const TARGETS: readonly Target[] = [
  { isOf: isPoller, what: 'peak', under: 400 },
  { isOf: (name) => name === 'api', what: 'peak', under: 300 },
  { isOf: (name) => name === 'PostgreSQL', what: 'proportional', under: 400 },
];

/** Whether every process is under its target at every speed. */
export function reportMemory(points: readonly Point[]): boolean {
  console.log('memory under load, MB');
  const heads = ['speed', 'of', 'processes', 'peak', 'resident', 'proportional', 'own', 'target', ''];
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  const judged = points.flatMap(({ speed, memory }) => [...memory].map(([name, one]) => lineOf(speed, name, one)));
  return judged.every((isWithin) => isWithin);
}

function lineOf(speed: number, name: string, memory: Memory): boolean {
  const target = TARGETS.find(({ isOf }) => isOf(name));
  const isWithin = target === undefined || memory[target.what] < target.under;
  const figures = [memory.peak, memory.resident, memory.proportional, memory.own].map((megabytes) =>
    megabytes.toFixed(0),
  );
  const verdict =
    target === undefined ? ['', ''] : [`${target.what} under ${target.under}`, isWithin ? 'met' : 'missed'];
  console.log(row([`${speed}`, name, `${memory.processes}`, ...figures, ...verdict]));
  return isWithin;
}

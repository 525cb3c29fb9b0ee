// One line of `bench/archive`: what was measured, its reference in the same run, and whether the target is met. A
// missed one fails the bench at its end.
import { median } from '../figures';

export type Bound = readonly ['at most' | 'at least', number];

const meets = (value: number, [bound, target]: Bound): boolean =>
  bound === 'at most' ? value <= target : value >= target;

export function line(what: string, figures: string, value?: number, bound?: Bound): void {
  const ratio = value === undefined ? '' : value < 10 ? value.toFixed(2) : value.toFixed(0);
  const isMet = value === undefined || bound === undefined || meets(value, bound);
  if (!isMet) process.exitCode = 1;
  const target = bound === undefined ? '' : `${bound.join(' ')}: ${isMet ? 'met' : 'MISSED'}`;
  console.log([what.padEnd(52), figures.padEnd(46), ratio.padStart(6), target].join('  ').trimEnd());
}

/** Median of the rounds' own ratios, because other work on the machine slows both of a round. */
export const ratioOf = (ours: readonly number[], reference: readonly number[]): number =>
  median(ours.map((ms, round) => ms / reference[round]!));

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export const milliseconds = (all: readonly number[]): string => {
  const ms = median(all);
  return ms < 100 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
};

/** Both works in every round, each first in every other one. */
export async function alternating(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number[], number[]]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ones.push(await one());
    others.push(await other());
    if (round % 2 === 1) ones.push(await one());
  }
  return [ones, others];
}

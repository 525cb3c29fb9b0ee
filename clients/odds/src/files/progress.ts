// How far a download is: a line on the terminal, and nothing where there is none.
import { createLogUpdate } from 'log-update';
import { type Io, isTerminal } from '../io/io.ts';
import { cut, plain } from '../text/plain.ts';

export interface Progress {
  at(bytes: number): void;
  close(): void;
}

const BAR = 24;
const LEAST_MS = 100;

export function progressOf(
  { err, env }: Pick<Io, 'err' | 'env'>,
  name: string,
  total: number,
  nowMs: () => number = () => performance.now(),
): Progress {
  if (!isTerminal(err, env)) return { at() {}, close() {} };
  const update = createLogUpdate(err as NodeJS.WriteStream);
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    at(bytes) {
      if (bytes < total && nowMs() - drawnAtMs < LEAST_MS) return;
      drawnAtMs = nowMs();
      update(cut(lineOf(plain(name), bytes, total), (err.columns ?? 80) - 1));
    },
    close: () => update.done(),
  };
}

function lineOf(name: string, bytes: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.floor(share * BAR);
  return `${name} [${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${Math.floor(share * 100)} % of ${sizeText(total)}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

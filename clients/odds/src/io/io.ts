// What a command may touch of its process: tests give their own.
import { once } from 'node:events';

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Io {
  readonly out: Output;
  readonly err: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with an `Interrupted` or a `ReaderGone`. */
  readonly signal: AbortSignal;
}

export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Interrupted.');
    this.exitCode = exitCode;
  }
}

/** Whoever read the output has closed it, as `head` does. */
export class ReaderGone extends Error {}

/** Resolves when the reader is ready for more. */
export async function write({ out, signal }: Pick<Io, 'out' | 'signal'>, text: string): Promise<void> {
  signal.throwIfAborted();
  if (out.write(text)) return;
  try {
    await once(out, 'drain', { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Whether a table can be redrawn in place. */
export const isTerminal = (output: Output, env: Io['env']): boolean => output.isTTY === true && env.TERM !== 'dumb';

/** Columns of the terminal. A file and a pipe have no bound. */
export const widthIn = (output: Output): number => (output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY);

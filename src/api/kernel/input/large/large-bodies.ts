// Large bodies are validated on a separate thread, one at a time, the senders in turn: no other request waits for one.
// The queue is limited. A thread that dies, hangs or runs out of memory is a 503 for its body alone, which is not
// retried: a body that ends a thread would end the next one too.
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { AppError, ExpectedRefusal } from '../../../../errors';
import { createFairTurns } from '../../work/fair-turns';
import type { ReadBody } from '../judge-body';
import type { Judged, LargeBody, Refusal } from '../verdict';
import { createJoiner, type Slice } from './slices';
import { createTaskThread, type ThreadTimes } from './task-thread';

export interface Sender {
  /** Bodies of one sender wait for each other. */
  readonly share: string;
  /** Aborted with the reason to give up. */
  readonly signal: AbortSignal;
  /** Receives the processor time of the thread, including that of a refusal. */
  spend(ms: number): void;
}

/** Throws what validating the body here would throw, or `unavailable`, or the reason of the signal. */
export type JudgeLarge = (body: LargeBody, sender: Sender) => Promise<ReadBody>;

const TIMES: ThreadTimes = { idleMs: 60_000, longestMs: 30_000 };

/**
 * Twice what the worst body of 4 MiB takes: no body reaches it, because running out of heap in the middle of
 * `JSON.parse` would end the process.
 */
export const HEAP_MB = 512;
/** Bodies of at most 4 MiB. */
const MOST_WAITING = 32;
const MOST_WAITING_OF_ONE = 4;

const FULL = 'Too many large bodies wait to be read. Send the request again.';
const FAILED = 'The body could not be read. Send the request again.';
const FAILED_RETRY_SECONDS = 5;

type Task = LargeBody & { readonly slices: MessagePort };

/** `start`: starts the thread. */
export function createLargeBodies(start: () => Worker = () => startThread(), times: ThreadTimes = TIMES): JudgeLarge {
  const thread = createTaskThread<Task, Judged>(start, times);
  const turns = createFairTurns(
    { most: 1, mostOfOne: 1 },
    {
      most: MOST_WAITING,
      mostOfOne: MOST_WAITING_OF_ONE,
      refusal: () => new ExpectedRefusal('unavailable', FULL, { retry_after_seconds: 1 }),
    },
  );
  const judge = async (body: LargeBody, { signal, spend }: Sender): Promise<ReadBody> => {
    const { port1: own, port2: slices } = new MessageChannel();
    const startedMs = performance.now();
    try {
      const { verdict, workMs } = await thread.run({ ...body, slices }, [slices]).catch((cause) => {
        spend(performance.now() - startedMs);
        throw failed(cause);
      });
      spend(workMs);
      if ('refusal' in verdict) throw refused(verdict.refusal);
      const { problems, unlisted, slices: count } = verdict.read;
      return { body: await takenOver(own, count, signal), problems, unlisted };
    } finally {
      own.close();
    }
  };
  // A body already started is finished: a new thread would cost more.
  return (body, sender) => turns(sender.share, () => judge(body, sender), sender.signal);
}

export function startThread(heapMb = HEAP_MB): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb };
  // Next to a built program (scripts/app/programs.mjs).
  if (__filename.endsWith('.js')) return new Worker(join(__dirname, 'thread.js'), { resourceLimits });
  const execArgv = ['--import', pathToFileURL(require.resolve('tsx')).href];
  return new Worker(join(__dirname, 'thread.ts'), { execArgv, resourceLimits });
}

/** One slice per turn. All of them have arrived, because they were sent before the verdict. */
async function takenOver(slices: MessagePort, count: number, signal: AbortSignal): Promise<unknown> {
  const joiner = createJoiner();
  for (let i = 0; i < count; i++) {
    await turn();
    signal.throwIfAborted();
    joiner.add(receiveMessageOnPort(slices)!.message as Slice);
  }
  return joiner.value();
}

const refused = ({ code, detail, extensions }: Refusal): AppError => new AppError(code, detail, extensions);

function failed(cause: unknown): AppError {
  const refusal = new AppError('unavailable', FAILED, { retry_after_seconds: FAILED_RETRY_SECONDS });
  return Object.assign(refusal, { cause });
}

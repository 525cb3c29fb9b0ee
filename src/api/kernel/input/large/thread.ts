// Runs in the thread of large bodies: validates one after another, and sends the accepted ones in slices. It knows no
// operation: each body comes with its schema. An error that is not a refusal ends the thread.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '../../../../errors';
import { type BytesJudge, bytesJudge, type ReadBody } from '../judge-body';
import type { LargeBody, Verdict } from '../verdict';
import { sendSlices } from './slices';

/** By the text of their schema: as many as there are operations with large bodies. */
const judges = new Map<string, BytesJudge>();

parentPort!.on('message', ({ schema, bytes, slices }: LargeBody & { readonly slices: MessagePort }) => {
  const before = process.threadCpuUsage();
  const verdict = judged(schema, bytes, slices);
  const { user, system } = process.threadCpuUsage(before);
  parentPort!.postMessage({ verdict, workMs: (user + system) / 1000 });
});

function judged(schema: string, bytes: Uint8Array, slices: MessagePort): Verdict {
  const judge = judges.get(schema) ?? bytesJudge(JSON.parse(schema));
  judges.set(schema, judge);
  try {
    return handedOver(judge.judge(bytes, judge.measure(bytes)), slices);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message: detail, extensions } = error;
    return { refusal: { code, detail, extensions } };
  }
}

/** A body whose problems are not counted is refused for its first problem, and not examined further. */
function handedOver({ body, problems, unlisted }: ReadBody, slices: MessagePort): Verdict {
  if (unlisted === null) return { read: { problems, unlisted, slices: 0 } };
  let count = 0;
  sendSlices(body, (slice) => {
    slices.postMessage(slice);
    count += 1;
  });
  return { read: { problems, unlisted, slices: count } };
}

// A separate process, because an exhausted heap within `JSON.parse` ends it: the thread judges the bodies that take
// most memory in half of its heap. The exit status is the number of bodies refused for their first problem; an idle
// thread keeps no process alive.

import { createLargeBodies, HEAP_MB, startThread } from '../../../src/api/kernel/input/large/large-bodies';
import { ENDPOINTS } from '../../../src/api/operations';
import { SportIngestPayload } from '../../../src/api/operations/ingest/sport-ingest-schema';
import { PATIENT_MS } from '../patient';

const LARGEST_BYTES = Math.max(...ENDPOINTS.map(({ bodyBytes = 0 }) => bodyBytes));
const schema = JSON.stringify(SportIngestPayload);
const judge = createLargeBodies(() => startThread(HEAP_MB / 2), { idleMs: PATIENT_MS * 2, longestMs: PATIENT_MS });

const bodyOf = (item: string): Uint8Array =>
  Buffer.from(`{"events":[${`${item},`.repeat((LARGEST_BYTES - 20) / (item.length + 1))}1]}`);

async function main(): Promise<void> {
  const open = setInterval(() => {}, 1000);
  let refused = 0;
  for (const item of ['['.repeat(11) + ']'.repeat(11), '[{}]']) {
    const sender = { share: 'one', signal: new AbortController().signal, spend: () => {} };
    const { unlisted } = await judge({ schema, bytes: bodyOf(item) }, sender);
    if (unlisted === null) refused += 1;
  }
  clearInterval(open);
  process.exitCode = refused;
}

void main();

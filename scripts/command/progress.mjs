// Reports progress while it happens: a line when a step takes noticeable time, one with the elapsed time
// every ten seconds and later every thirty, and one when it is done. It only writes; it never decides anything.
import { Kept, Missing } from './outcome.mjs';

const noticeableMs = 400;
const oftenMs = 10_000;
const seldomMs = 30_000;
const patientMs = 29_000;

export const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

export function createProgress(write = (line) => process.stdout.write(`${line}\n`)) {
  return {
    note: (line) => write(`  ${line}`),
    step: (title, work) => runStep(write, title, work),
  };
}

/** A step has its check mark only if `work` did something: what it resolves to may state otherwise (outcome.mjs). */
async function runStep(write, title, work) {
  const startedAt = Date.now();
  const stopReminders = remindRegularly(write, title, startedAt);
  try {
    const result = await work();
    const end = result instanceof Kept || result instanceof Missing ? result : { mark: '✓', text: null };
    const took = `${title} (${seconds(Date.now() - startedAt)})`;
    write(`  ${end.mark} ${end.text === null ? took : `${took}: ${end.text}`}`);
    return result;
  } finally {
    stopReminders();
  }
}

function remindRegularly(write, title, startedAt) {
  const first = setTimeout(() => write(`  … ${title}`), noticeableMs);
  let next = setTimeout(remind, oftenMs);
  function remind() {
    const elapsed = Date.now() - startedAt;
    write(`  … ${title}: ${seconds(elapsed)} so far`);
    next = setTimeout(remind, elapsed < patientMs ? oftenMs : seldomMs);
  }
  return () => [first, next].forEach(clearTimeout);
}

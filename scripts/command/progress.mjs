// Reports progress while it happens: a line when a step takes noticeable time, one with the elapsed time
// every ten seconds and later every thirty, and one when it is done. It only writes; it never decides anything.
const noticeableMs = 400;
const oftenMs = 10_000;
const seldomMs = 30_000;
const patientMs = 29_000;

export const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

export function createProgress(write = (line) => process.stdout.write(`${line}\n`)) {
  return {
    note: (line) => write(`  ${line}`),
    step: (title, work) => runStep(write, title, work),
    claim: (title, whyNot) => runClaim(write, title, whyNot),
  };
}

/** A step that may end without what its title states: `whyNot` resolves to the reason, or to null. Returns whether it is so. */
async function runClaim(write, title, whyNot) {
  const startedAt = Date.now();
  const stopReminders = remindRegularly(write, title, startedAt);
  try {
    const reason = await whyNot();
    write(
      `  ${reason === null ? '✓' : '✗'} ${title} (${seconds(Date.now() - startedAt)})${reason === null ? '' : `: not so. ${reason}`}`,
    );
    return reason === null;
  } finally {
    stopReminders();
  }
}

async function runStep(write, title, work) {
  const startedAt = Date.now();
  const stopReminders = remindRegularly(write, title, startedAt);
  try {
    const result = await work();
    write(`  ✓ ${title} (${seconds(Date.now() - startedAt)})`);
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

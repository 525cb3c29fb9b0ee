// Says what is happening while it happens: a line when a step takes noticeable time, one every ten seconds with the
// time it has taken, and one when it is done. It only writes; it never decides anything.
const noticeableMs = 400;
const reminderMs = 10_000;

export const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

export function createProgress(write = (line) => process.stdout.write(`${line}\n`)) {
  return {
    say: (line) => write(`  ${line}`),
    step: (title, work) => runStep(write, title, work),
  };
}

async function runStep(write, title, work) {
  const startedAt = Date.now();
  const stopTelling = tellFromTimeToTime(write, title, startedAt);
  try {
    const result = await work();
    write(`  ✓ ${title} (${seconds(Date.now() - startedAt)})`);
    return result;
  } finally {
    stopTelling();
  }
}

function tellFromTimeToTime(write, title, startedAt) {
  const first = setTimeout(() => write(`  … ${title}`), noticeableMs);
  const again = setInterval(() => write(`  … ${title}: ${seconds(Date.now() - startedAt)} so far`), reminderMs);
  return () => {
    clearTimeout(first);
    clearInterval(again);
  };
}

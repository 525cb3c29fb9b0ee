// Reports progress while it happens: a line when a step takes noticeable time, one with the elapsed time every ten
// seconds and later every thirty, and one when it is done. A step that knows how far it is has a bar. It only writes;
// it never decides anything.
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

/**
 * A step gets its check mark only if `work` did something: its result may state otherwise (outcome.mjs). `work` may
 * name a function that reports how far it is, `{ done, total, unit }`, whenever a line is due; `total` may be unknown.
 */
async function runStep(write, title, work) {
  const startedAt = Date.now();
  let howFar = () => null;
  const stopReminders = remindRegularly(write, title, startedAt, () => howFar());
  try {
    const result = await work((measure) => {
      howFar = measure;
    });
    const end = result instanceof Kept || result instanceof Missing ? result : { mark: '✓', text: null };
    const took = `${title} (${seconds(Date.now() - startedAt)})`;
    write(`  ${end.mark} ${end.text === null ? took : `${took}: ${end.text}`}`);
    return result;
  } finally {
    stopReminders();
  }
}

function remindRegularly(write, title, startedAt, howFar) {
  const first = setTimeout(() => write(`  … ${title}`), noticeableMs);
  let next = setTimeout(remind, oftenMs);
  let ended = false;
  async function remind() {
    // A file that is being installed may vanish while it is read.
    const far = await Promise.resolve()
      .then(howFar)
      .catch(() => null);
    if (ended) return;
    const elapsed = Date.now() - startedAt;
    write(`  … ${title}: ${seconds(elapsed)} so far${far ? `, ${barOf(far)}` : ''}`);
    next = setTimeout(remind, elapsed < patientMs ? oftenMs : seldomMs);
  }
  return () => {
    ended = true;
    [first, next].forEach(clearTimeout);
  };
}

const BAR = 20;

/** `████░░░░ 12 of 44 MB`. */
export function barOf({ done, total, unit }) {
  if (!total) return `${Math.round(done)} ${unit}`;
  const share = Math.min(1, done / total);
  const full = Math.floor(share * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.min(Math.round(done), Math.round(total))} of ${Math.round(total)} ${unit}`;
}

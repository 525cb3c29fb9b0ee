// The battery's side of the watcher: it queries the API process, and reports how it ended.
const STUCK_MS = 45_000;

/** Thrown if the process does not reply: it `ended`, or it is `stuck` without a turn of its event loop. */
export class Lost extends Error {
  constructor(how) {
    super(how === 'ended' ? 'The API process ended.' : 'The API process makes no turn of its event loop.');
    this.how = how;
  }
}

/** `ask(name)` rejects with `Lost`. */
export function watched(child, stuckMs = STUCK_MS) {
  const waiting = new Map();
  let last = 0;
  let gone = child.exitCode !== null || child.signalCode !== null;
  child.on('message', ({ id, value }) => waiting.get(id)?.resolve(value));
  child.on('error', () => {});
  child.once('exit', () => {
    gone = true;
    for (const { reject } of waiting.values()) reject(new Lost('ended'));
  });

  return {
    ask(name, withinMs = stuckMs) {
      if (gone) return Promise.reject(new Lost('ended'));
      last += 1;
      const id = last;
      const answered = new Promise((resolve, reject) => {
        const stuck = setTimeout(() => reject(new Lost('stuck')), withinMs);
        waiting.set(id, { resolve, reject, stuck });
        child.send({ id, name }, (error) => error && reject(new Lost('ended')));
      });
      return answered.finally(() => {
        clearTimeout(waiting.get(id).stuck);
        waiting.delete(id);
      });
    },
    kill: () => child.kill('SIGKILL'),
  };
}

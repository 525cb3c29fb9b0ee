// What test files that share a process open once, and close after the last of them. Programs without jest import it
// too.

const endings: (() => Promise<unknown>)[] = [];
let isGroup = false;

/** Call it before the first file is loaded. Returns what closes everything. */
export function beginGroup(): () => Promise<void> {
  isGroup = true;
  return async () => {
    for (const end of endings.splice(0)) await end();
  };
}

/** Whether files share this process one after the other: `end` is then called after the last of them. */
export function whenGroupEnds(end: () => Promise<unknown>): boolean {
  if (isGroup) endings.push(end);
  return isGroup;
}

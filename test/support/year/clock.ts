// The clocks of the year: race time and the wall clock, one argument each. Both advance like the machine's clock and
// are stepped ahead; PostgreSQL reads the same offset from a file (scripts/year/servers.mjs), so it agrees with them to
// the millisecond.
import { renameSync, writeFileSync } from 'node:fs';

export interface SteppedClock {
  /** Race time, epoch milliseconds. */
  now(): number;
  /** The wall clock (D37), epoch milliseconds: in production both are the same instant. */
  wallMs(): number;
  /** Steps ahead to this instant, and never back. Resolves once the listeners have followed. */
  to(ms: number): Promise<void>;
}

/** `stepped`: called with each step, in milliseconds. */
export function createSteppedClock(
  file: string,
  beginMs: number,
  stepped: (byMs: number) => Promise<void>,
): SteppedClock {
  let aheadMs = 0;
  const setAhead = (ms: number): void => {
    aheadMs = ms;
    writeFileSync(`${file}.new`, `${ms < 0 ? '' : '+'}${(ms / 1000).toFixed(3)}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  const wallMs = (): number => Date.now() + aheadMs;
  setAhead(beginMs - Date.now());
  return {
    now: wallMs,
    wallMs,
    async to(ms) {
      const byMs = ms - wallMs();
      if (byMs <= 0) return;
      setAhead(aheadMs + byMs);
      await stepped(byMs);
    },
  };
}

// A table that moves: redrawn in place on a terminal, written again after each change elsewhere.
import { createLogUpdate } from 'log-update';
import { type Io, isTerminal, widthIn, write } from '../io/io.ts';
import { paintFor } from '../text/paint.ts';
import type { Shown } from './live.ts';
import type { Frame } from './race-table.ts';

/** Null: there is nothing more to show. */
type Draw<S> = (shown: S, frame: Frame) => string[];

export const frameOf = ({ out, env }: Io): Frame => ({
  width: widthIn(out),
  paint: paintFor(isTerminal(out, env), env),
});

export const print = (io: Io, lines: readonly string[]): Promise<void> => write(io, `${lines.join('\n')}\n`);

/** Draws each look, and every second between them. `isLast`: with this look it ends. */
export async function watch<S extends Shown>(
  io: Io,
  looks: AsyncIterable<S>,
  draw: Draw<S>,
  isLast: (shown: S) => boolean = () => false,
): Promise<void> {
  const screen = isTerminal(io.out, io.env) ? redrawn(io, draw) : repeated(io, draw);
  try {
    for await (const shown of looks) {
      await screen.show(shown);
      if (isLast(shown)) return;
    }
  } finally {
    screen.close();
  }
}

interface Screen<S> {
  show(shown: S): Promise<void>;
  close(): void;
}

function redrawn<S>(io: Io, draw: Draw<S>): Screen<S> {
  const update = createLogUpdate(io.out as NodeJS.WriteStream);
  let last: S | null = null;
  const render = (): void => {
    if (last) update(fitted(draw(last, frameOf(io)), io.out.rows ?? 24).join('\n'));
  };
  const timer = setInterval(render, 1000);
  return {
    async show(shown) {
      io.signal.throwIfAborted();
      last = shown;
      render();
    },
    close() {
      clearInterval(timer);
      update.done();
    },
  };
}

/** The last line of the terminal stays empty. */
function fitted(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return lines;
  return room < 3 ? lines.slice(0, room) : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} lines more`];
}

/** Ages alone are no change. */
function repeated<S extends Shown>(io: Io, draw: Draw<S>): Screen<S> {
  let before = '';
  return {
    async show(shown) {
      const facts = JSON.stringify(shown.races, (name, value) => (AGES.has(name) ? undefined : value));
      if (facts === before) return;
      before = facts;
      await print(io, [...draw(shown, frameOf(io)), '']);
    },
    close() {},
  };
}

const AGES = new Set([
  'last_update',
  'age_seconds',
  'data_age_seconds',
  'freshest_age_seconds',
  'cached',
  'cache_age_seconds',
]);

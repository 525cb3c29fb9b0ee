// Colours, where the terminal and the reader want them. They repeat what the text states, and add nothing to it.
import { styleText } from 'node:util';

export type Look = 'best' | 'stale' | 'quiet' | 'strong';
export type Paint = (look: Look, text: string) => string;

const STYLES = { best: ['bold', 'green'], stale: ['yellow'], quiet: ['dim'], strong: ['bold'] } as const;

/** Of NO_COLOR (no-color.org) only a value that is not empty counts. */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  if (!isTerminal || env.NO_COLOR) return (_, text) => text;
  return (look, text) => styleText([...STYLES[look]], text, { validateStream: false });
}

// The clients in docs/stream.md, as readers have them.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const TEXT = readFileSync(join(__dirname, '../../../docs/stream.md'), 'utf8');

/** The only block of the guide in this language. */
export const blockOf = (language: 'ts' | 'python'): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(TEXT)![1]!;

// biome-ignore lint/suspicious/noExplicitAny: JSON of a race.
export type WireRace = Record<string, any>;

interface DocsBoard {
  readonly races: Map<string, WireRace>;
  readonly staleAfterSeconds: Readonly<Record<string, number>>;
  apply(event: string, data: unknown): void;
}

interface DocsClient {
  readonly Board: new () => DocsBoard;
  follow(url: string, key: string, board: DocsBoard, changed: (id: string) => void): Promise<void>;
}

const script = stripTypeScriptTypes(blockOf('ts')).replaceAll(/^export /gm, '');

export const { Board, follow }: DocsClient = new Function(`${script}\nreturn { Board, follow };`)();

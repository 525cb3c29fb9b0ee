// The fenced blocks of the pages that customers read, and what runs each of them. In a guide the blocks of a language
// are one program, which `test/web/guides.test.ts` runs; every other block is named here.
import { GUIDES } from '../../../src/web/guides/guides';
import { guideSource } from '../../../src/web/guides/page';

export interface Block {
  /** Below `docs`. */
  readonly page: string;
  /** Empty: none is named. */
  readonly language: string;
  readonly code: string;
}

/** The test that runs it, or why none can. */
type Proof = { readonly by: string } | { readonly reason: string };

export const HERE = { by: 'test/web/guide-blocks.test.ts' } as const;
const STREAM = { by: 'test/api/operations/changes/racing-changes-stream.guide.test.ts' } as const;

/** By page, then by how the block begins, in the order of the page. */
export const APART: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  'guides/command-line.md': {
    'npm install': HERE,
    'odds next': HERE,
    'odds follow': HERE,
    'odds replay': HERE,
    'odds download': HERE,
    'data/dataset=': HERE,
  },
  'guides/first-call.md': {
    'export ODDS_API_KEY=': { reason: 'A reader puts in the key; every program that follows reads it from there.' },
  },
  'guides/mcp.md': {
    'claude mcp add': HERE,
    '{\n  "inputs"': HERE,
    '{\n  "mcpServers"': HERE,
    'npx @modelcontextprotocol': { by: 'test/api/mcp/inspector.test.ts' },
  },
  'guides/webhook-signatures.md': { 'secret  ': HERE },
  'stream.md': { 'curl -sN': HERE, 'type Data': STREAM, 'import http.client': STREAM },
  'webhooks.md': {
    'curl -s "https': HERE,
    'curl -s -X POST': HERE,
    '{"event":"odds.change"': HERE,
    'import { createServer }': { by: 'test/web/guides.test.ts' },
  },
  'widgets.md': {
    'curl -s https': HERE,
    '<iframe': HERE,
    '<script>': { by: 'test/web/widget-browser.test.ts' },
    'const response': HERE,
  },
};

/** Without the READMEs of clients: their programs are the examples that the tests of the packages run. */
export const PAGES: readonly string[] = GUIDES.map(({ file }) => file).filter(
  (file) => !file.startsWith('../clients/'),
);

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export const blocksOf = (page: string): readonly Block[] =>
  [...guideSource({ file: page }).matchAll(FENCE)].map(([, language = '', code = '']) => ({ page, language, code }));

/** How the block is named here; undefined: it is part of a program of its guide. */
export const nameOf = ({ page, code }: Block): string | undefined =>
  Object.keys(APART[page] ?? {}).find((start) => code.startsWith(start));

/** The only one that begins so. */
export function blockNamed(page: string, name: string): Block {
  const [found, another] = blocksOf(page).filter((block) => nameOf(block) === name);
  if (!found || another) throw new Error(`${page} has ${found ? 'two blocks' : 'no block'} that begin with ${name}`);
  return found;
}

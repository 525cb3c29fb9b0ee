// The inspector of MCP servers, as people run it from a shell: another client than the service’s own tests use, with
// its rules for schemas that every host of models takes.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolsOf } from '../../../src/api/mcp/tools';
import { ENDPOINTS } from '../../../src/api/operations';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { ensureInspector } from '../../support/clients/tools';
import { blockNamed } from '../../support/docs/blocks';

const run = promisify(execFile);

let served: Served;
let folder: string;
let key: string;
let program: string;

beforeAll(async () => {
  program = join(
    await ensureInspector(),
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  folder = mkdtempSync(join(tmpdir(), 'inspector-'));
  served = await serve();
  await seedEverything(served.db);
  key = await served.addKey({ plan: 'platform' });
});
afterAll(async () => {
  await served?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** What it prints. */
async function inspect(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const target = [
    '--cli',
    '--server-url',
    `${served.api.url}/mcp`,
    '--transport',
    'http',
    '--header',
    `X-API-Key: ${key}`,
  ];
  // It keeps a catalogue and its state below the home folder.
  const env = { ...process.env, HOME: folder, MCP_CATALOG_PATH: join(folder, 'mcp.json') };
  return run(process.execPath, [program, ...target, ...args], { env, maxBuffer: 2 ** 24 });
}

test('it lists every tool, and its strict rules find nothing', async () => {
  const { stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
  const { tools } = JSON.parse(stdout);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(toolsOf(ENDPOINTS).map(({ name }) => name));
  expect(stderr).not.toMatch(/^(?:Error|Warning): /m);
});

test('it calls a tool, and gets a prompt and the reference', async () => {
  const called = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'racing_next_to_go',
    '--tool-arg',
    'num_races=1',
  );
  expect(JSON.parse(JSON.parse(called.stdout).content[0].text)).toHaveLength(1);
  const prompt = await inspect('--method', 'prompts/get', '--prompt-name', 'who_moved');
  expect(JSON.parse(prompt.stdout).messages[0].content.text).toContain('racing_movers');
  const read = await inspect('--method', 'resources/read', '--uri', 'https://api.example.com/llms.txt');
  expect(JSON.parse(read.stdout).contents[0].text).toContain('# Racing Odds Service');
});

test('the command of guides/mcp.md lists the tools', async () => {
  const { code } = blockNamed('guides/mcp.md', 'npx @modelcontextprotocol');
  const line = code.replace('https://api.example.com', served.api.url);
  // `npx` finds the same package, after a download.
  const npx = 'npx() { [ "$1" = @modelcontextprotocol/inspector ] && shift && "$NODE" "$PROGRAM" "$@"; }';
  const paths = { NODE: process.execPath, PROGRAM: program, HOME: folder, MCP_CATALOG_PATH: join(folder, 'mcp.json') };
  const env = { ...process.env, ...paths, ODDS_API_KEY: key };
  const { stdout } = await run('bash', ['-c', `${npx}\n${line}`], { env, maxBuffer: 2 ** 24 });
  expect(JSON.parse(stdout).tools).toHaveLength(toolsOf(ENDPOINTS).length);
});

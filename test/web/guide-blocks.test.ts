// Every block of the pages that customers read is run: those that are no programs of a guide run here, against the
// service, as a reader runs them. Hosts of language models do not run: their settings are read, and called as they say.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { newKey } from '../support/api/api';
import { APART, blockNamed, blocksOf, HERE, nameOf, PAGES } from '../support/docs/blocks';
import { feedField } from '../support/races/builders';
import { until } from '../support/races/stream-lab';
import { BASE_URL, type BoardWorld, createBoardWorld } from './board-world';
import { EXPORTS, INSTALL, LINES, packOdds, type TypedLine, typed } from './guide-commands';

const EXAMPLE = 'https://api.example.com';
/** `guides.test.ts` runs all blocks of a guide in these. */
const IN_PROGRAMS = new Set(['sh', 'ts', 'python', 'php']);
const PLANS = ['free', 'standard', 'plus', 'business', 'platform'] as const;

let world: BoardWorld;
let folder: string;
let pastRaceId: string;
const keys = new Map<string, string>(PLANS.map((plan) => [plan, newKey()]));
const ran = new Set<string>();
const lines: TypedLine[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-blocks-'));
  mkdirSync(join(folder, 'bin'));
  world = await createBoardWorld({ charges: true });
  for (const [plan, key] of keys) await world.addKey(key, { plan });
  [pastRaceId = ''] = await world.addArchivedDays();
  for (const [venue, raceNumber] of [
    ['Flemington', 4],
    ['Randwick', 5],
  ] as const) {
    const raceId = await world.list(10 * raceNumber, { venue, raceNumber, country: 'AU' });
    await world.poll(raceId, 'tab', feedField(2.5, 4.2));
  }
});
afterAll(async () => {
  for (const line of lines) line.interrupt();
  await world.close();
  rmSync(folder, { recursive: true });
});

function shell(line: string, env: NodeJS.ProcessEnv = {}): TypedLine {
  const typedLine = typed(line, folder, env);
  lines.push(typedLine);
  return typedLine;
}

function apart(page: string, name: string): string {
  const { code } = blockNamed(page, name);
  ran.add(code);
  return code;
}

test('each line of the guide to the command line does what the guide says', async () => {
  const page = 'guides/command-line.md';
  const blocks = Object.keys(APART[page]!).map((name) => apart(page, name));
  const layout = blocks.pop()!;
  const written = blocks.flatMap((code) => code.trimEnd().split('\n'));
  expect(written).toEqual([INSTALL, EXPORTS, ...Object.keys(LINES)]);
  await packOdds(folder);
  const installed = shell(INSTALL);
  await until(() => installed.code !== null);
  expect(installed).toMatchObject({ code: 0 });
  const running = Object.entries(LINES).map(([line, expected]) => {
    const exports = EXPORTS.replace(EXAMPLE, world.url).replace('…', keys.get(expected.plan)!);
    return { line, expected, run: shell(`${exports}\n${line.replace('5b6f…', pastRaceId)}`) };
  });
  for (const { line, expected, run } of running) {
    const { prints, writes: [file, contents] = [], stays } = expected;
    const writtenTo = () =>
      file === undefined || !existsSync(join(folder, file)) ? '' : readFileSync(join(folder, file), 'utf8');
    await until(
      () => run.code !== null || (stays === true && prints.test(run.text) && (contents?.test(writtenTo()) ?? true)),
    );
    expect([line, run.code, run.text]).toEqual([line, stays ? null : 0, expect.stringMatching(prints)]);
    if (contents) expect([line, writtenTo()]).toEqual([line, expect.stringMatching(contents)]);
    run.interrupt();
    await until(() => run.code !== null);
    expect([line, run.code]).toEqual([line, stays ? 130 : 0]);
  }
  expect(existsSync(join(folder, layout.trim()))).toBe(true);
});

test('each host that the guide to MCP sets up calls the tools with the key', async () => {
  const page = 'guides/mcp.md';
  const key = keys.get('free')!;
  const asks = async (url: string, header: string): Promise<void> => {
    const [name, value] = header.split(/: ?/) as [string, string];
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { [name]: value } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url.replace(EXAMPLE, world.url)), { requestInit }));
    const { content, isError } = await client.callTool({ name: 'racing_next_to_go', arguments: { num_races: 1 } });
    expect([isError ?? false, (content as { text: string }[])[0]!.text]).toEqual([
      false,
      expect.stringContaining('Flemington'),
    ]);
    await client.close();
  };
  writeFileSync(join(folder, 'bin/claude'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const claude = shell(apart(page, 'claude mcp add'), { ODDS_API_KEY: key });
  await until(() => claude.code !== null);
  const [url, , header, ...rest] = claude.text.split('\n').slice(5);
  expect(claude.text).toMatch(/^mcp\nadd\n--transport\nhttp\nracing-odds\n/);
  expect(rest).toEqual(['']);
  await asks(url!, header!);
  const editor = JSON.parse(apart(page, '{\n  "inputs"'));
  const { type, url: served, headers } = editor.servers['racing-odds'];
  const [[name, value], ...others] = Object.entries(headers) as [[string, string]];
  expect([type, others, value]).toEqual(['http', [], `\${input:${editor.inputs[0].id}}`]);
  await asks(served, `${name}: ${key}`);
  const { args, env } = JSON.parse(apart(page, '{\n  "mcpServers"')).mcpServers['racing-odds'];
  expect([args[1], args[3], Object.keys(env)]).toEqual(['mcp-remote', '--header', ['ODDS_API_KEY']]);
  expect(env.ODDS_API_KEY).toMatch(/^pe_live_/);
  await asks(args[2], args[4].replace(/\$\{ODDS_API_KEY\}/, key));
});

/** What a block of curl prints, as JSON. */
async function curled(page: string, name: string, plan: string, edit = (line: string) => line): Promise<string> {
  const key = keys.get(plan)!;
  const line = edit(apart(page, name).replaceAll(EXAMPLE, world.url));
  const sent = shell(line.replace('curl', 'curl --fail'), { ODDS_API_KEY: key, KEY: key, URL: world.url });
  await until(() => sent.code !== null);
  expect([line, sent.code, sent.text]).toEqual([line, 0, expect.anything()]);
  return sent.text;
}

test('the calls of the pages are answered as they say', async () => {
  const webhook = JSON.parse(await curled('webhooks.md', 'curl -s "https', 'plus'));
  expect(webhook).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ['race.result'] });
  const edit = (line: string) => line.replace('wh_3f9a1c07b2d4', webhook.id);
  const sent = JSON.parse(await curled('webhooks.md', 'curl -s -X POST', 'plus', edit));
  const headers = { 'X-API-Key': keys.get('plus')! };
  const listed = await fetch(`${world.url}/v1/webhooks/${webhook.id}/deliveries`, { headers });
  const [delivery] = (await listed.json()) as { id: string; payload: object }[];
  expect(sent.delivery_id).toBe(delivery!.id);
  const shown = JSON.parse(apart('webhooks.md', '{"event":"odds.change"'));
  expect(delivery!.payload).toEqual({ ...shown, sent_at: expect.any(String) });
  const replayed = (await curled('stream.md', 'curl -sN', 'plus')).trimEnd().split('\n');
  const events = replayed.filter((line) => line !== '').map((line) => JSON.parse(line));
  for (const one of events) expect(Object.keys(one)).toEqual(['id', 'event', 'data']);
  expect([events[0].data.race_count, events.at(-1).event]).toEqual([2, 'end']);
});

test('the widget of its page is created, pasted and filled as the page says', async () => {
  const widget = JSON.parse(await curled('widgets.md', 'curl -s https', 'platform'));
  const own = (text: string) => text.replaceAll('we_k3v7d2mxq7hs5tnc4wzb6yprfa', widget.embed_id);
  const pasted = own(apart('widgets.md', '<iframe')).trim();
  expect(widget.embed_html.replaceAll(BASE_URL, EXAMPLE)).toBe(pasted);
  const program = own(apart('widgets.md', 'const response')).replaceAll(EXAMPLE, world.url);
  // As a browser sends it from a site of the widget.
  const asSite = (url: string) => fetch(url, { headers: { Origin: 'https://www.example.com' } });
  const filled = `return (async () => { ${program} return { as_of, races, delayed, age_seconds, next_fill_in_seconds }; })()`;
  const { races, ...rest } = await new Function('fetch', filled)(asSite);
  expect(rest).toEqual({
    as_of: expect.any(String),
    delayed: false,
    age_seconds: expect.any(Number),
    next_fill_in_seconds: expect.any(Number),
  });
  expect(races.map(({ venue }: { venue: string }) => venue)).toEqual(['Flemington', 'Randwick']);
});

test('the vector of webhook signatures is that of the programs', () => {
  const page = 'guides/webhook-signatures.md';
  const values = apart(page, 'secret  ')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+\s+/, ''));
  expect(values).toHaveLength(5);
  const programs = blocksOf(page).filter((block) => nameOf(block) === undefined);
  expect(programs).toHaveLength(3);
  for (const { code } of programs) for (const value of values) expect(code).toContain(value);
});

test('every other block of every page was run here, is run by the test that is named, or has a reason', () => {
  expect(Object.keys(APART).filter((page) => !PAGES.includes(page))).toEqual([]);
  for (const page of PAGES) {
    const isGuide = page.startsWith('guides/');
    const others = blocksOf(page).filter(
      (one) => !isGuide || nameOf(one) !== undefined || !IN_PROGRAMS.has(one.language),
    );
    expect([page, ...others.map((block) => nameOf(block) ?? block)]).toEqual([page, ...Object.keys(APART[page] ?? {})]);
    for (const [name, proof] of Object.entries(APART[page] ?? {})) {
      const test = 'by' in proof ? proof.by : null;
      if (test === HERE.by) expect([page, name, ran.has(blockNamed(page, name).code)]).toEqual([page, name, true]);
      else if (test) expect(readFileSync(join(__dirname, '../..', test), 'utf8')).toContain(page);
    }
  }
});

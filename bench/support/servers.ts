// Servers that a bench puts load on, each a process of its own, so that neither's code is optimised for the other: the
// API as it runs, with its metrics, and a bare Koa route that sends given bytes. Both report their CPU.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type Koa from 'koa';
import { nextMessage } from './child-reply';

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** CPU seconds used so far, user and system. */
  cpuSeconds(): Promise<number>;
  stop(): void;
}

export interface BareServer extends Server {
  /** What it sends from now on, to any request. */
  send(body: Buffer, encoding?: string): Promise<void>;
}

/** `key` becomes a valid key of the plan Plus. */
export const startApiServer = (databaseUrl: string, key: string): Promise<Server> => started('api', [databaseUrl, key]);

/** With limits and credits or without them; `isCached`: responses are cached within their second. */
export const startMeteringServer = (databaseUrl: string, key: string, isMetered: boolean, isCached: boolean) =>
  started('metering', [databaseUrl, key, String(isMetered), String(isCached)]);

export interface BuiltServer extends Server {
  /** What is left when its whole heap is collected. */
  collected(): Promise<NodeJS.MemoryUsage>;
}

const { DEPLOYED_NODE, DEPLOYED_ENVIRONMENT } = require('../../scripts/app/lean-memory.mjs') as {
  readonly DEPLOYED_NODE: readonly string[];
  readonly DEPLOYED_ENVIRONMENT: Readonly<Record<string, string>>;
};

const DEPLOYED = { flags: ['--expose-gc', ...DEPLOYED_NODE], env: { ...process.env, ...DEPLOYED_ENVIRONMENT } };

/**
 * As `startMeteringServer`, neither metered nor cached, or as `startApiServer` and started as the image starts it, in
 * one file as `npm run build` makes it. From the sources, the exports of every module add a first property to V8's
 * empty object; it keeps 1,536 of them, and behind those each row of a statement gets a hidden class of its own.
 */
export async function startBuiltServer(
  databaseUrl: string,
  key: string,
  role: 'metering' | 'api' = 'metering',
): Promise<BuiltServer> {
  const local = join(__dirname, '../../.local');
  mkdirSync(local, { recursive: true });
  const folder = mkdtempSync(join(local, 'bench-'));
  try {
    const { buildSync } = require('esbuild') as typeof import('esbuild');
    const outfile = join(folder, 'servers.js');
    const program = { bundle: true, packages: 'external', platform: 'node', format: 'cjs', target: 'node24' } as const;
    buildSync({ ...program, entryPoints: [__filename], outfile, logLevel: 'error' });
    const more = [databaseUrl, key, 'false', 'false'];
    const as = role === 'api' ? DEPLOYED : { flags: ['--expose-gc'] };
    const { child, ...server } = await started(role, more, { program: outfile, ...as });
    return {
      ...server,
      async collected() {
        child.send('collect');
        const [memory] = await once(child, 'message');
        return memory as NodeJS.MemoryUsage;
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Its clock stays where it is set, at first at 0, whatever the wall clock does. */
export interface SteppedServer extends Server {
  setClock(nowMs: number): Promise<void>;
}

export async function startSteppedServer(databaseUrl: string, key: string): Promise<SteppedServer> {
  const { child, ...server } = await started('stepped', [databaseUrl, key]);
  return {
    ...server,
    async setClock(nowMs) {
      child.send({ nowMs });
      await once(child, 'message');
    },
  };
}

/** Koa and one middleware that sets type and body: no router, no header beyond those. */
export async function startBareServer(): Promise<BareServer> {
  const { child, ...server } = await started('bare', []);
  return {
    ...server,
    async send(body, encoding = '') {
      child.send({ body: body.toString('base64'), encoding });
      await once(child, 'message');
    },
  };
}

interface Program {
  readonly program: string;
  readonly flags: string[];
  readonly env?: NodeJS.ProcessEnv;
}

const FROM_SOURCES = { program: __filename, flags: ['--import', 'tsx'] };

async function started(
  role: string,
  more: readonly string[],
  { program, flags, env = process.env }: Program = FROM_SOURCES,
): Promise<Server & { child: ChildProcess }> {
  const child = fork(program, [role, ...more], { execArgv: flags, env });
  const port = await nextMessage(child);
  return {
    child,
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    async cpuSeconds() {
      child.send('cpu');
      const [seconds] = await once(child, 'message');
      return Number(seconds);
    },
    stop: () => void child.kill(),
  };
}

async function listen(app: Koa): Promise<void> {
  // A crowd connects at once.
  const server = app.listen(0, '127.0.0.1', 4096);
  // As the API's own process: a client may pause between two rounds.
  server.keepAliveTimeout = 65_000;
  await once(server, 'listening');
  process.on('message', (message) => {
    if (message === 'collect') void collected().then((memory) => process.send!(memory));
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send!((user + system) / 1e6);
  });
  process.send!((server.address() as AddressInfo).port);
}

/** Twice: buffers go after the objects that had them. */
async function collected(): Promise<NodeJS.MemoryUsage> {
  gc!();
  await turn();
  gc!();
  return process.memoryUsage();
}

/** Modules are imported late: metrics first, as the API's entry does, and none of ours in a bare server. */
async function serveApi(databaseUrl: string, key: string, clock?: Clock, isMetered = false): Promise<void> {
  const { startMetrics } = require('../../src/telemetry/metrics') as typeof import('../../src/telemetry/metrics');
  const { resourceFromAttributes } = require('@opentelemetry/resources') as typeof import('@opentelemetry/resources');
  startMetrics(resourceFromAttributes({ 'service.name': 'api' }));
  const { apiOver } = require('./api-over') as typeof import('./api-over');
  await listen(await apiOver(databaseUrl, key, clock, isMetered));
}

type Clock = { now(): number; responsesCachedMs?: number };

function steppedClock(): Clock {
  let raceMs = 0;
  process.on('message', (message: 'cpu' | { nowMs: number }) => {
    if (message === 'cpu') return;
    raceMs = message.nowMs;
    process.send!('set');
  });
  return { now: () => raceMs, responsesCachedMs: Number.POSITIVE_INFINITY };
}

async function serveBare(): Promise<void> {
  const Application = require('koa') as typeof Koa;
  const app = new Application();
  let body = Buffer.from('[]');
  let encoding = '';
  app.use((ctx) => {
    ctx.type = 'application/json';
    if (encoding !== '') ctx.set('Content-Encoding', encoding);
    ctx.body = body;
  });
  process.on('message', (message: 'cpu' | { body: string; encoding: string }) => {
    if (message === 'cpu') return;
    body = Buffer.from(message.body, 'base64');
    encoding = message.encoding;
    process.send!('sent from now on');
  });
  await listen(app);
}

// Also when the bench is killed.
process.once('disconnect', () => process.exit());

const [, , role, databaseUrl = '', key = '', isMetered = '', isCached = ''] = process.argv;
if (role === 'api') void serveApi(databaseUrl, key);
if (role === 'stepped') void serveApi(databaseUrl, key, steppedClock());
if (role === 'metering') {
  const clock = { now: Date.now, ...(isCached === 'false' && { responsesCachedMs: 0 }) };
  void serveApi(databaseUrl, key, clock, isMetered === 'true');
}
if (role === 'bare') void serveBare();

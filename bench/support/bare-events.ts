// The reference of `bench/stream`: a bare HTTP server that keeps every response open, and writes a text to all of them
// as it is given it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nextMessage } from './child-reply';

export interface BareEvents {
  readonly url: string;
  readonly pid: number;
  send(text: string): void;
  stop(): void;
}

export async function startBareEvents(): Promise<BareEvents> {
  const child = fork(__filename, ['bare-events'], { execArgv: ['--import', 'tsx'] });
  const port = await nextMessage(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    send: (text) => void child.send(text),
    stop: () => void child.kill(),
  };
}

async function serve(): Promise<void> {
  const open = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('event: state\n\n');
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  process.on('message', (text: string) => {
    const bytes = Buffer.from(text);
    for (const response of open) response.write(bytes);
  });
  process.send!((server.address() as AddressInfo).port);
}

if (process.argv[2] === 'bare-events') void serve();

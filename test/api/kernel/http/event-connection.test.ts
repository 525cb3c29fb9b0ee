// One stream whose client reads nothing, beside one whose client does, over real HTTP.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import { chunkOf } from '../../../../src/api/kernel/http/response/chunk';
import { EventConnection } from '../../../../src/api/kernel/http/response/event-connection';

const EVENT = Buffer.from(`data: ${'x'.repeat(64 * 1024)}\n\n`);
const DURING_OPENING = 32;
const LARGE = Buffer.concat(Array.from({ length: DURING_OPENING }, () => EVENT));
const BOUNDS = { mostWaiting: 1024 * 1024, mostDuringOpening: 2 * 1024 * 1024, lingerMs: 20 };
const LAST = Buffer.from('event: error\ndata: too slow\n\n');
const GIVE_UP_AFTER = 2000;

test('a client that reads nothing has a bounded buffer and then gets the last event; others get theirs', async () => {
  const opened: EventConnection[] = [];
  const app = new Koa();
  const begun = Promise.withResolvers<void>();
  app.use(async (ctx) => {
    ctx.state.headers = [];
    const connection = new EventConnection(ctx, BOUNDS, () => LAST);
    opened.push(connection);
    // More than may wait later, and a single event larger than that.
    for (let i = 1; i < DURING_OPENING; i++) connection.send(EVENT);
    await connection.begin([EVENT]);
    connection.send(LARGE);
    if (opened.length === 2) begun.resolve();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const idle = connect(port, '127.0.0.1', () => idle.write(ask)).on('error', () => {});
  try {
    while (opened.length < 1) await new Promise(setImmediate);
    const reader = connect(port, '127.0.0.1', () => reader.write(ask));
    let taken = 0;
    reader.on('data', (bytes) => {
      taken += bytes.length;
    });
    await begun.promise;
    let ended = 0;
    opened[0]!.onEnd(() => ended++);
    let sent = 2 * DURING_OPENING;
    while (taken < sent * EVENT.length) await new Promise(setImmediate);
    for (; opened[0]!.isOpen && sent < GIVE_UP_AFTER; sent++) {
      for (const one of opened) one.send(EVENT);
      while (taken < sent * EVENT.length) await new Promise(setImmediate);
    }
    expect([sent < GIVE_UP_AFTER, ended, opened[1]!.isOpen]).toEqual([true, 1, true]);
    const rest = once(reader, 'close');
    opened[1]!.end(LAST);
    await rest;
    opened[1]!.send(EVENT);
    // Including HTTP's framing.
    expect(taken).toBeGreaterThan(sent * EVENT.length + LAST.length);
  } finally {
    idle.destroy();
    server.closeAllConnections();
    server.close();
  }
});

test('a framed event follows the head, also if nothing was sent before it', async () => {
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.state.headers = [];
    const connection = new EventConnection(ctx, BOUNDS, () => LAST);
    await connection.begin([]);
    const { bytes, framed } = chunkOf([EVENT]);
    connection.send(bytes, framed);
    connection.end(LAST);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(`${EVENT}${LAST}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('framed and plain events arrive as one text, in their order, in chunks and without them (HTTP/1.0)', async () => {
  const app = new Koa();
  const texts = Array.from({ length: 40 }, (_, i) => `data: ${i} ${'ö'.repeat(i * 50)}\n\n`);
  app.use(async (ctx) => {
    ctx.state.headers = [];
    const connection = new EventConnection(ctx, BOUNDS, () => LAST);
    const send = (text: string, i: number): void => {
      const { bytes, framed } = chunkOf([Buffer.from(text)]);
      connection.send(bytes, i % 3 === 0 ? undefined : framed);
    };
    // The first ten wait for the end of the opening.
    texts.slice(0, 10).forEach(send);
    await connection.begin([Buffer.from('data: opening\n\n')]);
    texts.slice(10).forEach(send);
    connection.end(LAST);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const expected = `data: opening\n\n${texts.join('')}${LAST}`;
  try {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(expected);
    const old = connect(port, '127.0.0.1', () => old.write('GET / HTTP/1.0\r\n\r\n'));
    const [, body] = Buffer.concat(await old.toArray())
      .toString()
      .split(/\r\n\r\n(.*)/s);
    expect(body).toBe(expected);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

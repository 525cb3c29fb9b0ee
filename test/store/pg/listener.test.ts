import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Listener, listenTo } from '../../../src/store/pg/listener';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { tcpLine } from '../../support/servers/tcp-line';

let db: TestDatabase;
let listener: Listener | undefined;
beforeAll(async () => {
  db = await createTestDatabase(2);
});
afterAll(async () => {
  await listener?.close();
  await db.drop();
});

test('a silent connection is noticed, and once it answers again every notification arrives', async () => {
  const line = await tcpLine(db.url);
  const happened: string[] = [];
  let wake = (): void => {};
  const until = async (event: string): Promise<void> => {
    while (!happened.includes(event)) {
      await new Promise<void>((done) => {
        wake = done;
      });
    }
  };
  const note = (event: string): void => {
    happened.push(event);
    wake();
  };
  const events = { up: () => note('up'), down: () => note('down'), notified: note };
  const pace = { probeEveryMs: 50, probeWithinMs: 500, firstRetryMs: 10, lastRetryMs: 100 };
  try {
    listener = listenTo(line.url, 'test_channel', events, pace);
    await until('up');
    await db.pool.query("SELECT pg_notify('test_channel', 'one'), pg_notify('another', 'none')");
    await until('one');
    happened.length = 0;
    line.silence();
    await until('down');
    happened.length = 0;
    await line.mend();
    await until('up');
    await db.pool.query("SELECT pg_notify('test_channel', 'two')");
    await until('two');
    happened.length = 0;
    await listener.close();
    expect(happened).toContain('down');
  } finally {
    await listener?.close();
    await line.close();
  }
});

test('a listener closes while it connects', async () => {
  const mute = createServer((socket) => void socket.on('error', () => socket.destroy()).resume());
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const url = `postgres://login@127.0.0.1:${(mute.address() as AddressInfo).port}/none`;
  const events = { up: () => {}, down: () => {}, notified: () => {} };
  const pace = { probeEveryMs: 50, probeWithinMs: 600_000, firstRetryMs: 10, lastRetryMs: 100 };
  const listener = listenTo(url, 'test_channel', events, pace);
  await once(mute, 'connection');
  await listener.close();
  mute.close();
});

// A client on the bare socket: sends bytes unchanged, right or wrong, and collects what comes back. It never throws for
// anything the server does.
import { connect } from 'node:net';
import { responseReader } from './responses.mjs';

/** Longer than any standstill of the machine. */
const PATIENCE_MS = 10_000;
/** How long a surplus response may take after the last expected one. */
const LINGER_MS = 3;
const CLOSE_WITHIN_MS = 2_000;

/**
 * A hundred connections come from one address, because the API limits those of each address. Only Linux has more than
 * one loopback address.
 */
const FROM_ONE = 100;
const SEVERAL = process.platform === 'linux';

/** The addresses from and to which the connection with this number is opened. */
export const placeOf = (place, i) =>
  SEVERAL && i >= FROM_ONE ? { ...place, localAddress: `127.0.0.${1 + Math.floor(i / FROM_ONE)}` } : place;

/**
 * One connection. `ending`: what follows the last byte sent, `read`, `cut` (FIN) or `reset` (RST). `untilClose`: wait
 * for the server to close. `beforeLast` is awaited before the last part is sent. Returns the responses, how it ended
 * (`done`, `closed`, `refused`, `silent`) and any fault in reading it.
 * @param {import('node:net').TcpNetConnectOpts} place
 * @param {any} one
 * @param {(() => Promise<unknown>) | null} [beforeLast]
 */
export function exchange(place, one, beforeLast = null) {
  const { sends, requests, ending = 'read', untilClose = false, patienceMs = PATIENCE_MS } = one;
  return new Promise((resolve) => {
    const socket = connect({ ...place, noDelay: true });
    const reader = responseReader(requests.map(({ method }) => method));
    let connected = false;
    let timer = setTimeout(() => finish('silent'), patienceMs);
    const finish = (end) => {
      clearTimeout(timer);
      socket
        .removeAllListeners()
        .on('error', () => {})
        .destroy();
      const over = end === 'done' ? null : reader.end();
      resolve({ answers: reader.answers, end, unreadable: ending === 'read' ? over : null });
    };
    const finishIn = (ms, end) => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(end), ms);
    };
    socket.once('connect', async () => {
      connected = true;
      await sendAll(socket, sends, beforeLast);
      if (ending === 'read') return;
      finishIn(CLOSE_WITHIN_MS, 'closed');
      if (ending === 'cut') socket.end();
      else socket.resetAndDestroy();
    });
    socket.on('data', (chunk) => {
      reader.push(chunk);
      if (ending !== 'read' || reader.answers.length < requests.length) return;
      finishIn(untilClose ? CLOSE_WITHIN_MS : LINGER_MS, 'done');
    });
    // An error is always followed by a close.
    socket.on('error', () => {});
    socket.on('close', () => finish(connected ? 'closed' : 'refused'));
    socket.on('end', () => finish('closed'));
  });
}

async function sendAll(socket, sends, beforeLast) {
  for (const bytes of sends) {
    if (beforeLast && bytes === sends.at(-1)) await beforeLast();
    await new Promise((done) => socket.write(bytes, done));
  }
}

/**
 * A connection that stays open: nothing is read from it after `sends` has been sent, and `every` is sent repeatedly.
 * @param {import('node:net').TcpNetConnectOpts} place
 * @param {{ sends: Buffer[], every?: string, everyMs?: number }} how
 */
export function keepOpen(place, { sends, every, everyMs = 1_000 }) {
  return new Promise((resolve) => {
    const socket = connect({ ...place, noDelay: true });
    socket.pause();
    let drip;
    const close = () => {
      clearInterval(drip);
      socket.destroy();
    };
    socket.on('error', () => clearInterval(drip));
    socket.once('close', () => {
      clearInterval(drip);
      resolve(null);
    });
    socket.once('connect', () => {
      for (const bytes of sends) socket.write(bytes);
      if (every) drip = setInterval(() => socket.write(every), everyMs);
      resolve({ port: socket.localPort, close });
    });
  });
}

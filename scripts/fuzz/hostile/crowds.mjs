// More connections than the API accepts, from one address and from all: the surplus must be closed, while other
// addresses and connected clients are served. It needs many addresses of the loopback network, which only Linux has.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asked, bytesOf } from './requests.mjs';
import { exchange } from './wire.mjs';

const HEALTH = { target: '/healthz' };
/** Connections beyond each limit. */
const BEYOND = 20;
/** Opened at once: fewer than can wait for `accept`. */
const AT_ONCE = 100;
/** The battery's own earlier connections. */
const OWN = 10;
const ROOM_WITHIN_MS = 20_000;
const LOOK_MS = 100;

/** Returns the most connections that were held. */
export async function crowd(battery) {
  const { target, found, progress, signal } = battery;
  let held = [];
  await progress.step('Opened more connections than are accepted', async () => {
    try {
      held = await fill(target, (fault, detail) => found.add('crowds', fault, detail), signal);
      for (const one of held) one.close();
      await servesAgain(target, found, signal);
    } catch (error) {
      found.add('crowds', await target.again(error), 'more connections than are accepted');
    }
  });
  return held.length;
}

async function fill(target, add, signal) {
  const { total, perAddress } = target.setup().connections;
  const place = target.place();
  const held = await holdMany(place, addressOf(0), perAddress + BEYOND, signal);
  judge(held.length, perAddress, perAddress, 'of one address', add);
  for (let i = 1; held.length <= total && i <= Math.ceil(total / perAddress); i += 1) {
    const more = await holdMany(place, addressOf(i), Math.min(perAddress, total + BEYOND - held.length), signal);
    if (i === 1 && more.length === 0) add('keeps another address out', `${held.length} connections of ${addressOf(0)}`);
    held.push(...more);
  }
  judge(held.length, total - OWN, total, 'in all', add);
  if (held.length > 0 && !(await held[0].isServed()))
    add('does not serve who is connected', `${held.length} connections`);
  return held;
}

function judge(count, least, most, whose, add) {
  if (count > most) add(`accepts more than ${most} connections ${whose}`, `${count} or more`);
  if (count < least) add(`accepts fewer than ${least} connections ${whose}`, `${count}`);
}

const addressOf = (i) => `127.0.1.${i + 1}`;

/** The connections, out of `count`, that were served. */
async function holdMany(place, localAddress, count, signal) {
  const held = [];
  for (let left = count; left > 0; left -= AT_ONCE) {
    signal.throwIfAborted();
    const some = Array.from({ length: Math.min(left, AT_ONCE) }, () => hold(place, localAddress));
    held.push(...(await Promise.all(some)).filter((one) => one !== null));
  }
  return held;
}

/** A connection on which one request was answered; null if it was closed. */
async function hold(place, localAddress) {
  const socket = connect({ ...place, localAddress, noDelay: true });
  socket.on('error', () => {});
  const isServed = () =>
    new Promise((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      socket.write(bytesOf(HEALTH));
    });
  return (await isServed()) ? { isServed, close: () => socket.destroy() } : null;
}

async function servesAgain(target, found, signal) {
  const before = Date.now();
  /** @type {any} */
  let answer = null;
  while (answer?.answers[0]?.status !== 200) {
    if (Date.now() - before > ROOM_WITHIN_MS) {
      found.add('crowds', 'does not serve afterwards', `GET /healthz: ${answer?.answers[0]?.status ?? answer?.end}`);
      return;
    }
    answer = await exchange(target.place(), { sends: [bytesOf(HEALTH)], requests: [asked(HEALTH)] });
    await sleep(LOOK_MS, undefined, { signal });
  }
}

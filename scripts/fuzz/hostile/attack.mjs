// One kind of hostile requests, case by case: sends each, judges the answers, measures the process. A case counts as
// slow only if all three tries were slow. If the process ends, it continues with a new one.
import { faultsOfExchange } from './judge.mjs';
import { megabytes } from './limits.mjs';
import { exchange, placeOf } from './wire.mjs';

const TRIES = 3;
/** A kind whose requests end the process this often is abandoned: every start takes time. */
const MOST_ENDS = 3;

export async function attack(kind, battery) {
  const figures = { requests: 0, worstMs: 0, grownBytes: 0, ends: 0 };
  await battery.progress.step(`Sent ${kind.title}`, async () => {
    await sendAll(kind, battery, figures);
    await measureHeap(kind, battery, figures);
  });
  return figures;
}

async function sendAll(kind, battery, figures) {
  const { target, found, signal } = battery;
  let cases = casesOf(kind, target);
  for (let i = 0; i < cases.length; i += 1) {
    signal.throwIfAborted();
    if (figures.ends === MOST_ENDS) {
      found.add(kind.name, 'the rest was left out, because its requests end the process', `${cases.length - i} cases`);
      return;
    }
    const ends = figures.ends;
    await sendOne(kind, cases[i], battery, figures);
    // The same cases in the same order, with the keys of the new process.
    if (figures.ends > ends) cases = casesOf(kind, target);
  }
}

function casesOf(kind, target) {
  const setup = target.setup();
  return [...kind.cases({ ...setup, random: setup.random() })];
}

async function sendOne(kind, one, { target, limits, found }, figures) {
  try {
    const { faults, turnMs } = await tried(one, target, limits, figures);
    for (const fault of faults) found.add(kind.name, fault, one.name);
    figures.worstMs = Math.max(figures.worstMs, turnMs);
  } catch (error) {
    figures.ends += 1;
    found.add(kind.name, await target.again(error), one.name);
  }
}

// The quickest of three tries, and the faults of that try.
async function tried(one, target, { turnMs: most }, figures) {
  let best = await tryOnce(one, target, most, figures);
  for (let i = 1; i < TRIES && best.again; i += 1) {
    const next = await tryOnce(one, target, most, figures);
    if (next.turnMs < best.turnMs) best = next;
  }
  if (best.turnMs > most) best.faults.push(`works more than ${most} ms of CPU without a turn of the event loop`);
  return best;
}

async function tryOnce(one, target, most, figures) {
  const exchanges = await sent(one, target.place());
  const turnMs = await target.ask('turns');
  figures.requests += exchanges.length * one.requests.length;
  const { documented } = target.setup();
  const answered = exchanges.flatMap((each) => faultsOfExchange(one, each, documented));
  const inside = target.failures().map((line) => `is a failure in the log: ${line}`);
  const silent = exchanges.some(({ end }) => end === 'silent');
  return { faults: [...new Set([...answered, ...inside])], turnMs, again: turnMs > most || silent };
}

function sent(one, place) {
  const { connections = 1 } = one;
  const beforeLast = one.together ? allAt(connections) : null;
  return Promise.all(Array.from({ length: connections }, (_, i) => exchange(placeOf(place, i), one, beforeLast)));
}

/** By then everything sent has been read. */
const READ_MS = 100;
/** A connection that was not accepted never arrives. */
const ALL_WITHIN_MS = 2_000;

// Resolves for all of them at the same time.
function allAt(count) {
  const { promise, resolve } = Promise.withResolvers();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === 1) setTimeout(resolve, ALL_WITHIN_MS);
    if (arrived === count) setTimeout(resolve, READ_MS);
    return promise;
  };
}

async function measureHeap({ name }, { target, limits, found }, figures) {
  try {
    for (let i = 0; i < TRIES; i += 1) {
      figures.grownBytes = await target.grown();
      if (figures.grownBytes <= limits.grownBytes) return;
      await new Promise((done) => setTimeout(done, limits.settleMs));
    }
    found.add(
      name,
      `leaves more than ${megabytes(limits.grownBytes)} of memory in use`,
      `${megabytes(figures.grownBytes)} after a forced collection`,
    );
    await target.accept();
  } catch (error) {
    found.add(name, await target.again(error), 'after its last request');
  }
}

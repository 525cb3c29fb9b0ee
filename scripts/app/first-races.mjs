// Waits until the first prices are served, so that the calls that `npm start` prints return data. It uses the
// internal key, which uses up no quota, and gives up quietly: a day without racing is no failure.
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';

const patienceMs = 60_000;
const againMs = 500;

export async function firstPrices({ signal, progress }, { api_url, internal_key }, running) {
  const wait = () => untilPriced(`${api_url}/v1/racing/best-odds?num_races=1`, internal_key, { signal, running });
  const found = await progress.step('The board has its first prices', wait);
  if (!found) progress.note(`No race has a price yet after ${patienceMs / 1000} s; the answers below may be empty.`);
}

async function untilPriced(url, key, { signal, running }) {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    if (await isPriced(url, key)) return true;
    await Promise.race([sleep(againMs, undefined, { signal }), failWhenOneEnds(running)]);
  }
  return false;
}

async function isPriced(url, key) {
  const response = await fetch(url, { headers: { 'X-API-Key': key ?? '' }, signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  );
  const races = await response?.json().catch(() => null);
  return Array.isArray(races) && races.length > 0;
}

export async function failWhenOneEnds(running) {
  const ended = running.map(async (process) => ({ ...process, how: await process.ended }));
  const { name, how, reason, log } = await Promise.race(ended);
  throw new Problem(`The ${name} ended (${how}): ${reason()} (log: ${log})`);
}

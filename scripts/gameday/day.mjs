// Runs the outages and prints their table.
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { findLosses, openLedger } from './ledger.mjs';

const LOOK_EVERY_MS = 500;
/** Wall. The limit for the service to recover from an outage. */
const WHOLE_WITHIN_MS = 180_000;
/** Wall. The limit before the first outage: a new installation reads every list, race and result of its day at once. */
const BEGUN_WITHIN_MS = 1_200_000;
/** Nothing may be about to fire while the first lists are read, two days of each book a second apart. */
const BEGUN_FOR_MS = 120_000;
/** The service is healthy when no page has fired, or was about to, for this long. */
const QUIET_FOR_MS = 10_000;

/** Returns whether every outage passed. */
export async function playDay({ stage, watch, outages, signal }) {
  const ledger = await openLedger(stage);
  stage.onEnd(ledger.close);
  const day = { stage, watch, ledger, signal };
  const begunS = await quiet({ ...day, sinceMs: Date.now(), withinMs: BEGUN_WITHIN_MS, forMs: BEGUN_FOR_MS });
  if (begunS === null) throw new Problem(`The service was not whole after ${BEGUN_WITHIN_MS / 60_000} minutes.`);
  const rows = [];
  for (const group of groupsOf(outages.filter((outage) => canPlay(outage, stage)))) {
    for (const row of await play(group, day)) {
      console.log(`${row.faults.length === 0 ? '✓' : '✗'} ${row.outage}: ${row.faults.join('; ') || 'passed'}`);
      rows.push(row);
    }
  }
  const lost = await findLosses(ledger, signal);
  console.log(`\n${tableOf(rows)}`);
  for (const one of lost) console.log(`✗ ${one}`);
  if (lost.length === 0) console.log('Nothing was lost, and nothing is there twice.');
  return lost.length === 0 && rows.every(({ faults }) => faults.length === 0);
}

function canPlay({ name, needs }, stage) {
  const lacks = needs?.(stage) ?? null;
  if (lacks !== null) console.log(`– ${name}: not run, ${lacks}`);
  return lacks === null;
}

/** Outages that take a quarter of an hour to notice are played at once where their causes differ. */
function groupsOf(outages) {
  const groups = new Map();
  for (const outage of outages) {
    const first = outage.beside ?? outage.name;
    groups.set(first, [...(groups.get(first) ?? []), outage]);
  }
  return groups.values();
}

/** The alerts of its one cause. */
const alertsOf = ({ alert, also = [] }) => [alert, ...also].filter(Boolean);

/** Plays the outages of a group at once. */
async function play(group, day) {
  const { stage, signal } = day;
  for (const outage of group) await outage.begin(stage);
  const seen = watchAlerts(group, day.watch);
  const longestMs = Math.max(...group.map(({ seconds }) => seconds)) * 1000;
  await secondsUntil(seen.allFired, seen.beganMs, longestMs, signal);
  const found = new Map();
  for (const outage of group) found.set(outage, await looked(outage, seen.firedS.get(outage) ?? null, stage));
  const endedMs = Date.now();
  for (const outage of group) await outage.end(stage);
  const recoveryS = await quiet({ ...day, sinceMs: endedMs, note: seen.note });
  const ofAll = recoveryS === null ? [`not whole ${WHOLE_WITHIN_MS / 1000} s after it ended`] : [];
  const paged = [...seen.others].map(([name, s]) => `${name} after ${s} s`).join(', ');
  if (paged !== '') ofAll.push(`also paged${group.length > 1 ? ` beside ${group.length - 1} more` : ''}: ${paged}`);
  const rows = [];
  for (const outage of group) {
    const broken = await outage.after?.(stage)?.catch((error) => error.message);
    const faults = [...found.get(outage), ...ofAll, ...(broken ? [broken] : [])];
    const alert = alertsOf(outage).join(', ') || 'none';
    rows.push({ outage: outage.name, alert, alertS: seen.firedS.get(outage) ?? null, recoveryS, faults });
  }
  return rows;
}

/** From now on: when the alerts of each outage fired, and which other pages did. */
function watchAlerts(group, watch) {
  const beganMs = Date.now();
  const expected = group.flatMap((outage) => [...alertsOf(outage), ...(outage.may ?? [])]);
  const since = () => Math.round((Date.now() - beganMs) / 1000);
  const firedS = new Map();
  /** By name: the seconds after which each alert was first seen. */
  const others = new Map();
  const note = async () => {
    const alerts = await watch.alerts();
    for (const name of alerts.pages) if (!expected.includes(name) && !others.has(name)) others.set(name, since());
    return alerts;
  };
  const allFired = async () => {
    const { firing } = await note();
    for (const outage of group) {
      const its = alertsOf(outage);
      const { book } = outage;
      const fires = (name) => firing.some((one) => one.alertname === name && (book === undefined || one.book === book));
      if (!firedS.has(outage) && its.length > 0 && its.every(fires)) firedS.set(outage, since());
    }
    return group.every((outage) => firedS.has(outage));
  };
  return { beganMs, firedS, others, note, allFired };
}

/** What is wrong while the outage lasts. `alertS`: the seconds after which its alerts fired; null: they did not. */
async function looked(outage, alertS, stage) {
  const { alert, seconds } = outage;
  const isLate = alert !== null && (alertS === null || alertS > seconds);
  const late = isLate ? [`${alertsOf(outage).join(' or ')} did not fire within ${seconds} s`] : [];
  const wrong = await outage.look?.(stage)?.catch((error) => error.message);
  return [...late, ...(wrong ? [wrong] : []), ...(await typed(outage, stage))];
}

/** The faults of the runbook commands that the outage names, each with the output that it must print. */
async function typed({ runs = [] }, stage) {
  const faults = [];
  for (const [section, begin, shows] of runs) {
    const printed = await stage.type(section, begin).catch((error) => error);
    if (printed instanceof Error) faults.push(`${begin}: ${printed.message.trim()}`);
    else if (!shows.test(printed)) faults.push(`${begin} does not print ${shows}: ${printed.trim().slice(0, 200)}`);
  }
  return faults;
}

/**
 * Seconds until prices are polled, every process is ready and no page has fired for a while; null if not within the
 * limit.
 */
async function quiet({
  stage,
  watch,
  ledger,
  signal,
  sinceMs,
  note = watch.alerts,
  withinMs = WHOLE_WITHIN_MS,
  forMs = QUIET_FOR_MS,
}) {
  let quietSinceMs = Infinity;
  const isWhole = async () => {
    const { pages, pending } = await note();
    const parts = await Promise.all([...stage.parts.values()].map((part) => part.answers()));
    const isWell = pages.length + pending.length === 0 && parts.every(Boolean) && (await ledger.isPolledSince(sinceMs));
    quietSinceMs = isWell ? Math.min(quietSinceMs, Date.now()) : Infinity;
    return Date.now() - quietSinceMs >= forMs;
  };
  const seconds = await secondsUntil(isWhole, sinceMs, withinMs, signal);
  return seconds === null ? null : Math.round((quietSinceMs - sinceMs) / 1000);
}

async function secondsUntil(check, sinceMs, withinMs, signal) {
  while (Date.now() - sinceMs < withinMs) {
    signal.throwIfAborted();
    if (await check().catch(() => false)) return Math.round((Date.now() - sinceMs) / 1000);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return null;
}

function tableOf(rows) {
  const head = '| outage | alert | seconds to it | seconds to recovery |\n|---|---|---|---|';
  const cell = (value) => value ?? 'never';
  const lines = rows.map((row) => `| ${row.outage} | ${row.alert} | ${cell(row.alertS)} | ${cell(row.recoveryS)} |`);
  return [head, ...lines].join('\n');
}

// The battery: every kind of hostile request against one API process, and slow readers and writers against another at
// the same time. It lists everything that it finds, even if a process ends.
import { attack } from './attack.mjs';
import { crowd } from './crowds.mjs';
import { createFindings } from './findings.mjs';
import { answers } from './kinds/answers.mjs';
import { bodies } from './kinds/bodies.mjs';
import { framing } from './kinds/framing.mjs';
import { heads } from './kinds/heads.mjs';
import { names } from './kinds/names.mjs';
import { packed } from './kinds/packed.mjs';
import { parameters } from './kinds/parameters.mjs';
import { cuts, floods, pipelines } from './kinds/streams.mjs';
import { LIMITS, megabytes } from './limits.mjs';
import { wearOut } from './patience.mjs';
import { createTarget } from './target.mjs';
import { workFaults, workLines } from './work.mjs';

export const KINDS = [answers, framing, heads, names, parameters, bodies, packed, pipelines, cuts, floods];
const PATIENCE = 'patience';
const CROWDS = 'crowds';
export const KIND_NAMES = [...KINDS.map(({ name }) => name), PATIENCE, CROWDS];

/**
 * `start` starts an API process and returns its world. `only`: the name of one kind; null for all. Returns the findings
 * as sentences.
 */
export async function runBattery({ start, seed, only = null, progress, signal, limits = LIMITS }) {
  const found = createFindings();
  const battery = { found, progress, signal, limits };
  const kinds = KINDS.filter(({ name }) => only === null || name === only);
  const attacks = async () => {
    if (kinds.length === 0) return;
    const target = await createTarget({ start, seed });
    await attackAll(kinds, { ...battery, target });
    const work = await target.ask('work');
    for (const line of workLines(work)) progress.note(line);
    for (const [fault, route] of workFaults(work, limits)) found.add('work', fault, route);
  };
  const holds = async () => {
    if (only !== null && only !== PATIENCE && only !== CROWDS) return;
    const other = { ...battery, target: await createTarget({ start, seed }) };
    if (only !== CROWDS) await bePatient(other);
    if (only !== PATIENCE) await beMany(other);
  };
  await Promise.all([attacks(), holds()]);
  return found.sentences();
}

async function bePatient(battery) {
  const { connections, keptAtEnd, grownBytes } = await wearOut(battery);
  battery.progress.note(`  ${connections} connections, ${keptAtEnd} kept to the end, memory ${signed(grownBytes)}`);
}

async function beMany(battery) {
  if (process.platform !== 'linux')
    battery.progress.note('  Bounds of connections: skipped, they need addresses that only Linux has');
  else battery.progress.note(`  ${await crowd(battery)} connections held at once`);
}

async function attackAll(kinds, battery) {
  for (const kind of kinds) {
    const { requests, worstMs, grownBytes, ends } = await attack(kind, battery);
    const ended = ends > 0 ? `, ends of the process: ${ends}` : '';
    battery.progress.note(
      `  ${requests} requests, longest turn ${Math.round(worstMs)} ms of CPU, memory ${signed(grownBytes)}${ended}`,
    );
  }
}

const signed = (bytes) => `${bytes < 0 ? '−' : '+'}${megabytes(Math.abs(bytes))}`;

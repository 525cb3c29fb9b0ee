// The battery: every kind of hostile request against one API process, slow readers and writers against another at the same time. It lists
// everything that it finds, also when a process ends.
import { attack } from './attack.mjs';
import { createFindings } from './findings.mjs';
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

export const KINDS = [framing, heads, names, parameters, bodies, packed, pipelines, cuts, floods];
const PATIENCE = 'patience';
export const KIND_NAMES = [...KINDS.map(({ name }) => name), PATIENCE];

/** `start` begins an API process and returns its world. `only`: the name of one kind; null for all. Returns what was found, in sentences. */
export async function runBattery({ start, seed, only = null, progress, signal, limits = LIMITS }) {
  const found = createFindings();
  const battery = { found, progress, signal, limits };
  const kinds = KINDS.filter(({ name }) => only === null || name === only);
  const attacks = async () => {
    if (kinds.length > 0) await attackAll(kinds, { ...battery, target: await createTarget({ start, seed }) });
  };
  const patience = async () => {
    if (only !== null && only !== PATIENCE) return;
    const { connections, keptAtEnd, grownBytes } = await wearOut({
      ...battery,
      target: await createTarget({ start, seed }),
    });
    progress.note(`  ${connections} connections, ${keptAtEnd} kept to the end, memory ${signed(grownBytes)}`);
  };
  await Promise.all([attacks(), patience()]);
  return found.sentences();
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

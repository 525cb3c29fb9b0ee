// The memory that several processes use together: pages of a file that more than one of them maps (Node itself is 60 MB
// of each) are in memory once.
import { readFileSync } from 'node:fs';

/** Resident MB of all of them, or null if the system does not report what is shared (only Linux does). */
export function togetherMb(pids) {
  try {
    return unionMb(pids.map((pid) => readFileSync(`/proc/${pid}/smaps`, 'utf8')));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * `texts`: `/proc/<pid>/smaps` of each process. Private pages add up; for the shared pages of a file, the process with
 * the most counts.
 */
export function unionMb(texts) {
  const most = new Map();
  let own = 0;
  for (const mappings of texts.map(mappingsOf)) {
    own += mappings.reduce((sum, one) => sum + one.ownKb, 0);
    for (const [file, kb] of sharedByFile(mappings)) most.set(file, Math.max(kb, most.get(file) ?? 0));
  }
  return (own + [...most.values()].reduce((sum, kb) => sum + kb, 0)) / 1024;
}

function sharedByFile(mappings) {
  const files = new Map();
  for (const { file, sharedKb } of mappings) files.set(file, (files.get(file) ?? 0) + sharedKb);
  return files;
}

function mappingsOf(text) {
  const mappings = [];
  for (const line of text.split('\n')) {
    const head = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)$/.exec(line);
    if (head) mappings.push({ file: head[1], ownKb: 0, sharedKb: 0 });
    const [, whose, kb] = /^(Private|Shared)_(?:Clean|Dirty): +(\d+) kB$/.exec(line) ?? [];
    if (whose === 'Private') mappings.at(-1).ownKb += Number(kb);
    if (whose === 'Shared') mappings.at(-1).sharedKb += Number(kb);
  }
  return mappings;
}

// The score of a mutation run. A listed equivalent mutant counts neither way. An entry that no longer matches a
// survivor is an error: the list would hide whatever is written on that line next.

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

/**
 * `mutants`: each with `file`, `line`, `code` (the line's text), `mutator`, `original`, `replacement`, `status`.
 * `equivalents`: the list's entries.
 */
export function scoreOf(mutants, equivalents) {
  const listed = mutants.map((mutant) => equivalents.find((entry) => describes(entry, mutant)));
  const undetected = mutants.filter(({ status }) => UNDETECTED.includes(status));
  const survivors = mutants.filter((mutant, i) => undetected.includes(mutant) && !listed[i]);
  const detected = mutants.filter(({ status }) => DETECTED.includes(status)).length;
  const total = detected + survivors.length;
  const files = new Set(mutants.map(({ file }) => file));
  const used = new Set(listed.filter((_entry, i) => !DETECTED.includes(mutants[i].status)));
  return {
    detected,
    total,
    percent: total === 0 ? 100 : (detected / total) * 100,
    survivors,
    equivalent: undetected.length - survivors.length,
    stale: equivalents.filter((entry) => files.has(entry.file) && !used.has(entry)),
  };
}

const describes = (entry, mutant) =>
  ['file', 'code', 'mutator', 'original', 'replacement'].every((member) => entry[member] === mutant[member]);

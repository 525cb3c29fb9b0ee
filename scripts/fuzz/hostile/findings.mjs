// The findings: one entry for each fault of a kind, with the first cases that show it and the number of others.
const SHOWN = 3;

export function createFindings() {
  const found = new Map();
  return {
    add(kind, fault, name) {
      const id = `${kind}: ${fault}`;
      const entry = found.get(id) ?? { kind, fault, names: [] };
      entry.names.push(name);
      found.set(id, entry);
    },
    has: () => found.size > 0,
    sentences: () => [...found.values()].map(sentenceOf),
  };
}

function sentenceOf({ kind, fault, names }) {
  const shown = names.slice(0, SHOWN).map((name) => `\n    ${name}`);
  const more = names.length - shown.length;
  return `  ${kind}: ${fault}${shown.join('')}${more > 0 ? `\n    and ${more} more` : ''}`;
}

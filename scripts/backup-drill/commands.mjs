// The commands of docs/operations/servers.md, "Backup and restore", exactly as they are typed there: the drill runs
// them, and a test compares the page with them.

export const STANZA = '--stanza=racing';

export const COMMANDS = {
  create: `pgbackrest ${STANZA} stanza-create`,
  check: `pgbackrest ${STANZA} check`,
  full: `pgbackrest ${STANZA} --type=full backup`,
  diff: `pgbackrest ${STANZA} --type=diff backup`,
  info: `pgbackrest ${STANZA} --output=json info`,
  restore: `pgbackrest ${STANZA} --type=time --target='2026-11-29 03:59:59+00' --target-action=promote restore`,
};

/** The arguments of a command of the page. `target`: an instant in place of the page's. */
export function wordsOf(name, target = null) {
  const words = COMMANDS[name].match(/(?:[^\s']+|'[^']*')+/g).slice(1);
  const plain = words.map((word) => word.replaceAll("'", ''));
  return target === null ? plain : plain.map((word) => (word.startsWith('--target=') ? `--target=${target}` : word));
}

/** `name = 'value'` pairs of a PostgreSQL settings file, by name. */
export function settingsIn(text) {
  const lines = text.split('\n').map((line) => /^(\w+) = (?:'(.*)'|(\S+))$/.exec(line));
  return Object.fromEntries(lines.filter(Boolean).map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

/** The last whole second that ended before the instant, in the format of `--target`. */
export const secondBefore = (ms) =>
  `${new Date(Math.ceil(ms / 1000) * 1000 - 1000).toISOString().slice(0, 19).replace('T', ' ')}+00`;

// `npm run audit`: lists known vulnerabilities of the production packages in package-lock.json, if the registry has an
// audit, and those in a dump of advisories that the operator names.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { audit } from './audit/advisories.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';

const help = `npm run audit -- [--advisories FOLDER]

Lists the known vulnerabilities of the production packages in package-lock.json, as the registry knows them. --advisories: and those of a
folder of advisories in the OSV format, one JSON file each, for example the unpacked archive that osv.dev publishes for npm.
Exit codes: 0 none, or only low and moderate ones · 1 a high or critical one, or advisories that cannot be read · 3 the registry has no audit or
does not answer, and no folder is named: nothing was run.`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const { advisories } = parseArgs({ options: { advisories: { type: 'string' } } }).values;
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  // It uses a package, so it is imported after packages are installed.
  const { auditByDump } = await import('./audit/dump.mjs');
  const audits = [await audit(root, process.env, signal), ...(advisories ? [auditByDump(root, advisories)] : [])];
  for (const line of audits.flatMap(({ lines }) => lines)) console.log(line);
  const codes = audits.map(({ exitCode }) => exitCode);
  return codes.includes(1) ? 1 : codes.at(-1);
});
